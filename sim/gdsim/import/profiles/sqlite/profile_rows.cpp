#include <gdsim/import/profiles/sqlite/profile_rows.hpp>

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {

ProfileRows::ProfileRows(Database& database, const std::string& table, const std::vector<std::string>& wanted,
                         Profile& profile)
    : table_(table), profile_(profile) {
  const std::vector<std::string> there = database.columns_of(table);
  const auto is_there = [&](const std::string& name) {
    return std::find(there.begin(), there.end(), name) != there.end();
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

void ProfileRows::fail(const std::string& what) const {
  throw InputError(
      {Diagnostic{"profile", fmt::format("table {}, row {}: {}", table_, row_, what), profile_.file, 0, 0, {}}});
}

}  // namespace gdsim
