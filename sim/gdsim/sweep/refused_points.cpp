#include <gdsim/sweep/study_writers.hpp>

#include <gdsim/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {
namespace {

/// The maximum number of points of a table that is read again for one sentence.
constexpr std::uint64_t kMaxPoints = 100'000;
/// The maximum number of proposed values.
constexpr std::size_t kMaxProposed = 12;

/// Refused points whose reasons differ in numbers at most.
struct RefusedAlike {
  std::uint64_t count = 0;
  std::string first_reason;
};

/// Returns the reason without its digits.
std::string without_digits(std::string reason) {
  std::erase_if(reason, is_digit);
  return reason;
}

RefusedAlike most_frequent(const StudyTable& table) {
  std::map<std::string, RefusedAlike> by_reason;
  table.for_each([&](const StudyRow& row) {
    if (row.result.status != PointStatus::refused) return;
    RefusedAlike& alike = by_reason[without_digits(row.result.reason)];
    if (alike.count++ == 0) alike.first_reason = row.result.reason;
  });
  const auto most = std::max_element(by_reason.begin(), by_reason.end(),
                                     [](const auto& a, const auto& b) { return a.second.count < b.second.count; });
  return most->second;
}

/// Returns a word of a command as a person types it: in single quotes where a shell needs them.
std::string in_shell(const std::string& word) {
  const bool is_plain = std::all_of(word.begin(), word.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("_.,:=-").find(c) != std::string::npos;
  });
  if (is_plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// `; ok: --vary local=64,128`: the values of the only axis that are not refused, and how many more there are. Empty if
/// there is none. A single list would be read as several values of --vary.
std::string accepted_values(const StudyTable& table) {
  const PointSpace& space = table.space();
  if (space.axes().size() != 1) return {};
  std::vector<std::string> values;
  std::size_t more = 0;
  table.for_each([&](const StudyRow& row) {
    if (row.result.status != PointStatus::ok) return;
    if (values.size() == kMaxProposed)
      ++more;
    else
      values.push_back(space.value(row.ordinal, 0));
  });
  if (values.empty()) return {};
  const bool has_lists = std::any_of(values.begin(), values.end(),
                                     [](const std::string& value) { return value.find(',') != std::string::npos; });
  const std::string option = has_lists && values.size() == 1 ? "--set " : "--vary ";
  const std::string list = fmt::format("{}={}", space.axes().front().name, fmt::join(values, has_lists ? ";" : ","));
  return printable("; ok: `" + option + in_shell(list) + "`" + (more == 0 ? "" : fmt::format(", and {} more", more)));
}

}  // namespace

std::string refused_sentence(const StudyTable& table) {
  const std::uint64_t count = table.count(PointStatus::refused);
  if (count == 0 || count * 2 < table.points() || table.rows() != table.points() || table.points() > kMaxPoints)
    return {};
  const RefusedAlike alike = most_frequent(table);
  const std::string share = alike.count == count ? "" : fmt::format("{} of them ", alike.count);
  const std::string reason = alike.first_reason.substr(0, alike.first_reason.find(';'));
  return fmt::format("{} of {} points are refused, {}as the first: {}{}.", count, table.points(), share,
                     printable(reason), accepted_values(table));
}

}  // namespace gdsim
