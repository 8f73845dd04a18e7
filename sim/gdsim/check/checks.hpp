#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/mapping_keys.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/program/flat_program.hpp>
#include <gdsim/workload/kernel.hpp>
#include <gdsim/workload/launch_graph.hpp>
#include <gdsim/workload/program.hpp>
#include <gdsim/workload/workload.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace gdsim {

/// The ops of threads that take one path through a program, from flatten(), with `first_op` 0.
using Path = std::vector<PlannedOp>;

/// A loop that threads execute at one instant.
struct TimelessLoop {
  std::size_t path = 0;
  std::uint32_t line = 0;
  std::uint64_t iterations = 0;  ///< with those of the loops inside it; 2^64 - 1 means at least that number
};

/// The maximum of iterations at one instant: they have to be executed one by one.
inline constexpr std::uint64_t kMaxTimelessIterations = 65'536;

/// Returns true if some loop of the path contains no op that takes time by itself, and has too many iterations.
bool may_be_timeless(const Path& path);

/// Returns the first loop of the first path that takes no time and has more iterations than are allowed, or nullopt if
/// there is none. `paths` must be all paths of a work-group. A loop takes time if it has a step that takes time, or a
/// barrier with a cost, or one at which others arrive only after steps that take time.
std::optional<TimelessLoop> first_timeless_loop(std::span<const Path> paths, bool barriers_cost_time);

/// The phases of a barrier are counted in 64 bits. Those of a thread are multiplied by iterations of loops.
inline constexpr std::uint64_t kMaxPhases = std::numeric_limits<std::int64_t>::max();

/// Returns the line of the path's first op with which a thread arrives at a barrier, or waits for it, more than
/// kMaxPhases times; nullopt if there is none.
std::optional<std::uint32_t> first_with_too_many_phases(const Path& path);

/// Returns what is wrong with the signals and flags of a program, with paths from `program` on: names whose signals
/// disagree on `initially`, and flags of the launch that no step signals.
Issues check_signals(const Program& program);

/// Returns why a load cannot serve so many work-groups.
std::string fault_of_multicast(std::uint64_t multicast, std::uint64_t cluster);

/// Returns all reasons why nothing can run on `device`. Paths begin with `device`.
Issues check_device(const DeviceSpec& device);

/// Returns the values of plain keys, besides those of dispatch, that their schema does not allow. Of times that may
/// count cycles, whether they are too long under the clock of `under_clock`, or, if it is null, are no numbers.
Issues check_keys(const DeviceSpec& device, const DeviceSpec* under_clock);

/// Returns the problems with the grouping of a device's cores. Paths are relative to the device.
Issues check_core_groups(const DeviceSpec& device);

/// Returns the problems with the clusters of a device whose core groups have no issue.
Issues check_cluster_rule(const DeviceSpec& device);

/// Appends the names of the device's levels to `known`, for a message: "device, core, stack".
std::string known_levels(const DeviceSpec& device, std::string known);

/// Returns why the clock of a device cannot follow its power. Paths begin with the device's field.
Issues check_power(const DeviceSpec& device);

/// Returns the problems with the coefficient of variation of a draw, each as the rest of a sentence: `is more than 10`.
/// Beyond these bounds, factors of 0 or less would have to be cut off, and the mean would not be 1.
std::vector<std::string> faults_of_cv(const Draw& draw);

/// The parts of a kernel whose values are known, besides its range.
struct KnownParts {
  bool needs = true;
  bool program = true;
};

/// Returns the problems with one kernel, independently of the others. `index` is its position in the workload. Without
/// a device, only the range is checked. The device may have no issue.
Issues check_kernel(const Kernel& kernel, std::size_t index, const DeviceSpec* device, KnownParts known = {});

/// Returns why the clusters of a launch could never be placed although they fit on the device: the rules and the
/// launch's own cores leave too few cores together. The device must refuse none of the kernels.
Issues check_clusters(const Workload& workload, std::size_t launch, const DeviceSpec& device,
                      const DispatchRules& rules);

/// Returns the problems with one launch, or with one queue, on this device, independently of the others.
Issues check_launch(const Workload& workload, std::size_t index, const DeviceSpec& device, const DispatchRules& rules);
Issues check_queue(const Workload& workload, std::size_t index, const DeviceSpec& device, const DispatchRules& rules);

