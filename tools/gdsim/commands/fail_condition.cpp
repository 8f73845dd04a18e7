#include "commands/fail_condition.hpp"
#include "options/options.hpp"
#include <gdsim/base/text.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <fmt/format.h>

#include <vector>

namespace gdsim::cli {
namespace {

constexpr const char* kExample = "; write it as in --fail-if 'duration > 5 %'";

/// Returns the number in ten-thousandths, rounded: figures of a summary have at most four decimals. Returns nullopt
/// from 10^30 on, which no figure reaches, so that 100 times the result fits into 128 bits.
std::optional<Int128> ten_thousandths(const Decimal& number) {
  if (compare(number, {1, 30}) >= 0) return std::nullopt;
  Int128 scaled = static_cast<Int128>(number.digits);
  int power = number.exponent + 4;
  for (; power > 0; --power) scaled *= 10;
  for (; power < -1; ++power) scaled /= 10;
  return power == 0 ? scaled : (scaled + 5) / 10;
}

/// Returns the number at a key of a summary, in ten-thousandths.
Int128 figure(const SourceText& summary, const std::string& key) {
  Diagnostics problems;
  const auto root = read_yaml(summary, problems);  // JSON is YAML
  problems.throw_if_any();
  const YamlNode* node = find_path(*root, key);
  std::vector<std::string_view> known{"duration"};
  for (const YamlEntry& entry : root->entries)
    if (entry.value.is_scalar() && parse_decimal(entry.value.text).value) known.push_back(entry.key);
  if (node == nullptr || !node->is_scalar())
    throw UsageError("--fail-if: " + summary.name() + " has no " + in_quotes(key) + "; " + known_names(key, known));
  const auto number = parse_decimal(node->text).value;
  if (!number) throw UsageError("--fail-if: " + in_quotes(key) + " is " + in_quotes(node->text) + ", no number");
  const auto scaled = ten_thousandths(*number);
  if (!scaled) throw UsageError("--fail-if: " + in_quotes(key) + " is " + node->text + ", more than any run can have");
  return *scaled;
}

}  // namespace

FailCondition::FailCondition(std::string text) : text_(std::move(text)) {
  const auto fail = [&](const std::string& what) {
    throw UsageError("--fail-if " + in_quotes(text_) + " " + what + kExample);
  };
  const std::size_t sign = text_.find_first_of("<>");
  if (sign == std::string::npos) fail("has no '>'");
  is_less_ = text_[sign] == '<';
  metric_ = trimmed(std::string_view(text_).substr(0, sign));
  std::string_view limit = trimmed(std::string_view(text_).substr(sign + 1));
  if (metric_.empty()) fail("names nothing to compare");
  if (!limit.ends_with('%')) fail("has no percentage");
  limit = trimmed(limit.substr(0, limit.size() - 1));
  if (is_less_) {
    if (!limit.starts_with('-'))
      fail("never holds but below: with '<', the percentage is negative, as in 'mean_occupancy_percent < -5 %'");
    limit.remove_prefix(1);
  }
  const Parsed<Decimal> number = parse_decimal(limit);
  if (!number.value) fail("has a percentage that " + number.problem);
  percent_ = *number.value;
  if (metric_ == "duration") metric_ = "duration_ns";
}

std::optional<std::string> FailCondition::failure(const SourceText& a, const SourceText& b) const {
  const Int128 of_a = figure(a, metric_), of_b = figure(b, metric_);
  const Int128 more = is_less_ ? of_a - of_b : of_b - of_a;
  if (more <= 0) return std::nullopt;
  const auto shown = [](Int128 value) { return to_fixed({static_cast<UInt128>(value), 10'000}, 4); };
  const std::string values =
      fmt::format("--fail-if '{}': {} is {} in a and {} in b", text_, metric_, shown(of_a), shown(of_b));
  if (of_a == 0) return values;
  // more / of_a > percent / 100, exactly.
  if (is_within_percent({static_cast<UInt128>(of_a) + static_cast<UInt128>(more), 1}, {static_cast<UInt128>(of_a), 1},
                        percent_))
    return std::nullopt;
  return fmt::format("{}: {} % {}", values, to_fixed({static_cast<UInt128>(more) * 100, static_cast<UInt128>(of_a)}, 2),
                     is_less_ ? "less" : "more");
}

}  // namespace gdsim::cli
