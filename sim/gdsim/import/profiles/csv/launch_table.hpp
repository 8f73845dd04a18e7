#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/profiles/csv/launch_columns.hpp>
#include <gdsim/import/profiles/profile.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

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
  void fail(std::size_t column, const std::string& what);

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
