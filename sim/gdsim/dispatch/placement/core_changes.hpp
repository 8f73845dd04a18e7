#pragma once

#include <gdsim/base/ids.hpp>

#include <cstddef>
#include <cstdint>
#include <list>
#include <vector>

namespace gdsim {

/// Which cores of a dispatcher have changed since when. The cost of a question is the number of cores that have.
class CoreChanges {
 public:
  /// Of `cores` cores, from `first` on.
  CoreChanges(std::size_t first, std::size_t cores) : first_(first), changed_at_(cores, 0) {
    for (std::size_t core = first; core < first + cores; ++core)
      places_.push_back(recent_.insert(recent_.end(), static_cast<CoreId>(core)));
  }

  void note(CoreId core) {
    changed_at_[index_of(core) - first_] = ++clock_;
    recent_.splice(recent_.begin(), recent_, places_[index_of(core) - first_]);
  }
  /// How many changes there were, of all cores.
  std::uint64_t clock() const { return clock_; }
  /// Calls `visit(core)` for every core that has changed since the clock was `since`.
  template <class Visit>
  void visit_since(std::uint64_t since, Visit visit) const {
    for (auto core = recent_.begin(); core != recent_.end() && changed_at_[index_of(*core) - first_] > since; ++core)
      visit(*core);
  }

 private:
  std::size_t first_;                                ///< [constant]
  std::vector<std::uint64_t> changed_at_;            ///< by core; 0: never
  std::list<CoreId> recent_;                         ///< every core, the one that changed last first
  std::vector<std::list<CoreId>::iterator> places_;  ///< by core
  std::uint64_t clock_ = 0;
};

}  // namespace gdsim
