#include <gdsim/points/buffer_note.hpp>

#include <gdsim/base/text.hpp>

#include <fmt/format.h>

#include <set>

namespace gdsim {

std::vector<std::string> notes_on_buffers(const Scenario& scenario) {
  std::vector<std::string> notes;
  if (scenario.devices.empty()) return notes;
  const std::vector<std::string>& buffers = scenario.devices.front().workload.buffers;
  const std::string& first = scenario.devices.front().device_name;
  const std::set<std::string> known(buffers.begin(), buffers.end());
  for (const std::string& buffer : buffers) {
    const std::string own = buffer + "." + first;
    if (known.contains(own))
      notes.push_back(
          fmt::format("Launches with `device: each` have a buffer {0} of each device's own, which is not the {0} of "
                      "other launches: "
                      "these name it {1}.",
                      printable(buffer), printable(own)));
  }
  return notes;
}

}  // namespace gdsim
