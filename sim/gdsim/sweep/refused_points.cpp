#include <gdsim/sweep/study_writers.hpp>

#include <gdsim/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace gdsim {
namespace {

/// The maximum number of points of a table that is read again for one sentence.
constexpr std::uint64_t kMaxPoints = 100'000;
/// The maximum number of proposed values.
constexpr std::size_t kMaxProposed = 12;
/// The maximum number of sizes tried for the proposal.
constexpr std::uint64_t kMaxTried = 100'000;

/// The cause of a refusal, if a proposal for it exists. It is derived from the message, because a store has only that.
enum class RefusalCause : std::uint8_t { uneven, sub_group, too_large, dimensions, other };
constexpr std::size_t kCauses = 5;
constexpr std::array<std::string_view, kCauses> kPhrases{" is not a multiple of local ", " is not a sub-group size of ",
                                                         " allows at most ", " than global (", ""};

std::size_t place_of(std::string_view reason, RefusalCause cause) {
  return reason.find(kPhrases[static_cast<std::size_t>(cause)]);
}

/// Returns true for `a work-group has 576 work-items, xe-lp-tgl allows at most 512`, but false for a limit by
/// registers.
bool is_too_large(std::string_view reason) {
  const std::string_view head = reason.substr(0, place_of(reason, RefusalCause::too_large));
  return head.size() < reason.size() && head.substr(0, head.rfind(", ")).ends_with(" work-items");
}

RefusalCause cause_of(std::string_view reason) {
  if (is_too_large(reason)) return RefusalCause::too_large;  // often uneven, too: a divisor would not be enough
  for (const RefusalCause cause : {RefusalCause::dimensions, RefusalCause::sub_group, RefusalCause::uneven})
    if (place_of(reason, cause) != std::string_view::npos) return cause;
  return RefusalCause::other;
}

std::optional<std::uint64_t> whole(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

constexpr std::string_view kDigits = "0123456789";

/// Returns the number before or after a phrase of the message, or nullopt.
std::optional<std::uint64_t> number_before(std::string_view message, std::string_view phrase) {
  const std::string_view head = message.substr(0, message.find(phrase));
  return whole(head.substr(head.find_last_not_of(kDigits) + 1));
}

std::optional<std::uint64_t> number_behind(std::string_view message, std::string_view phrase) {
  const std::size_t at = message.find(phrase);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view tail = message.substr(at + phrase.size());
  return whole(tail.substr(0, tail.find_first_not_of(kDigits)));
}

/// The refused points of a table, by cause.
struct Refused {
  std::array<std::uint64_t, kCauses> counts{};
  std::array<std::optional<StudyRow>, kCauses> first;

  RefusalCause most_frequent() const {
    return static_cast<RefusalCause>(std::max_element(counts.begin(), counts.end()) - counts.begin());
  }
};

class Proposal {
 public:
  Proposal(const StudyTable& table, RefusalCause cause, const StudyRow& example)
      : table_(table), space_(table.space()), cause_(cause), example_(example), reason_(example.result.reason) {}

  /// `: --vary local=64,128`; empty if nothing can be proposed.
  std::string text() const {
    switch (cause_) {
      case RefusalCause::uneven: return of_divisors();
      case RefusalCause::sub_group: return of_sub_groups();
      case RefusalCause::too_large: return of_limit();
      case RefusalCause::dimensions: return of_lists();
      case RefusalCause::other: return of_ok_points();
    }
    return {};
  }

 private:
  std::string_view phrase() const { return kPhrases[static_cast<std::size_t>(cause_)]; }

  /// Returns the axis with this number among its values in the example, or null.
  const Axis* axis_with(std::optional<std::uint64_t> number) const {
    for (std::size_t i = 0; number && i < space_.axes().size(); ++i)
      if (space_.value(example_.ordinal, i) == std::to_string(*number)) return &space_.axes()[i];
    return nullptr;
  }

  static std::string vary(const Axis& axis, const std::vector<std::string>& values, std::string_view separator) {
    if (values.empty()) return {};
    std::string list;
    for (std::size_t i = 0; i < std::min(values.size(), kMaxProposed); ++i)
      list += (i > 0 ? std::string(separator) : "") + values[i];
    const bool needs_quotes = separator == ";";
    const std::string quote = needs_quotes ? "'" : "";
    return printable(fmt::format(": `--vary {}{}={}{}`", quote, axis.name, list, quote));
  }

  /// Proposes divisors of the global size within the varied range, without those that are refused for another cause.
  std::string of_divisors() const {
    const auto global = number_before(reason_, phrase());
    const Axis* axis = axis_with(number_behind(reason_, phrase()));
    if (axis == nullptr || !global || space_.axes().size() > 1) return {};
    std::vector<std::uint64_t> numbers;
    for (const std::string& value : axis->values)
      if (const auto number = whole(value); number && *number > 0) numbers.push_back(*number);
    const std::uint64_t step = std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0},
                                               [](auto a, auto b) { return std::gcd(a, b); });
    const std::set<std::string> refused = refused_values();
    std::vector<std::string> values;
    const std::uint64_t max = std::min(*global, *std::max_element(numbers.begin(), numbers.end()));
    for (std::uint64_t i = 1; i <= std::min(max / step, kMaxTried); ++i)
      if (const std::uint64_t size = i * step; *global % size == 0 && refused.count(std::to_string(size)) == 0)
        values.push_back(std::to_string(size));
    return vary(*axis, values, ",");
  }

