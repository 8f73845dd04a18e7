#include <gdsim/import/profiles/sqlite/sqlite_profile.hpp>

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/database/database.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {

bool is_sqlite(const ProfileInput& input) {
  return input.head().starts_with(std::string_view("SQLite format 3\0", 16));
}

void read_sqlite_profile(const ProfileInput& input, Profile& profile) {
  if (input.path().empty()) input.fail("is a database, which is read from a file only");
  if (input.is_gzip()) input.fail("is a database that is compressed; decompress it first: gunzip " + input.name());
  Database database = Database::to_read(input.path(), *input.budget());
  if (is_nsys_database(database)) return read_nsys_database(database, profile);
  if (is_rocpd_database(database)) return read_rocpd_database(database, profile);
  if (database.has_table("rocpd_op"))
    input.fail(
        "is a trace of rocmProfileData (rpd), which does not hold the sizes of kernels; record with "
        "`rocprofv3 --kernel-trace --memory-copy-trace` instead");
  input.fail(
      "is a database, but no profile: it has neither the tables CUPTI_ACTIVITY_KIND_KERNEL and StringIds of Nsight "
      "Systems nor the view `kernels` of rocprofv3; was the profile made with --trace=cuda?");
}

ProfileRows::ProfileRows(Database& database, const std::string& table, const std::vector<std::string>& wanted,
                         Profile& profile)
    : table_(table), profile_(profile) {
  const std::vector<std::string> existing = database.columns_of(table);
  const auto is_there = [&](const std::string& name) {
    return std::find(existing.begin(), existing.end(), name) != existing.end();
  };
  // The names come from this program, not from the file, so they need no escapes.
  std::string columns;
  for (const std::string& name : wanted) {
    if (!is_there(name)) continue;
    columns += (columns.empty() ? "\"" : ", \"") + name + "\"";
    columns_.emplace(name, static_cast<int>(columns_.size()));
  }
  if (columns.empty()) fail("none of the columns is there that such a profile has: " + wanted.front() + " and so on");
  statement_ = database.prepare("SELECT " + columns + " FROM \"" + table + "\"");
}

bool ProfileRows::next() {
  ++row_;
  return statement_->step();
}

std::optional<std::int64_t> ProfileRows::signed_number(std::string_view column) const {
  const auto known = columns_.find(column);
  if (known == columns_.end() || statement_->is_null(known->second)) return std::nullopt;
  if (!statement_->is_whole(known->second))
    fail(
        fmt::format("column '{}' is {}; a whole number is needed", column, in_quotes(statement_->text(known->second))));
  return statement_->number(known->second);
}

std::optional<std::uint64_t> ProfileRows::number(std::string_view column, std::uint64_t most) const {
  const auto value = signed_number(column);
  if (!value) return std::nullopt;
  if (*value < 0 || static_cast<std::uint64_t>(*value) > most)
    fail(fmt::format("column '{}' is {}; a number from 0 to {} is needed", column, *value, most));
  return static_cast<std::uint64_t>(*value);
}

std::string ProfileRows::text(std::string_view column) const {
  const auto known = columns_.find(column);
  return known == columns_.end() ? std::string() : statement_->text(known->second);
}

bool ProfileRows::read_times(ProfiledLaunch& launch) {
  constexpr Int128 nanosecond = 1'000;
  const auto start = signed_number("start");
  const auto end = signed_number("end");
  const bool is_lost = start && end && (*end < *start || (*start == 0 && *end == 0));
  if (is_lost)
    ++profile_.left_out["rows of " + table_ + " whose times the profiler lost (both 0, or an end before the start)"];
  if (start) launch.start = Int128{*start} * nanosecond;
  if (is_lost || !start || !end) return !is_lost;
  const Int128 duration = (Int128{*end} - *start) * nanosecond;
  if (duration > kMaxProfiledSpan) fail("it lasts longer than 50 days");
  launch.duration = static_cast<std::int64_t>(duration);
  return true;
}

void ProfileRows::fail(const std::string& message) const {
  throw InputError(
      {Diagnostic{"profile", fmt::format("table {}, row {}: {}", table_, row_, message), profile_.file, 0, 0, {}}});
}

}  // namespace gdsim
