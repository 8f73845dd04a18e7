#include <gdsim/import/profiles/csv/launch_table.hpp>
#include <gdsim/import/profiles/ncu/ncu_launch.hpp>
#include <gdsim/import/text_lines.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace gdsim {
namespace {

/// Returns the text after `key` up to the next comma: `7` after `Stream ` of `Context 1, Stream 7, Device 0`.
std::string behind(std::string_view text, std::string_view key) {
  const std::size_t begin = text.find(key);
  if (begin == std::string_view::npos) return "";
  const std::string_view remaining = text.substr(begin + key.size());
  return std::string(remaining.substr(0, remaining.find(',')));
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
    std::string_view remaining = line.substr(name.size());
    while (remaining.ends_with(' ')) remaining.remove_suffix(1);
    while (remaining.starts_with(' ')) remaining.remove_prefix(1);
    const std::size_t blank = remaining.rfind(' ');
    NcuMetric metric{std::string(remaining), ""};
    if (blank != std::string_view::npos) {
      metric.value = remaining.substr(blank + 1);
      std::string_view unit = remaining.substr(0, blank);
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

namespace {

using Cells = std::vector<std::string>;

bool is_details_header(const Cells& header) {
  return position_of(header, "Metric Name") && position_of(header, "Metric Value") &&
         position_of(header, "Kernel Name");
}

bool is_raw_header(const Cells& header) {
  return position_of(header, "Kernel Name") && std::any_of(header.begin(), header.end(), [](const std::string& cell) {
           return cell.starts_with("launch__") || cell == "gpu__time_duration.sum";
         });
}

bool is_ncu_header(const Cells& header) { return is_details_header(header) || is_raw_header(header); }

/// Reads one table from the line below its header.
class NcuTable {
 public:
  NcuTable(const CsvHeader& header, Profile& profile) : header_(header.cells), profile_(profile) {
    is_details_ = is_details_header(header_);
    least_ = 1 + (is_details_ ? column("Metric Value").value_or(0) : header_.size() - 1);
  }

  void read(CsvRecords& records) {
    for (const Cells* cells = records.next(); cells != nullptr; cells = records.next()) {
      if (cells->size() == 1) continue;  // output of the program
      if (is_ncu_header(*cells)) {
        finish();
        header_ = *cells;
        is_details_ = is_details_header(header_);
        least_ = 1 + (is_details_ ? column("Metric Value").value_or(0) : header_.size() - 1);
      } else if (cells->size() < least_ && !is_number(cells->front())) {
        continue;  // output of the program with commas
      } else if (cells->size() < least_ || cells->size() > header_.size()) {
        fail_at(profile_, records.line(),
                fmt::format("the row has {} cells and the header {}; is it cut off?", cells->size(), header_.size()));
      } else if (is_details_) {
        read_metric(*cells, records.line());
      } else {
        read_row(*cells, records.line());
      }
    }
    finish();
  }

 private:
  static bool is_number(const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  }

  std::optional<std::size_t> column(std::string_view name) const { return position_of(header_, name); }
  std::string cell(const Cells& cells, std::string_view name) const {
    const auto at = column(name);
    return at && *at < cells.size() ? cells[*at] : std::string();
  }

  NcuLaunch begun(const Cells& cells, std::uint32_t line) const {
    NcuLaunch launch;
    launch.place = line;
    launch.name = cell(cells, "Kernel Name");
    launch.stream = cell(cells, "Stream");
    launch.device = cell(cells, "Device");
    launch.capability = cell(cells, "CC");
    launch.grid = cell(cells, "Grid Size");
    launch.block = cell(cells, "Block Size");
    return launch;
  }

  /// Reads a row of the details page: another metric of the same launch, or the first one of the next.
  void read_metric(const Cells& cells, std::uint32_t line) {
    const std::pair<std::string, std::string> id{cell(cells, "Process ID"), cell(cells, "ID")};
    if (!has_launch_ || id != id_) {
      finish();
      launch_ = begun(cells, line);
      has_launch_ = true;
      id_ = id;
    }
    const std::string name = cell(cells, "Metric Name");
    if (is_ncu_metric(name))
      launch_.metrics.emplace(name, NcuMetric{cell(cells, "Metric Value"), cell(cells, "Metric Unit")});
  }

  /// Reads a row of the raw page; the first one may hold units.
  void read_row(const Cells& cells, std::uint32_t line) {
    if (cell(cells, "Kernel Name").empty()) {
      units_ = cells;
      return;
    }
    NcuLaunch launch = begun(cells, line);
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (is_ncu_metric(header_[i]))
        launch.metrics.emplace(header_[i], NcuMetric{cells[i], i < units_.size() ? units_[i] : std::string()});
    add_ncu_launch(profile_, launch);
  }

  void finish() {
    if (has_launch_) add_ncu_launch(profile_, launch_);
    has_launch_ = false;
    units_.clear();
  }

  Cells header_;
  Profile& profile_;
  bool is_details_ = false;
  std::size_t least_ = 0;  ///< cells that every row has
  bool has_launch_ = false;
  NcuLaunch launch_;
  std::pair<std::string, std::string> id_;
  Cells units_;
};

}  // namespace

bool has_ncu_table(std::string_view text) { return find_csv_header(text, is_ncu_header).has_value(); }

void read_ncu_csv(const SourceText& source, Profile& profile) {
  const std::string_view text = source.text();
  const std::optional<CsvHeader> header = find_csv_header(text, is_ncu_header);
  if (!header) throw InputError({Diagnostic{"profile", "holds no table of Nsight Compute", source.name(), 0, 0, {}}});
  profile.format = is_details_header(header->cells) ? "Nsight Compute, details CSV" : "Nsight Compute, raw CSV";
  CsvRecords records = records_below(*header, text, profile);
  NcuTable(*header, profile).read(records);
}

}  // namespace gdsim
