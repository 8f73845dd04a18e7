#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace gdsim {

/// Return the values for which the other checks are not defined: negative amounts, zero divisors, products beyond their
/// range, invalid enumerators and invalid ids. Readers of files refuse them earlier, with their own messages; a caller
/// can pass any value. Values without such issues can be passed to the other checks.
Issues check_device_values(const DeviceSpec& device);
Issues check_rules_values(const DispatchRules& rules, const std::string& path);
Issues check_kernel_values(const Kernel& kernel, std::size_t index, std::size_t kernels);
Issues check_queue_values(const Queue& queue, std::size_t index);
Issues check_launch_values(const Workload& workload, std::size_t index);

/// The maximum amount of memory: sums of a few such amounts stay in 63 bits.
inline constexpr std::int64_t kMaxBytes = std::int64_t{1} << 60;

/// Checks single values of any origin, and collects their problems.
class ValueChecker {
 public:
  void fail(std::string path, std::string message) { found_.push_back({std::move(path), std::move(message)}); }

  void count(const std::string& path, std::uint64_t value, std::uint64_t min, std::uint64_t max) {
    if (value < min || value > max)
      fail(path,
           "is " + std::to_string(value) + "; it must be from " + std::to_string(min) + " to " + std::to_string(max));
  }
  void amount(const std::string& path, std::int64_t value, std::int64_t min, std::int64_t max) {
    if (value < min || value > max)
      fail(path,
           "is " + std::to_string(value) + "; it must be from " + std::to_string(min) + " to " + std::to_string(max));
  }
  void bytes(const std::string& path, Bytes value, std::int64_t min = 0) { amount(path, value.count, min, kMaxBytes); }
  /// Checks that the time is not negative.
  void time(const std::string& path, Duration value) { amount(path, value.count, 0, INT64_MAX); }
  void time(const std::string& path, SimTime value) { time(path, since_start(value)); }
  /// Checks that parse_decimal() could have read the value, possibly in a unit of time.
  void decimal(const std::string& path, const Decimal& value) {
    constexpr int max_exponent = 80;
    UInt128 limit = 1;
    for (int i = 0; i < 36; ++i) limit *= 10;
    if (value.digits >= limit || value.exponent < -max_exponent || value.exponent > max_exponent)
      fail(path, "has more than 36 digits, or an exponent beyond 80");
  }
  void step_time(const std::string& path, const StepTime& value) {
    decimal(path, value.amount);
    enumerator(path, value.unit, StepTime::Unit::cycles);
  }
  /// Checks an enumeration without gaps, up to `last`.
  template <class Enum>
  void enumerator(const std::string& path, Enum value, Enum last) {
    using Number = std::underlying_type_t<Enum>;
    if (static_cast<Number>(value) > static_cast<Number>(last))
      fail(path, "is " + std::to_string(static_cast<Number>(value)) + ", which names nothing; the last that does is " +
                     std::to_string(static_cast<Number>(last)));
  }
  /// Checks a position in a list of `size` items called `what`.
  void id(const std::string& path, std::size_t index, std::size_t size, const char* what) {
    if (index >= size)
      fail(path, "there is no " + std::string(what) + " " + std::to_string(index) + "; the workload has " +
                     std::to_string(size) + ", numbered from 0");
  }

  bool empty() const { return found_.empty(); }
  std::size_t size() const { return found_.size(); }
  Issues take() { return std::move(found_); }

 private:
  Issues found_;
};

}  // namespace gdsim
