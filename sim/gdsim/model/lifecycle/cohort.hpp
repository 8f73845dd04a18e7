#pragma once

#include <gdsim/fit/engine_sets.hpp>
#include <gdsim/model/events.hpp>
#include <gdsim/model/lifecycle/slab.hpp>
#include <gdsim/program/scaled_amount.hpp>
#include <gdsim/program/program_plan.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace gdsim {

/// Threads of one work-group on one core.
struct Part {
  CoreId core{};
  std::uint32_t threads = 0;
  EngineSet engines = EngineSet::none;
};

/// Identical threads: same work-group, same core, same step, same end. They are simulated as one. What each step needs
/// comes first.
struct Cohort {
  GroupIndex group{};
  Part part;
  std::uint32_t at = 0;          ///< the op that they execute
  CohortIndex next = kNoCohort;  ///< waiting: the next at the same barrier, or for the same load
  SimTime since;                 ///< when they began with the op
  DrawnFactor factor = kNoFactor;
  std::uint64_t phase = 0;                            ///< waiting: the phase of the barrier whose end they wait for
  LoadHandle last_load;                               ///< the asynchronous load that they began last; of a load: itself
  std::array<std::uint64_t, kMaxLoops> iterations{};  ///< done of each loop around it
  std::uint32_t first_thread = 0;                     ///< one of them: identifies the cohort in its work-group

  bool is_alike(const Cohort& other) const {
    return group == other.group && factor == other.factor && at == other.at && phase == other.phase &&
           part.core == other.part.core && last_load == other.last_load && iterations == other.iterations;
  }
};

/// The cohorts of a device. Removed ones have no threads.
class Cohorts {
 public:
  explicit Cohorts(EngineSets& engine_sets) : engine_sets_(engine_sets) {}

  Cohort& operator[](CohortIndex index) { return cohorts_[index]; }
  const Cohort& operator[](CohortIndex index) const { return cohorts_[index]; }
  /// Positions, those of removed ones included.
  std::size_t size() const { return cohorts_.size(); }
  CohortIndex add(const Cohort& cohort) { return cohorts_.add(cohort); }
  void remove(CohortIndex index) {
    cohorts_[index].part.threads = 0;
    cohorts_.remove(index);
  }
  /// Merges the threads of `from` into those of `to`; `from` is removed.
  void merge(CohortIndex to, CohortIndex from) {
    Cohort& cohort = cohorts_[to];
    const Cohort& other = cohorts_[from];
    cohort.first_thread = std::min(cohort.first_thread, other.first_thread);
    cohort.part.threads += other.part.threads;
    cohort.part.engines = engine_sets_.merge(cohort.part.engines, other.part.engines);
    remove(from);
  }
  /// Merges the cohort with one of `among` that is alike, or adds it to them.
  void merge_or_append(std::vector<CohortIndex>& among, CohortIndex cohort) {
    const auto alike = std::find_if(among.begin(), among.end(),
                                    [&](CohortIndex other) { return cohorts_[other].is_alike(cohorts_[cohort]); });
    if (alike == among.end()) {
      among.push_back(cohort);
    } else {
      merge(*alike, cohort);
    }
  }
  EngineSets& engine_sets() { return engine_sets_; }

 private:
  EngineSets& engine_sets_;            ///< visited with the part of each cohort
  Slab<Cohort, CohortIndex> cohorts_;  ///< visited by the model, each where it is pending
};

}  // namespace gdsim
