#pragma once

#include "support/random_runs.hpp"
#include "support/random_values.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

// Values that a library user might build by mistake: drawn, and put into a run that was valid.

namespace gdsim::testing {

/// Zeros, ones, borders, negatives when they are signed, and huge numbers.
template <class Number>
Number hostile_number() {
  using Limits = std::numeric_limits<Number>;
  const auto some = between(0, 9);
  switch (some) {
    case 0: return 0;
    case 1: return 1;
    case 2: return Limits::max();
    case 3: return static_cast<Number>(Limits::max() - 1);
    case 4: return Limits::min();
    case 5: return static_cast<Number>(~Number{0});
    case 6: return static_cast<Number>(Limits::max() / 2 + 1);
    case 7: return static_cast<Number>(between(2, 9));
    case 8: return static_cast<Number>(Number{1} << (sizeof(Number) * 4));
    default: return static_cast<Number>(between(10, 100));
  }
}

template <class Enum>
Enum hostile_enum() {
  return static_cast<Enum>(hostile_number<std::underlying_type_t<Enum>>());
}

template <class Quantity>
Quantity hostile_quantity() {
  return Quantity{hostile_number<std::int64_t>()};
}

template <class Value, class Make>
std::optional<Value> perhaps(Make make) {
  return between(0, 2) == 0 ? std::nullopt : std::optional<Value>(make());
}

template <class Value, class Make>
std::vector<Value> some(Make make) {
  std::vector<Value> values;
  for (int i = between(0, 3); i > 0; --i) values.push_back(make());
  return values;
}

template <class Id>
std::vector<Id> hostile_ids() {
  return some<Id>([] { return Id{hostile_number<std::uint32_t>()}; });
}

Decimal hostile_decimal();
StepTime hostile_time();
CoreSelection hostile_cores();
Program hostile_program(int depth);

// Each spoils one value, which may stay valid.

void spoil_device(DeviceSpec& device);
void spoil_rules(DispatchRules& rules);
void spoil_workload(Workload& workload);

}  // namespace gdsim::testing
