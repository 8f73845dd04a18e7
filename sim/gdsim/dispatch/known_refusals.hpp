#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/fit/footprint.hpp>

#include <cstddef>
#include <cstdint>
#include <list>
#include <vector>

namespace gdsim {

/// Questions that every core refused, and which cores were given something back since: only there can the answer have
/// changed, for whatever is placed takes room. So a question costs as much as cores have changed, however many there
/// are.
class KnownRefusals {
 public:
  /// Questions have numbers below `questions`. Of a single one nothing is known: nobody asks another in between.
  KnownRefusals(std::size_t questions, std::size_t cores);

  /// The core was given something back, or its partial work-group is complete.
  void gained(CoreId core) {
    if (known_.size() == 1) return;
    gained_at_[index_of(core)] = ++clock_;
    recent_.splice(recent_.begin(), recent_, places_[index_of(core)]);
  }
  /// Now every core refuses the question, when it is asked for `footprint`, which stays where it is.
  void refused(std::size_t question, const Footprint& footprint) {
    if (known_.size() > 1) known_[question] = {&footprint, clock_};
  }

  /// Whether the question was refused when it was asked for this footprint, the very object.
  bool knows(std::size_t question, const Footprint& footprint) const {
    return known_[question].footprint == &footprint;
  }
  /// Tells `visit` every core that has gained since the question was refused.
  template <class Visit>
  void visit_changed(std::size_t question, Visit visit) const {
    const std::uint64_t refused_at = known_[question].at;
    for (auto core = recent_.begin(); core != recent_.end() && gained_at_[index_of(*core)] > refused_at; ++core)
      visit(*core);
  }

 private:
  struct Refusal {
    const Footprint* footprint = nullptr;
    std::uint64_t at = 0;
  };

  std::vector<Refusal> known_;                       ///< by question
  std::vector<std::uint64_t> gained_at_;             ///< by core; 0: never
  std::list<CoreId> recent_;                         ///< every core, the last that gained first
  std::vector<std::list<CoreId>::iterator> places_;  ///< by core
  std::uint64_t clock_ = 0;                          ///< counts gains
};

}  // namespace gdsim
