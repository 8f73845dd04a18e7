#pragma once

#include <gdsim/fast_forward/attempts.hpp>
#include <gdsim/fast_forward/fast_forward_sink.hpp>
#include <gdsim/fast_forward/horizon_queue.hpp>
#include <gdsim/model/lifecycle/slab.hpp>
#include <gdsim/model/model.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gdsim {

/// Threads that do nothing but compute end at a time that is known when they are placed. So they need neither cohorts
/// nor events: their ends wait in a queue of their own. What follows from an end, dispatching above all, and all that
/// happens besides, is left to the model, instant by instant.
///
/// Of kernels with drawn factors, for without a draw the state of the device recurs; and not where Renewal may apply.
class KnownEnds {
 public:
  /// Nothing happens behind `bound`. All must outlive this.
  KnownEnds(Model& model, FastForwardSink& sink, SimTime bound);

  /// The model's instant is over.
  void on_instant_end();

 private:
  /// Threads of one work-group that end together.
  struct Running {
    GroupIndex group{};
    Part part;
    SimTime program_start;
    SimTime booked_until;  ///< what they have executed up to then is booked
    DrawnFactor factor = kNoFactor;
    std::uint32_t first_thread = 0;
  };
  enum class RunningIndex : std::uint32_t {};

  bool is_known(KernelId kernel) const { return is_known_[index_of(kernel)]; }
  bool is_full() const { return running_.count() == max_running_; }
  bool needs_more_room() const { return is_full() && max_running_ < state_.device.contexts_total(); }
  void take_over();
  void advance();
  void end_first();
  void finish_instant();
  void start(const Grant& grant);
  void start_together(const Cohort& threads, const ResidentGroup& group);
  void hand_back();
  void continue_as_cohort(const Running& running);

  Model& model_;
  ModelState& state_;
  FastForwardSink& sink_;
  SimTime bound_;
  std::vector<bool> is_known_;  ///< by kernel: this is how its threads end
  bool is_any_known_ = false;
  Slab<Running, RunningIndex> running_;
  std::size_t max_running_ = 0;       ///< as many as ends_ has room for
  HorizonQueue ends_;                 ///< of running_
  std::vector<DrawnFactor> factors_;  ///< of the threads of a grant
  std::uint64_t pending_ = 0;         ///< events of the model at the last attempt
  std::uint64_t ended_ = 0;           ///< of running_, since then
  Attempts attempts_;
};

}  // namespace gdsim
