#pragma once

#include <gdsim/dispatch/placement/core_changes.hpp>
#include <gdsim/fit/footprint.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gdsim {

/// Requests that every core refused, and the cores on which something was released since: only there can the result
/// have changed, because placing only takes. So the cost of a repeated request is the number of changed cores. Without
/// this cache, every turn would cost the number of waiting kernels times that of cores.
class NegativeFitCache {
 public:
  /// Request classes have numbers below `classes`. With a single class, nothing is cached, because no other request
  /// comes in between. For `cores` cores, from `first` on.
  NegativeFitCache(std::size_t classes, std::size_t first, std::size_t cores)
      : refusals_(classes), releases_(first, cores) {}

  /// Something was released on the core, or its partial work-group is complete.
  void on_release(CoreId core) {
    if (refusals_.size() > 1) releases_.note(core);
  }
  /// Now every core refuses requests of the class, for `footprint`, which stays where it is.
  void refused(std::size_t request_class, const Footprint& footprint) {
    if (refusals_.size() > 1) refusals_[request_class] = {&footprint, releases_.clock()};
  }

  /// Some core takes such requests now: changes since the refusal need not be known.
  void forget(std::size_t request_class, const Footprint& footprint) {
    if (contains(request_class, footprint)) refusals_[request_class].footprint = nullptr;
  }

  /// Returns true if a request of the class was refused for this very footprint object.
  bool contains(std::size_t request_class, const Footprint& footprint) const {
    return refusals_[request_class].footprint == &footprint;
  }
  /// Calls `visit(core)` for every core on which something was released since the request was refused.
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
