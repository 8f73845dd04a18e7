#include <gdsim/device/arithmetic_rule.hpp>

#include <algorithm>

namespace gdsim {
namespace {

constexpr std::uint64_t kMillion = 1'000'000;

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

}  // namespace

bool is_kind_name(std::string_view kind) {
  const bool is_key = kind == "l1" || kind == "mma" || kind == "count";
  return !kind.empty() && !is_key && is_lower(kind.front()) && std::all_of(kind.begin(), kind.end(), [](char c) {
    return is_lower(c) || c == '_' || (c >= '0' && c <= '9');
  });
}

bool is_tensor_kind(std::string_view kind) { return kind.starts_with("tensor_"); }

bool is_arithmetic_rate(const Decimal& rate) {
  return !rate.is_zero() && compare(rate, Decimal::whole(kMillion)) <= 0 && is_whole(rate, kMillion);
}

const Decimal* rate_of(const ArithmeticRule& arithmetic, std::string_view kind) {
  const auto found = std::find_if(arithmetic.begin(), arithmetic.end(),
                                  [kind](const ArithmeticRate& rate) { return rate.kind == kind; });
  return found == arithmetic.end() ? nullptr : &found->per_cycle;
}

std::string_view pipe_of(const ArithmeticRate& rate) {
  if (!rate.pipe.empty()) return rate.pipe;
  return is_tensor_kind(rate.kind) ? std::string_view("tensor") : std::string_view(rate.kind);
}

}  // namespace gdsim
