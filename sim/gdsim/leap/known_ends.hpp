#pragma once

#include <gdsim/leap/horizon_queue.hpp>
#include <gdsim/leap/leap_sink.hpp>
#include <gdsim/model/model.hpp>
#include <gdsim/model/slab.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gdsim {

/// Threads that do nothing but compute end at a time that is known as soon as they are placed. So they need neither
/// cohorts nor events: their ends wait in a queue of their own. All else, and what follows from an end, dispatching
/// above all, is left to the model, instant by instant.
class KnownEnds {
 public:
  /// Nothing happens behind `bound`. `renews`: threads of a work-group that end together are left to Renewal, where it
  /// may apply. All must outlive this.
  KnownEnds(Model& model, LeapSink& sink, SimTime bound, bool renews);

  /// The model's instant is over.
  void on_instant_end();

 private:
  /// Threads of one work-group that end together.
  struct Running {
    GroupIndex group{};
    Part part;
    SimTime begin;   ///< of their program
    SimTime booked;  ///< until then, their time is booked
    DrawnFactor factor = kNoFactor;
    std::uint32_t first_thread = 0;
  };
  enum class RunningIndex : std::uint32_t {};

  bool is_known(KernelId kernel) const { return is_known_[index_of(kernel)]; }
  void take_over();
  void advance();
  void end_threads(RunningIndex index);
  bool finish_instant();
  void start(const Grant& grant);
  void start(const Cohort& threads, const ResidentGroup& group);
  void hand_back();
  void hand_back(const Running& running);

  Model& model_;
  ModelState& state_;
  LeapSink& sink_;
  SimTime bound_;
  std::vector<bool> is_known_;  ///< by kernel: this is how its threads end
  bool is_any_known_ = false;
  Slab<Running, RunningIndex> running_;
  std::size_t capacity_ = 0;                   ///< of the queue
  HorizonQueue ends_;                          ///< of those that are running
  std::uint64_t ended_ = 0;                    ///< since take_over()
  std::uint64_t changes_ = ~std::uint64_t{0};  ///< of launches, when the turns were last counted anew
  std::uint64_t turns_ = 0;                    ///< since the last try
  std::uint64_t next_try_ = 0;                 ///< in turns
};

}  // namespace gdsim
