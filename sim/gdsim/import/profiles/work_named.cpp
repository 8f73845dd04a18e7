#include <gdsim/import/profiles/work_named.hpp>

#include <cctype>
#include <string>

namespace gdsim {
namespace {

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

}  // namespace

ProfiledWork work_named(std::string_view name) {
  const std::string text = lower(name);
  if (contains(text, "memset") || contains(text, "memoryfill") || contains(text, "fillbuffer"))
    return ProfiledWork::fill;
  for (const std::string_view to_device : {"htod", "host-to-device", "m2d", "h2d", "host_to_device", "writebuffer"})
    if (contains(text, to_device)) return ProfiledWork::host_to_device;
  for (const std::string_view to_host : {"dtoh", "device-to-host", "d2m", "d2h", "device_to_host", "readbuffer"})
    if (contains(text, to_host)) return ProfiledWork::device_to_host;
  for (const std::string_view other : {"memcpy", "memorycopy", "device-to-device", "dtod", "ptop", "copybuffer"})
    if (contains(text, other)) return ProfiledWork::other_copy;
  return ProfiledWork::kernel;
}

}  // namespace gdsim
