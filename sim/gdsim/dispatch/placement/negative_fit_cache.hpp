#pragma once

#include <gdsim/base/containers.hpp>
#include <gdsim/base/ids.hpp>
#include <gdsim/fit/footprint.hpp>

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

/// Requests that every core refused, and the cores with releases since then: only on these can the result have changed,
/// because placing only takes resources. So the cost of a repeated request is linear in the number of such cores.
/// Without this cache, every turn would evaluate all cores for each waiting kernel.
class NegativeFitCache {
 public:
  /// For `cores` cores, from `first` on. Request classes have numbers below `classes`. A single class is not cached,
  /// because no other request is made in between.
  NegativeFitCache(std::size_t classes, std::size_t first, std::size_t cores)
      : refusals_(classes), releases_(first, cores) {}

  /// Must be called after a release on the core, and when its partial work-group is complete.
  void on_release(CoreId core) {
    if (refusals_.size() > 1) releases_.note(core);
  }
  /// Records that every core refuses requests of the class for `footprint`, whose address must not change.
  void on_refused(std::size_t request_class, const Footprint& footprint) {
    if (refusals_.size() > 1) refusals_[request_class] = {&footprint, releases_.clock()};
  }

  /// Removes the refusal, because some core now admits such requests.
  void forget(std::size_t request_class, const Footprint& footprint) {
    if (contains(request_class, footprint)) refusals_[request_class].footprint = nullptr;
  }

  /// Returns true if a request of the class was refused for the same footprint object.
  bool contains(std::size_t request_class, const Footprint& footprint) const {
    return refusals_[request_class].footprint == &footprint;
  }
  /// Calls `visit(core)` for every core with a release since the request was refused.
  template <class Visit>
  void visit_changed(std::size_t request_class, Visit visit) const {
    releases_.visit_since(refusals_[request_class].at, visit);
  }

 private:
  struct Refusal {
    const Footprint* footprint = nullptr;
    std::uint64_t at = 0;
  };

  std::vector<Refusal> refusals_;  ///< by request class
  CoreChanges releases_;
};

}  // namespace gdsim
