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
  [[noreturn]] void fail(const std::string& what) const;

 private:
  const std::string table_;
  Profile& profile_;
  std::map<std::string, int, std::less<>> columns_;
  std::optional<Database::Statement> statement_;
  std::uint64_t row_ = 0;
};

}  // namespace gdsim