  /// Proposes the device's sizes, which are in brackets after its name.
  std::string of_sub_groups() const {
    const Axis* axis = axis_with(number_before(reason_, phrase()));
    const std::size_t open = reason_.find('(', reason_.find(phrase()));
    const std::size_t close = reason_.find(')', open);
    if (axis == nullptr || close == std::string_view::npos) return {};
    std::string sizes(reason_.substr(open + 1, close - open - 1));
    std::erase(sizes, ' ');
    return vary(*axis, {sizes}, ",");
  }

  std::string of_limit() const {
    const auto max = number_behind(reason_, phrase());
    return max ? fmt::format(": at most {} work-items are allowed", *max) : std::string();
  }

  /// Proposes `64` as `[1,1,64]`.
  std::string of_lists() const {
    const auto dimensions = number_behind(reason_, phrase());
    if (!dimensions || space_.axes().size() != 1) return {};
    std::string ones;
    for (std::uint64_t i = 1; i < *dimensions && i < 3; ++i) ones += "1,";
    std::vector<std::string> values;
    for (const std::string& value : space_.axes().front().values)
      if (whole(value)) values.push_back("[" + ones + value + "]");
    return vary(space_.axes().front(), values, ";");
  }

  /// Proposes the values of the only axis that are ok.
  std::string of_ok_points() const {
    if (space_.axes().size() != 1) return {};
    std::vector<std::string> values;
    table_.for_each([&](const StudyRow& row) {
      if (row.result.status == PointStatus::ok) values.push_back(space_.value(row.ordinal, 0));
    });
    return vary(space_.axes().front(), values, ",");
  }

  std::set<std::string> refused_values() const {
    std::set<std::string> values;
    table_.for_each([&](const StudyRow& row) {
      if (row.result.status == PointStatus::refused) values.insert(space_.value(row.ordinal, 0));
    });
    return values;
  }

  const StudyTable& table_;
  const PointSpace& space_;
  RefusalCause cause_;
  const StudyRow& example_;
  std::string_view reason_;
};

std::string words_for(RefusalCause cause, std::string_view reason) {
  switch (cause) {
    case RefusalCause::uneven: return "global is not a multiple of local";
    case RefusalCause::sub_group: return "the device has no such sub-group size";
    case RefusalCause::too_large: return "the work-group is too large";
    case RefusalCause::dimensions: return "local has another number of dimensions than global";
    case RefusalCause::other: return printable(std::string(reason.substr(0, reason.find(';'))));
  }
  return {};
}

}  // namespace

std::string refused_sentence(const StudyTable& table) {
  const std::uint64_t count = table.count(PointStatus::refused);
  if (count == 0 || count * 2 < table.points() || table.rows() != table.points() || table.points() > kMaxPoints)
    return {};
  Refused refused;
  table.for_each([&](const StudyRow& row) {
    if (row.result.status != PointStatus::refused) return;
    const auto cause = static_cast<std::size_t>(cause_of(row.result.reason));
    if (refused.counts[cause]++ == 0) refused.first[cause] = row;
  });
  const RefusalCause cause = refused.most_frequent();
  const auto number = static_cast<std::size_t>(cause);
  const StudyRow& example = *refused.first[number];
  const std::string share = refused.counts[number] == count ? "" : fmt::format("{} of them ", refused.counts[number]);
  return fmt::format("{} of {} points are refused, {}because {}{}.", count, table.points(), share,
                     words_for(cause, example.result.reason), Proposal(table, cause, example).text());
}

}  // namespace gdsim
