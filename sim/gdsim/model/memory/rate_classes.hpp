#pragma once

#include <gdsim/model/memory/common_rates.hpp>
#include <gdsim/model/memory/memory_kinds.hpp>
#include <gdsim/model/memory/rate_class.hpp>

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

namespace gdsim {

/// The rate classes of a memory, and their rates. A rate class is in use while it has threads; unused rate classes are
/// reused.
///
/// All clocks advance at the same instants. So rate classes with the same rate share a MemoryPace, which computes what
/// their clocks gain.
class RateClasses {
 public:
  /// `kinds` must outlive this.
  explicit RateClasses(MemoryKinds& kinds)
      : kinds_(kinds), common_(kinds), common_paces_(kinds.count_in_domains()), by_kind_(kinds.count_in_domains()) {}
  /// Returns the rate classes in use, by ascending cap per weight.
  std::span<RateClass* const> in_use() const { return in_use_; }
  void advance(SimTime now) {
    if (now != since_) advance_by(now - since_);
  }
  /// Returns the time that has passed since the last advance.
  Duration since_advance(SimTime now) const { return now - since_; }
  /// Returns the rate class of threads of this kind on a core with `threads_on_core` threads. It is in use from now on.
  /// It may be `known`.
  RateClass* use(std::uint32_t kind_in_domain, std::uint64_t threads_on_core, RateClass* known) {
    kinds_.update(kind_in_domain);
    const auto sharers =
        static_cast<std::uint32_t>(threads_on_core > kinds_[kind_in_domain].max_unlimited ? threads_on_core : 0);
    const bool is_known = known != nullptr && known->kind_in_domain == kind_in_domain && known->sharers == sharers;
    return is_known ? known : find(kind_in_domain, sharers);
  }
  /// Updates caps after a change of the working sets. Returns true if threads may now belong to other rate classes.
  bool update_caps();
  /// Adds `more` threads to the rate class, or removes threads if it is negative.
  void count(RateClass& rate_class, std::int64_t more) {
    rate_class.threads += static_cast<std::uint64_t>(more);
    common_.count(rate_class, more);
  }
  /// Removes a flow without threads from the rate class.
  void remove_flow(RateClass& rate_class, std::uint32_t flow) {
    rate_class.flows.erase(flow);
    has_empty_ = has_empty_ || rate_class.flows.empty();
  }
  /// Ends the use of rate classes without threads.
  void drop_empty();
  /// Sets the rate of each rate class to the common rate of its domain, or to its cap if that is less.
  void set_rates();
  /// Returns the time at which the next thread is done if no rate changes, or nullopt if there is no thread. Rate
  /// classes without threads must have been dropped, and the rates set.
  std::optional<SimTime> next();

 private:
  void advance_by(Duration elapsed);
  RateClass* find(std::uint32_t kind_in_domain, std::uint32_t sharers);
  RateClass* make(std::uint32_t kind_in_domain, std::uint32_t sharers);
  void set_cap(RateClass& rate_class);
  bool is_slowed(const RateClass& rate_class);
  bool set_common_pace(const RateClass& rate_class);
  MemoryPace& pace_at_cap(RateClass& rate_class) const;
  static bool comes_before(const RateClass* a, const RateClass* b);

  MemoryKinds& kinds_;                  ///< from the working sets
  CommonRates common_;                  ///< from the rate classes in use
  SimTime since_;                       ///< the last advance
  std::deque<RateClass> rate_classes_;  ///< in use and unused
  std::vector<RateClass*> in_use_;      ///< by ascending cap per weight
  std::vector<RateClass*> unused_;
  std::vector<MemoryPace> common_paces_;          ///< by kind in domain: the pace of threads that get the common rate
  std::vector<MemoryPace*> paces_;                ///< those in use
  std::vector<std::vector<RateClass*>> by_kind_;  ///< rate classes in use, by kind in domain, then sharers
  bool has_empty_ = false;                        ///< true if a rate class in use has lost its last flow
  bool have_caps_ = false;                        ///< true if all rate classes in use are served at their caps
};

}  // namespace gdsim
