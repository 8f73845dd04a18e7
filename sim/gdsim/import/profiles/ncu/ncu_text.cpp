#include <gdsim/import/profiles/ncu/ncu_text.hpp>

#include <gdsim/import/profiles/ncu/ncu_launch.hpp>
#include <gdsim/import/text_lines.hpp>

#include <algorithm>
#include <array>
#include <optional>

namespace gdsim {
namespace {

/// Returns the text after `key` up to the next comma: `7` after `Stream ` of `Context 1, Stream 7, Device 0`.
std::string behind(std::string_view text, std::string_view key) {
  const std::size_t begin = text.find(key);
  if (begin == std::string_view::npos) return "";
  const std::string_view rest = text.substr(begin + key.size());
  return std::string(rest.substr(0, rest.find(',')));
}

/// Returns the offset of `(64, 64, 1)` at the end of the text, or nullopt.
std::optional<std::size_t> begin_of_sizes(std::string_view text) {
  if (!text.ends_with(')')) return std::nullopt;
  const std::size_t open = text.rfind('(');
  if (open == std::string_view::npos || text.find_first_not_of("0123456789, ", open + 1) != text.size() - 1)
    return std::nullopt;
  return open;
}

/// Reads the first line of a launch: `NAME (gx, gy, gz)x(bx, by, bz), Context 1, Stream 7, Device 0, CC 8.6`, in older
/// versions `NAME, 2022-Jun-08 16:31:17, Context 1, Stream 7`. A name may have commas and brackets.
std::optional<NcuLaunch> launch_line(std::string_view line) {
  const std::size_t context = line.rfind(", Context ");
  if (context == std::string_view::npos || line.find(", Stream ", context) == std::string_view::npos)
    return std::nullopt;
  const std::string_view tail = line.substr(context);
  NcuLaunch launch;
  launch.stream = behind(tail, ", Stream ");
  launch.device = behind(tail, ", Device ");
  launch.capability = behind(tail, ", CC ");
  std::string_view name = line.substr(0, context);
  if (const auto block = begin_of_sizes(name); block && *block > 0 && name[*block - 1] == 'x') {
    launch.block = name.substr(*block);
    name = name.substr(0, *block - 1);
    if (const auto grid = begin_of_sizes(name)) {
      launch.grid = name.substr(*grid);
      name = name.substr(0, *grid);
    }
  } else if (const std::size_t comma = name.rfind(", "); comma != std::string_view::npos) {
    if (name.find(':', comma) != std::string_view::npos) name = name.substr(0, comma);  // the date
  }
  while (name.starts_with(' ')) name.remove_prefix(1);
  while (name.ends_with(' ')) name.remove_suffix(1);
  launch.name = name;
  return launch;
}

constexpr std::array<std::string_view, 16> kPrinted{"Duration",
                                                    "Registers Per Thread",
                                                    "Static Shared Memory Per Block",
                                                    "Dynamic Shared Memory Per Block",
                                                    "Block Size",
                                                    "Grid Size",
                                                    "Cluster Size",
                                                    "# SMs",
                                                    "Waves Per SM",
                                                    "SM Frequency",
                                                    "Block Limit SM",
                                                    "Block Limit Registers",
                                                    "Block Limit Shared Mem",
                                                    "Block Limit Warps",
                                                    "Block Limit Barriers",
                                                    "gpu__time_duration.sum"};

/// Reads a line of a table: the metric's name, its unit, its value. Blanks separate columns; names contain some.
void read_metric_line(std::string_view line, NcuLaunch& launch) {
  while (line.starts_with(' ')) line.remove_prefix(1);
  for (const std::string_view name : kPrinted) {
    if (!line.starts_with(name) || line.size() <= name.size() || line[name.size()] != ' ') continue;
    std::string_view rest = line.substr(name.size());
    while (rest.ends_with(' ')) rest.remove_suffix(1);
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    const std::size_t blank = rest.rfind(' ');
    NcuMetric metric{std::string(rest), ""};
    if (blank != std::string_view::npos) {
      metric.value = rest.substr(blank + 1);
      std::string_view unit = rest.substr(0, blank);
      while (unit.ends_with(' ')) unit.remove_suffix(1);
      metric.unit = unit.ends_with("(!)") ? std::string_view() : unit;
    }
    launch.metrics.emplace(std::string(name), std::move(metric));
    return;
  }
}

}  // namespace

bool is_ncu_text(std::string_view text) {
  return text.find(", Context ") != std::string_view::npos && text.find(", Stream ") != std::string_view::npos &&
         text.find("Section: ") != std::string_view::npos;
}

void read_ncu_text(const SourceText& source, Profile& profile) {
  profile.format = "Nsight Compute, text";
  TextLines lines(source);
  std::optional<NcuLaunch> launch;
  while (const auto line = lines.next()) {
    if (auto next = launch_line(*line)) {
      if (launch) add_ncu_launch(profile, *launch);
      launch = std::move(next);
      launch->place = lines.number();
    } else if (launch) {
      read_metric_line(*line, *launch);
    }
  }
  if (launch) add_ncu_launch(profile, *launch);
}

}  // namespace gdsim