/// Returns the cycles of launches that wait for each other: one for each set of launches that reach each other. The
/// kernels may have issues. The graph must be that of the workload.
Issues check_order(const Workload& workload, const LaunchGraph& graph);

/// Returns an issue for each cycle of kernels that launch each other, and for too many generations of children: the
/// device's limit counts if it is known.
Issues check_children(const std::vector<Kernel>& kernels, const DeviceSpec* device);
/// Refuses buffers that take more than the device's memory, if its capacity is known. Counts buffers of known size. A
/// copy between host and device that lists one buffer shows how large that buffer is at least.
Issues check_buffers(const Workload& workload, const DeviceSpec& device);
/// Checks all launches together: returns an issue for each one with the name of another launch's child, and for each
/// sum over all that leaves its range. Kernels must have no issue. Children must have been added.
Issues check_all_launches(const Workload& workload);

/// Returns the problems with the rules of preemption on the device.
Issues check_preemption(const DeviceSpec& device, const DispatchRules& rules);

/// Returns the parts of the workload that cannot be preempted under the rules, which must have passed
/// check_preemption(): processes that wait for each other, or that share things of which each needs one. `graph` must
/// be the workload's.
Issues check_processes(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload,
                       const LaunchGraph& graph);

/// Returns the message for a kind of arithmetic that the device lacks. It lists the device's kinds, if there are any.
std::string unknown_kind(const std::string& kind, const DeviceSpec& device);

/// Returns why a ProgramPlan cannot be made, or why its threads would never end. Neither the kernel's range nor the
/// device may have an issue.
Issues check_program(const Kernel& kernel, std::size_t index, const DeviceSpec& device);

/// Returns why the kernel's program cannot have this step `tiles` at `field` on any device; bodies are checked only for
/// forbidden steps.
Issues check_tiles(const Tiles& tiles, const Kernel& kernel, const std::string& field);

/// Checks that kernels that name the same list of tiles, and so share it, declare it alike.
Issues check_tile_lists(const std::vector<Kernel>& kernels);

/// Returns why the clocks of a device are not a valid ClockSchedule. Paths begin with the device's field.
Issues check_clock(const DeviceSpec& device);

/// `, from 5 ms on, when the clock is 1.41 GHz`: appended to an issue that only a later clock has.
std::string clock_words(const ClockChange& change);

/// Returns the issues of `check(device)`; if there are none, those under its lowest clock, then those under its
/// highest. Under all other clocks, lengths in cycles lie in between.
template <class Check>
Issues check_under_clocks(const DeviceSpec& device, Check check) {
  Issues found = check(device);
  for (const ClockChange& change : extreme_clocks(device)) {
    if (!found.empty()) break;
    found = check(under_clock(device, change.clock));
    for (Issue& issue : found) issue.message += clock_words(change);
  }
  return found;
}

/// Returns the problems with dispatch rules. `placements` are the names of the known placements.
Issues check_dispatch(const DispatchRules& rules, std::span<const std::string_view> placements);

/// Returns why the timing and the order of `rules` are invalid on `device`. Paths begin with `dispatch`.
Issues check_timing(const DeviceSpec& device, const DispatchRules& rules);

/// Returns all rules of a run that the device cannot obey. A scenario may still override the device's own ones.
Issues check_rules_in_force(const DeviceSpec& device, const DispatchRules& rules);

/// Returns why a time of a device cannot be used on it, or nullopt if it can.
std::optional<std::string> time_fault(const DeviceSpec& device, const StepTime& time,
                                      Duration max = Duration{kPicosecondsPerSecond});

/// Returns true if `cores` lists every core from 0 to `count` - 1 exactly once.
bool names_every_core(std::vector<CoreId> cores, std::uint32_t count);

