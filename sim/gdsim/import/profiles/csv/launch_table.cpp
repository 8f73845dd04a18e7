#include <gdsim/import/profiles/csv/launch_table.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/import/profiles/csv/csv_header.hpp>
#include <gdsim/import/profiles/csv/csv_records.hpp>
#include <gdsim/import/profiles/csv/launch_columns.hpp>
#include <gdsim/import/profiles/csv/launch_row.hpp>
#include <gdsim/import/profiles/exact_number.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace gdsim {
namespace {

std::optional<CsvHeader> find_launch_header(std::string_view text) {
  return find_csv_header(
      text, [](const std::vector<std::string>& cells) { return describes_launches(column_meanings(cells)); });
}

bool has_cell(const std::vector<std::string>& header, std::string_view name) {
  return position_of(header, name).has_value();
}

std::string format_of(const std::vector<std::string>& header) {
  if (has_cell(header, "GrdX")) return "Nsight Systems, CSV";
  if (has_cell(header, "Registers Per Thread") && has_cell(header, "Static SMem")) return "nvprof, CSV";
  if (has_cell(header, "Grid_Size_X")) return "rocprofv3, CSV";
  if (has_cell(header, "Counter_Name")) return "rocprofv3, counters, CSV";
  if (has_cell(header, "KernelName") && has_cell(header, "grd")) return "rocprof, CSV";
  if (has_cell(header, "LDS_Per_Workgroup")) return "rocprof-compute, CSV";
  if (has_cell(header, "Computing Task")) return "VTune, CSV";
  return "CSV";
}

/// Returns true if all cells are units of time or bytes, or empty: nvprof has such a row below its header.
bool is_unit_row(const std::vector<std::string>& cells) {
  bool has_unit = false;
  for (const std::string& cell : cells) {
    const bool is_unit = time_exponent(cell) || bytes_of_unit(cell) || cell == "GB/s" || cell == "MB/s" ||
                         cell == "KB/s" || cell == "B/s";
    if (!cell.empty() && !is_unit) return false;
    has_unit = has_unit || is_unit;
  }
  return has_unit;
}

void note_unused(const std::vector<ColumnMeaning>& columns, Profile& profile) {
  constexpr std::size_t few = 20;
  std::string names;
  std::size_t unused = 0;
  for (const ColumnMeaning& one : columns)
    if (one.column == LaunchColumn::none && ++unused <= few)
      names += (names.empty() ? "" : ", ") + printable(one.text.substr(0, 80));
  if (unused > few) names += fmt::format(" and {} more", unused - few);
  if (unused > 0) profile.notes.push_back("columns that were not used: " + names);
}

/// Returns the counter-name column if only it distinguishes further counters from further launches, else nullopt.
std::optional<std::size_t> distinguishing_counter(const std::vector<std::string>& header,
                                                  const std::vector<ColumnMeaning>& columns) {
  const bool has_ids = std::any_of(columns.begin(), columns.end(), [](const ColumnMeaning& one) {
    return one.column == LaunchColumn::correlation || one.column == LaunchColumn::start ||
           one.column == LaunchColumn::end;
  });
  return has_ids ? std::nullopt : position_of(header, "Counter_Name");
}

/// Drops repetitions of a launch: a table of counters has a row for each launch and counter.
void drop_repeated(const std::vector<std::string>& header, const std::vector<ColumnMeaning>& columns,
                   Profile& profile) {
  if (!has_cell(header, "Counter_Name") || distinguishing_counter(header, columns)) return;
  const std::size_t before = profile.launches.size();
  const auto same = [](const ProfiledLaunch& a, const ProfiledLaunch& b) {
    return a.start == b.start && a.correlation == b.correlation && a.name == b.name && a.device == b.device;
  };
  std::stable_sort(profile.launches.begin(), profile.launches.end(),
                   [](const ProfiledLaunch& a, const ProfiledLaunch& b) { return a.correlation < b.correlation; });
  profile.launches.erase(std::unique(profile.launches.begin(), profile.launches.end(), same), profile.launches.end());
  if (const std::size_t dropped = before - profile.launches.size(); dropped > 0)
    profile.left_out["further counters of a launch that was read already"] += dropped;
}

/// Reads the product that each row names, as in nvprof's `GeForce GTX 950 (0)`. Numbers and `Agent 4` name none.
void read_device_names(Profile& profile) {
  std::vector<bool> is_seen(profile.texts.size());
  for (const ProfiledLaunch& launch : profile.launches) {
    if (is_seen[launch.device]) continue;
    is_seen[launch.device] = true;
    const std::string key = profile.texts[launch.device];
    const std::size_t open = key.rfind(" (");
    const bool has_number = open != std::string::npos && open > 0 && key.ends_with(')');
    const bool is_product = key.find_first_not_of("0123456789-") != std::string::npos && !key.starts_with("Agent");
    if (is_product) profile.devices.push_back({key, has_number ? key.substr(0, open) : key, "", {}, {}, {}, {}});
  }
}

/// Which rows of a table are launches: not what a profiler reports behind it, and each launch once, if every counter
/// has a row of its own.
class LaunchRows {
 public:
  LaunchRows(std::size_t columns, std::optional<std::size_t> counter, Profile& profile)
      : columns_(columns), counter_(counter), profile_(profile) {}

