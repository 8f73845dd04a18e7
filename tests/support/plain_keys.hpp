#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/mapping_keys.hpp>
#include <gdsim/device/device_spec.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

// The plain keys of a struct, whatever they are, so that a test has no line for each.

namespace gdsim::testing {

/// Calls `visit` with the path, the facts and the value of each plain key below a value. If a path is `wanted`, only
/// for this one. Values and items that do not exist are made on the way.
template <class Visit>
class KeyVisitor {
 public:
  KeyVisitor(Visit visit, std::string wanted) : visit_(visit), wanted_(std::move(wanted)) {}

  template <class Value>
  void operator()(const std::string& path, const KeyFacts& facts, Value& value) {
    if (!wanted_.starts_with(path) && !wanted_.empty()) return;
    if constexpr (HasKeys<Value>) {
      visit_keys(value, [&](std::string_view key, auto& member) {
        (*this)(path + "." + std::string(key), facts.inner->facts_of(key), member);
      });
    } else if (wanted_.empty() || wanted_ == path) {
      visit_(path, facts, value);
    }
  }
  template <class Value>
  void operator()(const std::string& path, const KeyFacts& facts, std::optional<Value>& value) {
    if (!wanted_.starts_with(path) && !wanted_.empty()) return;
    if (!value) value.emplace();
    (*this)(path, facts, *value);
  }
  template <class Value>
  void operator()(const std::string& path, const KeyFacts& facts, std::vector<Value>& items) {
    if (!wanted_.starts_with(path) && !wanted_.empty()) return;
    if (items.empty()) items.emplace_back();
    (*this)(item_path(path, 0), facts, items.front());
  }

 private:
  Visit visit_;
  std::string wanted_;
};

/// Calls `visit` with the path, the facts and the value of each plain key of a struct, or of the `wanted` one alone:
/// `.variation.cv`.
template <class Rule, class Visit>
void visit_rule(Rule& rule, const MappingKeys& known, Visit visit, const std::string& wanted = {}) {
  KeyVisitor<Visit>(visit, wanted)("", KeyFacts{{}, {}, &known, false, false}, rule);
}

/// As visit_rule(), of a device:
/// `device.memory.levels[0].latency`.
template <class Visit>
void visit_device(DeviceSpec& device, Visit visit, const std::string& wanted = {}) {
  KeyVisitor<Visit> visitor(visit, wanted);
  const auto visit_one = [&](std::string_view key, auto& value) {
    visitor("device." + std::string(key), keys::kDevice.facts_of(key), value);
  };
  visit_keys(device, visit_one);
  visit_parts(device, visit_one);
  visit_one("dispatch", device.dispatch);
}

/// Sets a value to a number of its smallest units. Returns false if it is no number.
template <class Value>
bool set_number(Value& value, std::uint64_t number) {
  if constexpr (std::is_same_v<Value, StepTime>)
    value = {Decimal::whole(number), StepTime::Unit::picoseconds};
  else if constexpr (std::is_unsigned_v<Value> && !std::is_same_v<Value, bool>)
    value = static_cast<Value>(number);
  else if constexpr (requires { value.count; })
    value.count = static_cast<std::int64_t>(number);
  else
    return false;
  return true;
}

}  // namespace gdsim::testing
