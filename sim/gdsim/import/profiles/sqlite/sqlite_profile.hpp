#pragma once

#include <gdsim/database/database.hpp>
#include <gdsim/import/profiles/profile.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// Returns true if the file is a SQLite database.
bool is_sqlite(const ProfileInput& input);

/// Reads a profile from any supported profiler's database. If it is none, throws InputError with the tables that such
/// profiles have.
void read_sqlite_profile(const ProfileInput& input, Profile& profile);

/// The rows of a table of a profile, with those wanted columns that exist: versions of profilers have more or fewer.
/// Throws InputError, with table, row and column, for a value of another type.
class ProfileRows {
 public:
  /// Rows are in the order of the file: a view of it is not sorted by SQLite, which would hold all of it for that.
  ProfileRows(Database& database, const std::string& table, const std::vector<std::string>& wanted, Profile& profile);

  bool next();
  std::uint64_t row() const { return row_; }
  bool has(std::string_view column) const { return columns_.contains(column); }
  /// Returns a whole number from 0 to `most`, or nullopt if the column is missing or the value is NULL.
  std::optional<std::uint64_t> number(std::string_view column, std::uint64_t most) const;
  /// Returns any whole number, or nullopt if the column is missing or the value is NULL.
  std::optional<std::int64_t> signed_number(std::string_view column) const;
  /// Returns an empty text if the column is missing or the value is NULL.
  std::string text(std::string_view column) const;
  /// Sets start and duration of a launch by the columns `start` and `end`, in nanoseconds. Returns false, and counts
  /// the row as left out, if they are no times: profilers write 0 for both, or an end before the start, of a launch
  /// whose times they lost.
  bool read_times(ProfiledLaunch& launch);
  [[noreturn]] void fail(const std::string& message) const;

 private:
  const std::string table_;
  Profile& profile_;
  std::map<std::string, int, std::less<>> columns_;
  std::optional<Database::Statement> statement_;
  std::uint64_t row_ = 0;
};

/// Returns true if the database is an export of Nsight Systems with kernels.
bool is_nsys_database(Database& database);

/// Reads kernels, copies, fills and devices. Throws InputError with table and row.
void read_nsys_database(Database& database, Profile& profile);

/// Returns true if the database is rocprofv3's (rocpd) and has kernels.
bool is_rocpd_database(Database& database);

/// Reads kernels from its view `kernels`, copies from `memory_copies`, and the GPUs from `rocpd_info_agent`. Counts the
/// rows of other tables with time on a GPU as left out. Throws InputError with table and row. Not tested with a file of
/// rocprofv3: columns are those of the views of ROCm 7.0 and later (rocprofiler-sdk, data_views.sql).
void read_rocpd_database(Database& database, Profile& profile);

}  // namespace gdsim
