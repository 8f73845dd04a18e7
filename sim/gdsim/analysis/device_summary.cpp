#include <gdsim/analysis/device_summary.hpp>

#include <gdsim/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace gdsim {

std::string sent_words(UInt128 bytes) {
  if (bytes == 0) return "-";
  UInt128 unit = 1;
  std::size_t power = 0;
  constexpr std::array<std::string_view, 6> names{"B", "KB", "MB", "GB", "TB", "PB"};
  for (; power + 1 < names.size() && bytes >= unit * 1'000; ++power) unit *= 1'000;
  return fmt::format("{} {}", to_fixed({bytes, unit}, power == 0 ? 0 : 2), names[power]);
}

std::string device_table_text(std::span<const DeviceSummary> devices) {
  std::size_t width = 6;
  for (const DeviceSummary& device : devices) width = std::max(width, printable(device.name).size());
  std::string text =
      fmt::format("{:<{}}  {:>8}  {:>12}  {:>14}  {:>17}  {:>12}  {:>12}  {:>12}  {}\n", "device", width, "launches",
                  "busy", "mean occupancy", "waits for others", "links busy", "sent", "of its rate", "finding");
  for (const DeviceSummary& device : devices)
    text += fmt::format("{:<{}}  {:>8}  {:>12}  {:>14}  {:>17}  {:>12}  {:>12}  {:>12}  {}\n", printable(device.name),
                        width, device.launches, to_rounded_text(device.busy), to_fixed(device.mean_occupancy, 1) + " %",
                        to_rounded_text(device.waited_for_others), to_rounded_text(device.linked),
                        sent_words(device.bytes_sent), device.rate ? to_fixed(*device.rate, 1) + " %" : "-",
                        device.finding.empty() ? "-" : device.finding);
  return text;
}

}  // namespace gdsim
