#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/recency_order.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gdsim {

/// The last change of each core of a dispatcher. The cost of a query is linear in the number of changed cores.
class CoreChanges {
 public:
  /// For `cores` cores, from `first` on.
  CoreChanges(std::size_t first, std::size_t cores)
      : first_(first), changed_at_(cores, 0), recent_(static_cast<std::uint32_t>(cores)) {}

  void note(CoreId core) {
    const std::size_t index = index_of(core) - first_;
    changed_at_[index] = ++clock_;
    recent_.touch(static_cast<std::uint32_t>(index));
  }
  /// Returns the number of changes of all cores.
  std::uint64_t clock() const { return clock_; }
  /// Calls `visit(core)` for every core that has changed since clock() returned `since`.
  template <class Visit>
  void visit_since(std::uint64_t since, Visit visit) const {
    for (const std::uint32_t index : recent_) {
      if (changed_at_[index] <= since) return;
      visit(static_cast<CoreId>(first_ + index));
    }
  }

 private:
  std::size_t first_;
  std::vector<std::uint64_t> changed_at_;  ///< by core; 0: never
  RecencyOrder recent_;                    ///< the most recently changed core first, counted from the first core
  std::uint64_t clock_ = 0;
};

}  // namespace gdsim