  bool contain(const std::vector<std::string>& cells) {
    if (cells.size() == 1 && columns_ > 1 && (cells.front().starts_with("==") || cells.front() == "...")) return false;
    if (!counter_ || *counter_ >= cells.size()) return true;
    if (!first_counter_) first_counter_ = cells[*counter_];
    if (cells[*counter_] == *first_counter_) return true;
    ++profile_.left_out["further counters of a launch that was read already"];
    return false;
  }

 private:
  std::size_t columns_;
  std::optional<std::size_t> counter_;  ///< the column that names the counter of a row; nothing: none does
  std::optional<std::string> first_counter_;
  Profile& profile_;
};

void note_rounded_memory(const std::vector<ColumnMeaning>& columns, Profile& profile) {
  if (profile.format != "Nsight Systems, CSV" && profile.format != "nvprof, CSV") return;
  for (const ColumnMeaning& one : columns)
    if ((one.column == LaunchColumn::static_slm || one.column == LaunchColumn::dynamic_slm) && one.unit == "MB")
      profile.notes.push_back(
          fmt::format("shared memory in '{}' is rounded to the file's decimals; the nearest "
                      "multiple of 1024 bytes is taken where there is one (SQLite files are "
                      "exact)",
                      printable(one.text)));
}

}  // namespace

bool has_launch_table(std::string_view text) { return find_launch_header(text).has_value(); }

void read_launch_table(const SourceText& source, Profile& profile) {
  const std::string_view text = source.text();
  const std::optional<CsvHeader> header = find_launch_header(text);
  if (!header) throw InputError({Diagnostic{"profile", "holds no table of launches", source.name(), 0, 0, {}}});
  profile.format = format_of(header->cells);
  std::vector<ColumnMeaning> columns = column_meanings(header->cells);
  note_unused(columns, profile);
  CsvRecords records(text.substr(std::min(header->behind, text.size())), header->separator, header->line + 1,
                     profile.budget.get());
  Diagnostics problems;
  const std::vector<std::string>* cells = records.next();
  if (cells != nullptr && is_unit_row(*cells)) {
    for (std::size_t i = 0; i < std::min(columns.size(), cells->size()); ++i) columns[i].unit = (*cells)[i];
    cells = records.next();
  }
  LaunchRowReader rows(source, columns, profile, problems);
  LaunchRows launches(columns.size(), distinguishing_counter(header->cells, columns), profile);
  constexpr std::size_t kMaxProblems = 1000;
  for (; cells != nullptr && problems.size() < kMaxProblems; cells = records.next())
    if (launches.contain(*cells)) rows.read(*cells, records.line());
  problems.throw_if_any();
  drop_repeated(header->cells, columns, profile);
  read_device_names(profile);
  note_rounded_memory(columns, profile);
}

}  // namespace gdsim
