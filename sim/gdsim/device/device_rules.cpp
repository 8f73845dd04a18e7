#include <gdsim/device/device_rules.hpp>

#include <gdsim/base/check.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {

bool lacks(const DeviceSpec& device, std::string_view key) {
  return std::find(device.lacks.begin(), device.lacks.end(), key) != device.lacks.end();
}

std::string why_missing(const DeviceSpec& device, const Capability& capability) {
  if (lacks(device, capability.key))
    return fmt::format("{} has no {}, says its model (`{}: none`)", device.id, capability.name, capability.key);
  return fmt::format("the model of {} does not say {}: `device: {{base: {}, {}}}` does", device.id, capability.unsaid,
                     device.id, capability.line);
}

const FigureSource* figure_source_of(const DeviceSpec& device, std::string_view path) {
  const auto is_above = [path](std::string_view above) {
    return path.starts_with(above) && (path.size() == above.size() || path[above.size()] == '.');
  };
  const std::pair<std::string, FigureSource>* speaks = nullptr;
  for (const auto& source : device.sources)
    if (is_above(source.first) && (speaks == nullptr || speaks->first.size() < source.first.size())) speaks = &source;
  return speaks == nullptr ? nullptr : &speaks->second;
}

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

bool is_atomic_rate(const Decimal& rate) {
  return is_whole(rate, 1000) && !rate.is_zero() && compare(rate, Decimal::whole(1000)) <= 0;
}

StepTime cycles_in_turn(const Decimal& rate, std::uint64_t accesses, std::uint64_t addresses) {
  GDSIM_CHECK(is_atomic_rate(rate) && addresses > 0, "an atomic rate or a number of addresses is out of range");
  const auto thousandths = static_cast<UInt128>(*round_product({rate, Decimal::whole(1000)}));
  constexpr UInt128 millionths = 1'000'000;
  const UInt128 accesses_of_one = UInt128{accesses} * 1000 * millionths;
  const UInt128 served_per_cycle = thousandths * addresses;
  return {Decimal{(accesses_of_one + served_per_cycle - 1) / served_per_cycle, -6}, StepTime::Unit::cycles};
}

StepTime cycles_of_global_atomics(const AtomicRule& rule, std::uint64_t accesses, std::uint64_t addresses,
                                  bool is_float) {
  GDSIM_CHECK(rule.global.has_value(), "a device without a rate of global atomics has steps with them");
  const Decimal& rate = is_float && rule.global_float ? *rule.global_float : *rule.global;
  const StepTime of_an_address = cycles_in_turn(rate, accesses, addresses);
  if (!rule.global_total) return of_an_address;
  const StepTime of_all = cycles_in_turn(*rule.global_total, accesses, 1);
  return compare(of_an_address.amount, of_all.amount) < 0 ? of_all : of_an_address;
}

StepTime cycles_per_slm_atomic(const SlmAccess& slm, const Decimal& rate, std::uint32_t sub_group,
                               std::uint64_t addresses) {
  const StepTime full_rate{Decimal::whole(cycles_per_access(slm, sub_group, 1, 4)), StepTime::Unit::cycles};
  const std::uint64_t of_one_address = (sub_group + addresses - 1) / addresses;
  const StepTime in_turn = cycles_in_turn(rate, of_one_address * slm.accesses_per_cycle, 1);
  return compare(in_turn.amount, full_rate.amount) < 0 ? full_rate : in_turn;
}

Hertz clock_after(const PowerRule& rule, Int128 busy) {
  const Int128 allowed = Int128{rule.limit.count - rule.idle.count} * rule.period.count;
  const auto is_within = [&](const PowerRule::Level& level) { return busy * level.per_busy_context.count <= allowed; };
  const auto highest = std::find_if(rule.levels.rbegin(), rule.levels.rend(), is_within);
  return highest == rule.levels.rend() ? rule.levels.front().clock : highest->clock;
}

}  // namespace gdsim
