#pragma once

#include <gdsim/dispatch/placement/core_changes.hpp>
#include <gdsim/fit/footprint.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gdsim {

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
