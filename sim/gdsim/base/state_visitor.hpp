#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/base/time_integral.hpp>

#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>

namespace gdsim {

/// Walks the mutable state of a model, field by field. Each class that changes during a run describes its fields once,
/// in `visit_state(StateVisitor&)`: each function of the visitor states how a field changes when the same state recurs.
/// The fingerprint of a state, its shift in time, and the growth of its accumulators all use this one description.
///
/// `visit_state` binds every member of its class by name, `auto& [first_, held_] = *this`, so a class with a new member
/// does not compile until the member is named there. A member that is not visited is passed to one of the functions
/// below that say why: constant(), derived(), scratch(), statistics(), elsewhere().
///
/// The visiting order must depend on the state alone: not on addresses, and not on indices that are reused.
class StateVisitor {
 public:
  virtual ~StateVisitor() = default;

  /// A field that is the same whenever the state recurs: a count, a flag, an id, or a span of time.
  template <class T>
  requires std::integral<T> || std::is_enum_v<T>
  void plain(T& field) {
    auto word = static_cast<std::uint64_t>(field);
    on_plain(word);
    field = static_cast<T>(word);
  }
  void plain(Duration& span) { plain(span.count); }
  void plain(UInt128& wide) {
    auto high = static_cast<std::uint64_t>(wide >> 64U);
    auto low = static_cast<std::uint64_t>(wide);
    on_plain(high);
    on_plain(low);
    wide = static_cast<UInt128>(high) << 64U | low;
  }
  /// A value that the visit itself depends on, not a field: the number of the entries that follow, or their owner. It
  /// is the same whenever the state recurs.
  template <class T>
  requires std::integral<T> || std::is_enum_v<T>
  void shape(T word) { on_shape(static_cast<std::uint64_t>(word)); }

  // Why members of a class are not visited. These do nothing.
  /// They never change while a run is fast-forwarded.
  static void constant(const auto&...) {}
  /// They follow from what is visited.
  static void derived(const auto&...) {}
  /// Their values are used within one call or instant only.
  static void scratch(const auto&...) {}
  /// No result depends on them.
  static void statistics(const auto&...) {}
  /// Another function visits them: that of their owner, or of the member to which they belong.
  static void elsewhere(const auto&...) {}

  /// A point in simulated time, which moves with simulated time.
  virtual void instant(SimTime& time) = 0;
  /// `count` work-groups of the launch have been dispatched; `number` is that of the next one, in a launch in
  /// partitions that of the first partition that has a next one. Visited before the launch's counts and ordinals.
  virtual void dispatched(LaunchId launch, std::uint64_t& count, std::uint64_t& number) = 0;
  /// A count of work-groups of the launch, which grows with the number of dispatched ones.
  virtual void counted(LaunchId launch, std::uint64_t& count) = 0;
  /// The number of a work-group of the launch, which grows with the number of the next one.
  virtual void ordinal(LaunchId launch, std::uint64_t& number) = 0;
  void ordinal(LaunchId launch, WorkGroupId& id) {
    std::uint64_t number = number_of(id);
    ordinal(launch, number);
    id = WorkGroupId{number};
  }
  /// A count of a work-group of the launch that grows by the same amount in every period, and whose absolute value does
  /// not matter: phases of a barrier.
  virtual void phases(LaunchId launch, std::uint64_t& count) = 0;
  /// The completed iterations of the loops around a cohort of the launch, outermost first, and the number of iterations
  /// of each loop, 0 if the cohort is in no such loop. `key` identifies the cohort.
  virtual void iterations(LaunchId launch, std::span<std::uint64_t> done, std::span<const std::uint64_t> counts,
                          std::uint64_t key) = 0;

  /// Returns true if accumulators are visited. They need not be, since nothing depends on them.
  virtual bool wants_totals() const = 0;
  /// A sum that only grows.
  virtual void total(Int128& sum) = 0;
  /// The integral of a level over time. The level itself is plain.
  virtual void integral(TimeIntegral& integral) = 0;

 protected:
  virtual void on_plain(std::uint64_t& word) = 0;
  virtual void on_shape(std::uint64_t word) = 0;
};

}  // namespace gdsim
