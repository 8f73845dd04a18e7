#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/base/state_words.hpp>
#include <gdsim/record/time_use.hpp>

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace gdsim {

/// Why contexts of a core are free: a kernel whose next work-group does not come there, and what keeps it.
struct IdleCause {
  KernelId kernel{};
  WaitReason reason{};
  friend bool operator==(const IdleCause&, const IdleCause&) = default;
};

/// Context-picoseconds by core, then in the order in which causes came.
using IdleSums = std::vector<std::vector<Int128>>;

/// For how long contexts of each core were free, and why.
class IdleLedger {
 public:
  explicit IdleLedger(std::size_t cores) : cores_(cores), older_(cores) {}

  /// From `now` on, so many contexts of the core are free; without a cause, nothing waits to be dispatched.
  void set(CoreId core, std::uint64_t free_contexts, std::optional<IdleCause> cause, Picoseconds now);
  /// By core, then in the order in which causes came; what still lasts is counted up to `now`.
  std::vector<IdleUse> take(Picoseconds now);

  /// What is free of each core, and why.
  void tell_state(StateWords& state) const;
  /// All that was counted up to `now`.
  IdleSums sums(Picoseconds now) const;
  /// `time` passes at once, in which the sums grew by so much and after which the same is free as before.
  void pass(const IdleSums& more, Picoseconds time);

 private:
  struct Sum {
    std::optional<IdleCause> cause;
    Int128 context_time = 0;
  };
  struct State {
    std::uint64_t free = 0;
    Picoseconds since;
    std::size_t current = 0;  ///< of sums
    std::vector<Sum> sums;    ///< one per kernel and reason that were seen here, as they came
  };

  static void book(State& state, Picoseconds now);
  std::size_t find(CoreId core, std::optional<IdleCause> cause);

  std::vector<State> cores_;
  std::vector<std::unordered_map<std::uint64_t, std::size_t>>
      older_;  ///< by core: where the causes are, but the newest
};

}  // namespace gdsim
