#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/base/state_visitor.hpp>
#include <gdsim/record/time_use.hpp>

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace gdsim {

/// Why contexts of a core are free: a kernel whose next work-group is not placed there, and the stall reason.
struct IdleReason {
  KernelId kernel{};
  WaitReason reason{};
  friend bool operator==(const IdleReason&, const IdleReason&) = default;
};

/// For how long contexts of each core were free, and why.
class IdleLedger {
 public:
  explicit IdleLedger(std::size_t cores) : cores_(cores), older_(cores) {}

  /// From `now` on, so many contexts of the core are free; without a reason, nothing waits to be dispatched.
  void set(CoreId core, std::uint64_t free_contexts, const std::optional<IdleReason>& reason, SimTime now) {
    State& state = cores_[index_of(core)];
    const bool is_same = !state.sums.empty() && state.sums[state.current].reason == reason;
    if (free_contexts > 0 && !is_same) change_reason(core, reason, now);
    if (!state.sums.empty()) state.sums[state.current].free.set_level(free_contexts, now);
  }
  /// By core, then in the order in which reasons occurred; what still lasts is counted up to `now`.
  std::vector<IdleUse> take(SimTime now);

  void visit_state(StateVisitor& visitor);

 private:
  struct Sum {
    std::optional<IdleReason> reason;
    TimeIntegral free;  ///< contexts that are free for this reason
  };
  struct State {
    std::size_t current = 0;  ///< of sums
    std::vector<Sum> sums;    ///< one per kernel and reason seen here, in that order
  };

  void change_reason(CoreId core, const std::optional<IdleReason>& reason, SimTime now);
  std::size_t find(CoreId core, const std::optional<IdleReason>& reason);

  std::vector<State> cores_;
  std::vector<std::unordered_map<std::uint64_t, std::size_t>>
      older_;  ///< [derived] by core: where the reasons are, but the newest
};

}  // namespace gdsim
