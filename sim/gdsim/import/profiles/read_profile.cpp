#include <gdsim/import/profiles/read_profile.hpp>

#include <gdsim/import/profiles/csv/launch_table.hpp>
#include <gdsim/import/profiles/json/kineto.hpp>

#include <algorithm>
#include <array>

namespace gdsim {
namespace {

/// A format: how it is known by its content, and how it is read.
struct ProfileFormat {
  std::string_view name;
  bool (*is_it)(const ProfileInput& input);
  void (*read)(const ProfileInput& input, Profile& profile);
};

/// A stream of all that the input holds.
void read_trace(const ProfileInput& input, Profile& profile) {
  if (input.head_is_all()) {
    ByteStream stream(input.head(), input.name());
    return read_kineto(stream, profile);
  }
  ByteStream stream(input.path());
  read_kineto(stream, profile);
}

/// The first that fits is taken.
constexpr std::array kProfileFormats{
    ProfileFormat{"PyTorch profiler (Kineto) JSON", [](const ProfileInput& input) { return is_chrome_trace(input.head()); },
                  read_trace},
    ProfileFormat{"CSV of Nsight Systems, nvprof, rocprofv3, rocprof, rocprof-compute, VTune, or with columns of one's own",
                  [](const ProfileInput& input) { return has_launch_table(input.head()); },
                  [](const ProfileInput& input, Profile& profile) { read_launch_table(input.text(), profile); }},
};

const ProfileFormat* format_of(const ProfileInput& input) {
  const auto found =
      std::find_if(kProfileFormats.begin(), kProfileFormats.end(), [&](const ProfileFormat& one) { return one.is_it(input); });
  return found != kProfileFormats.end() ? &*found : nullptr;
}

}  // namespace

bool is_profile(const ProfileInput& input) { return format_of(input) != nullptr; }

Profile read_profile(const ProfileInput& input) {
  const ProfileFormat* format = format_of(input);
  if (format == nullptr) input.fail("is no profile that gdsim reads, which are: " + profile_formats_text());
  Profile profile;
  profile.file = input.name();
  format->read(input, profile);
  settle_grids(profile);
  return profile;
}

std::string profile_formats_text() {
  std::string text;
  for (const ProfileFormat& one : kProfileFormats) text += (text.empty() ? "" : "; ") + std::string(one.name);
  return text;
}

}  // namespace gdsim
