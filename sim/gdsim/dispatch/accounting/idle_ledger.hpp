#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/ids.hpp>
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
  explicit IdleLedger(std::size_t cores) : cores_(cores) {}

  /// Contexts of the core were free for so many context-picoseconds; without a reason, nothing waited to be dispatched.
  void add(CoreId core, const std::optional<IdleReason>& reason, Int128 context_time) {
    Sums& sums = cores_[index_of(core)];
    if (sums.last >= sums.all.size() || sums.all[sums.last].reason != reason) sums.last = sums.find(reason);
    sums.all[sums.last].context_time += context_time;
  }
  /// By core; of each core, what was free for nothing that waits comes first, the rest by kernel, then reason.
  std::vector<IdleUse> take() const;

  void visit_state(StateVisitor& visitor);

 private:
  struct Sum {
    std::optional<IdleReason> reason;
    Int128 context_time = 0;
  };
  /// One for each reason that was seen on a core, in the order in which they were.
  struct Sums {
    std::size_t last = 0;  ///< [derived] of `all`: what was added to last
    std::vector<Sum> all;
    std::unordered_map<std::uint64_t, std::size_t> places;  ///< [derived] by reason; empty while there are few

    std::size_t find(const std::optional<IdleReason>& reason);
  };

  std::vector<Sums> cores_;
};

}  // namespace gdsim
