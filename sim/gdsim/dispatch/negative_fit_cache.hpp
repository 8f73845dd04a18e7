#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/fit/footprint.hpp>

#include <cstddef>
#include <cstdint>
#include <list>
#include <vector>

namespace gdsim {

/// Requests that every core refused, and the cores on which something was released since: only there can the result
/// have changed, because placing only takes. So the cost of a repeated request is the number of changed cores. Without
/// this cache, many waiting kernels cost their number times that of cores in every turn.
class NegativeFitCache {
 public:
  /// Request classes have numbers below `classes`. With a single one nothing is cached: there is no other in between.
  /// Of `cores` cores, from `first` on.
  NegativeFitCache(std::size_t classes, std::size_t first, std::size_t cores);

  /// Something was released on the core, or its partial work-group is complete.
  void on_release(CoreId core) {
    if (refusals_.size() == 1) return;
    released_at_[index_of(core) - first_] = ++clock_;
    recent_.splice(recent_.begin(), recent_, places_[index_of(core) - first_]);
  }
  /// Now every core refuses requests of the class, for `footprint`, which stays where it is.
  void refused(std::size_t request_class, const Footprint& footprint) {
    if (refusals_.size() > 1) refusals_[request_class] = {&footprint, clock_};
  }

  /// Whether a request of the class was refused for this footprint, the very object.
  bool contains(std::size_t request_class, const Footprint& footprint) const {
    return refusals_[request_class].footprint == &footprint;
  }
  /// Calls `visit(core)` for every core on which something was released since the request was refused.
  template <class Visit>
  void visit_changed(std::size_t request_class, Visit visit) const {
    const std::uint64_t refused_at = refusals_[request_class].at;
    for (auto core = recent_.begin(); core != recent_.end() && released_at_[index_of(*core) - first_] > refused_at;
         ++core)
      visit(*core);
  }

 private:
  struct Refusal {
    const Footprint* footprint = nullptr;
    std::uint64_t at = 0;
  };

  std::size_t first_;                                ///< [constant]
  std::vector<Refusal> refusals_;                    ///< by request class
  std::vector<std::uint64_t> released_at_;           ///< by core; 0: never
  std::list<CoreId> recent_;                         ///< every core, that of the last release first
  std::vector<std::list<CoreId>::iterator> places_;  ///< by core
  std::uint64_t clock_ = 0;                          ///< how many releases there were, of all cores
};

}  // namespace gdsim
