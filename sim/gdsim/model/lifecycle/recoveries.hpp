#pragma once

#include <gdsim/model/lifecycle/cohort.hpp>

#include <cstdint>
#include <deque>

namespace gdsim {

/// What has ended on a core, and can be taken again only at `at`: threads, or what a work-group held besides.
struct Recovery {
  SimTime at;
  LaunchId launch{};
  std::uint32_t group_threads = 0;  ///< of the work-group
  std::uint32_t first_context = 0;  ///< likewise
  Part part;                        ///< 0 threads: what the work-group held besides
};

/// Everything that recovers (`recovery` of the dispatch rules), in order of time.
class Recoveries {
 public:
  explicit Recoveries(Duration time) : time_(time) {}

  /// How long that takes; 0: all is free at its end.
  Duration time() const { return time_; }
  /// True if nothing else was to be free at this time.
  bool add(const Recovery& recovery) {
    const bool is_first = waiting_.empty() || waiting_.back().at != recovery.at;
    waiting_.push_back(recovery);
    return is_first;
  }
  /// Calls `visit(recovery)` for those that are over by `now`.
  template <class Visit>
  void take_until(SimTime now, Visit visit) {
    for (; !waiting_.empty() && waiting_.front().at <= now; waiting_.pop_front()) visit(waiting_.front());
  }
  std::deque<Recovery>& waiting() { return waiting_; }

 private:
  Duration time_;                 ///< [constant]
  std::deque<Recovery> waiting_;  ///< visited by the model
};

}  // namespace gdsim