/// Return the values for which the other checks are not defined: negative amounts, zero divisors, products beyond their
/// range, invalid enumerators and invalid ids. Readers of files refuse them earlier, with their own messages; a caller
/// can pass any value. Values without such issues can be passed to the other checks.
Issues check_device_values(const DeviceSpec& device);
Issues check_rules_values(const DispatchRules& rules, const std::string& path);
Issues check_kernel_values(const Kernel& kernel, std::size_t index, std::size_t kernels);
/// Returns the values of plain keys that their schema does not allow.
Issues check_kernel_keys(const Kernel& kernel, std::size_t index);
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
  /// Checks a position in a list of `size` items of this name.
  void id(const std::string& path, std::size_t index, std::size_t size, const char* item) {
    if (index >= size)
      fail(path, "there is no " + std::string(item) + " " + std::to_string(index) + "; the workload has " +
                     std::to_string(size) + ", numbered from 0");
  }

  /// Checks the members of a struct that have plain keys. Times that may count cycles depend on the device's clock: if
  /// there is no device, only that they are numbers is checked.
  template <HasKeys Rule>
  void keys(const std::string& path, const MappingKeys& known, const Rule& rule, const DeviceSpec* device = nullptr) {
    visit_keys(rule, [&](std::string_view name, const auto& value) {
      key({path, name}, known.facts_of(name), value, device);
    });
  }

  /// The place of a value, whose text is needed only if it is wrong.
  struct Place {
    std::string_view path;
    std::string_view name;

    operator std::string() const { return std::string(path) + "." + std::string(name); }
  };

  /// Checks a value of a plain key, or those of a mapping or a list of such.
  template <class Value>
  void key(const Place& place, const KeyFacts& facts, const Value& value, const DeviceSpec* device = nullptr) {
    if constexpr (HasKeys<Value>) {
      keys(place, *facts.inner, value, device);
    } else if constexpr (HasWords<Value>) {
      if (static_cast<std::size_t>(value) >= words_of(value).size())
        enumerator(place, value, static_cast<Value>(words_of(value).size() - 1));
    } else if constexpr (std::is_same_v<Value, StepTime>) {
      if (device == nullptr) return step_time(place, value);
      if (auto fault = time_fault(*device, value, Duration{static_cast<std::int64_t>(facts.range.max)}))
        fail(place, std::move(*fault));
    } else if constexpr (std::is_same_v<Value, Decimal>) {
      decimal(place, value);
    } else if constexpr (std::is_unsigned_v<Value>) {
      // The largest number that a schema can name stands for no limit.
      constexpr std::uint64_t no_limit = std::numeric_limits<std::int64_t>::max();
      if (value < facts.range.min || (value > facts.range.max && facts.range.max != no_limit))
        fail_range(place, facts, std::to_string(value), std::to_string(facts.range.min),
                   std::to_string(facts.range.max));
    } else if constexpr (!std::is_same_v<Value, std::string>) {
      const auto min = static_cast<std::int64_t>(facts.range.min);
      auto max = static_cast<std::int64_t>(facts.range.max);
      if constexpr (std::is_same_v<Value, Bytes>) max = std::min(max, kMaxBytes);
      if (value.count < min || value.count > max)
        fail_range(place, facts, to_text(value), to_text(Value{min}), to_text(Value{max}));
    }
  }
  void key(const Place&, const KeyFacts&, bool, const DeviceSpec* = nullptr) {}
  template <class Value>
  void key(const Place& place, const KeyFacts& facts, const std::optional<Value>& value,
           const DeviceSpec* device = nullptr) {
    if (value) key(place, facts, *value, device);
  }
  template <class Value>
  void key(const Place& place, const KeyFacts& facts, const std::vector<Value>& items,
           const DeviceSpec* device = nullptr) {
    for (std::size_t i = 0; i < items.size(); ++i) key({place.path, item_path(place.name, i)}, facts, items[i], device);
  }

  bool empty() const { return found_.empty(); }
  std::size_t size() const { return found_.size(); }
  Issues take() { return std::move(found_); }

 private:
  void fail_range(const std::string& path, const KeyFacts& facts, const std::string& value, const std::string& min,
                  const std::string& max) {
    fail(path, "is " + value + "; it must be from " + min + " to " + max +
                   (facts.example.empty() ? "" : ", as in `" + std::string(facts.example) + "`"));
  }

  Issues found_;
};

/// Checks the plain keys of dispatch rules, see check_keys(). Paths begin with `path`.
void check_rule_keys(const DispatchRules& rules, const std::string& path, const DeviceSpec* under_clock,
                     ValueChecker& out);

}  // namespace gdsim
