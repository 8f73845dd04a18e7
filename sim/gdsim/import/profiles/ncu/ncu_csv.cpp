#include <gdsim/import/profiles/ncu/ncu_csv.hpp>

#include <gdsim/import/profiles/csv/csv_header.hpp>
#include <gdsim/import/profiles/csv/csv_records.hpp>
#include <gdsim/import/profiles/ncu/ncu_launch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace gdsim {
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
  CsvRecords records(text.substr(std::min(header->behind, text.size())), header->separator, header->line + 1,
                     profile.budget.get());
  NcuTable(*header, profile).read(records);
}

}  // namespace gdsim
