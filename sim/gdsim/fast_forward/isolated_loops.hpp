#pragma once

#include <gdsim/fast_forward/isolated_path.hpp>
#include <gdsim/model/fast_forward_port/loop_hook.hpp>
#include <gdsim/model/model_state.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

/// Fast-forwards iterations of loops whose time is known: loops of fixed times always; loops with work on resources of
/// the core while no other work-group is on it. When another one is placed, the loop continues from its position at
/// that time. The first and the last iteration are simulated.
class IsolatedLoops : public LoopHook {
 public:
  /// From now on, suspends cohorts of `state`.
  explicit IsolatedLoops(ModelState& state) : state_(state), suspended_(state.device.cores) {
    state.loop_hook.bind(this);
  }
  IsolatedLoops(const IsolatedLoops&) = delete;
  IsolatedLoops& operator=(const IsolatedLoops&) = delete;
  ~IsolatedLoops() override { state_.loop_hook.bind(nullptr); }

  bool on_back_edge(CohortIndex cohort, const Op& op) override;
  void on_iterations_end(CohortIndex cohort) override;
  void before_core_opens(CoreId core) override { resume(core, Which::those_that_need_the_core); }
  /// Resumes every suspended cohort from its current position.
  void resume_all();

 private:
  struct Suspended {
    CohortIndex cohort{};
    std::uint64_t iterations = 0;  ///< the number that it skips
    bool needs_core = false;
  };
  enum class Which : std::uint8_t { those_that_need_the_core, all };

  bool has_core_to_itself(GroupIndex group) const;
  void resume(CoreId core, Which which);
  void resume(const Suspended& suspended);
  void add_phases(const Cohort& cohort, std::uint32_t op, std::uint64_t phases);
  void book_op(const IsolatedPath& path, const Cohort& cohort, std::uint32_t op, std::int64_t iterations,
               std::uint64_t times_in_each);
  void book_iterations(const IsolatedPath& path, const Cohort& cohort, std::int64_t iterations);

  ModelState& state_;
  std::vector<std::vector<Suspended>> suspended_;  ///< by core
};

}  // namespace gdsim
