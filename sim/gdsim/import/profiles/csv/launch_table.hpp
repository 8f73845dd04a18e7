#pragma once

#include <gdsim/base/csv_table.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/profiles/profile.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// The header of a table among other lines.
struct CsvHeader {
  std::size_t behind = 0;  ///< offset of the line below it
  std::uint32_t line = 0;  ///< from 1
  char separator = ',';
  std::vector<std::string> cells;
};

/// Finds the first line whose cells, separated by commas, semicolons or tabs, satisfy `is_wanted`, or nullopt.
std::optional<CsvHeader> find_csv_header(std::string_view text,
                                         const std::function<bool(const std::vector<std::string>&)>& is_wanted);

/// The records below the header, within the profile's budget.
CsvRecords records_below(const CsvHeader& header, std::string_view text, const Profile& profile);

/// Returns true if the text is rocprof-compute's `sysinfo.csv`, which describes the device of a profile next to it.
bool is_sysinfo(std::string_view text);

/// Reads the device. Throws InputError with the line at fault.
void read_sysinfo(const SourceText& source, Profile& profile);

/// The content of a column of a table of launches.
enum class LaunchColumn : std::uint8_t {
  none,
  name,
  start,
  end,
  duration,
  grid,        ///< work-groups: one number, or several in one cell
  grid_items,  ///< work-items: one number, or several in one cell
  grid_x,
  grid_y,
  grid_z,
  items_x,
  items_y,
  items_z,
  block,  ///< work-items of a work-group
  block_x,
  block_y,
  block_z,
  registers,
  accumulation_registers,
  scalar_registers,
  static_slm,
  dynamic_slm,
  sub_group,
  cluster,
  bytes,
  throughput,  ///< of a copy
  source_memory,
  target_memory,
  copy_kind,
  device,
  queue,
  correlation,
  count,
};

/// The meaning of a column's header: what the column holds, and its unit.
struct ColumnMeaning {
  LaunchColumn column = LaunchColumn::none;
  std::string unit;  ///< as written: `ns`, `MB`; empty: none
  std::string text;  ///< text of the header's cell
};

/// Returns the meaning of each cell of a header, `none` if it is unknown. Units follow names, as in `Start (ns)`,
/// `Duration:dur_ns` or `duration_us`. Columns of AMD's tools and `..._Timestamp` count nanoseconds.
std::vector<ColumnMeaning> column_meanings(const std::vector<std::string>& header);

/// Returns true if the header belongs to a table of launches: it has names, grids and work-group sizes.
bool describes_launches(const std::vector<ColumnMeaning>& columns);

/// Returns true if the text has a table of launches: some header names launches, their sizes and more.
bool has_launch_table(std::string_view text);

/// Reads the table, whatever precedes it, of Nsight Systems (`cuda_gpu_trace`), nvprof, rocprofv3, rocprof,
/// rocprof-compute, VTune, or the user's own tool. Columns are recognised by their names; unused ones are noted. Throws
/// InputError with the problems of all rows.
void read_launch_table(const SourceText& source, Profile& profile);

/// Reads the rows of a table of launches by its columns' meanings.
class LaunchRowReader {
 public:
  /// `grid_counts_items` is true if a column `Grid Size` counts work-items, not work-groups.
  LaunchRowReader(const SourceText& source, const std::vector<ColumnMeaning>& columns, Profile& profile,
                  Diagnostics& problems);

  /// Reads one row, which begins at `line`, into the profile.
  void read(const std::vector<std::string>& cells, std::uint32_t line);

 private:
  struct Times {
    std::optional<Int128> start, end;
    std::optional<Int128> duration;
    std::optional<Int128> bytes_per_second;
  };

  void read_cell(const std::string& cell, std::size_t column, ProfiledLaunch& launch, Times& times);
  void read_extent(const std::string& cell, std::size_t column, Extent& extent);
  void settle(ProfiledLaunch& launch, const Times& times);
  ProfiledWork work_of(const std::string& name, const ProfiledLaunch& launch) const;
  std::uint64_t whole(const std::string& cell, std::size_t column, std::uint64_t most);
  std::uint64_t bytes(const std::string& cell, std::size_t column);
  std::optional<Int128> bytes_per_second(const std::string& cell, std::size_t column);
  std::optional<Int128> time(const std::string& cell, std::size_t column);
  void fail(std::size_t column, const std::string& message);

  const SourceText& source_;
  const std::vector<ColumnMeaning>& columns_;
  Profile& profile_;
  Diagnostics& problems_;
  std::uint32_t line_ = 0;
  std::string name_;
  std::string source_memory_;
  std::string target_memory_;
};

}  // namespace gdsim
