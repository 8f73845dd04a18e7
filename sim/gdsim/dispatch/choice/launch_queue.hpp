#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>

#include <deque>

namespace gdsim {

/// A queue of ready launches, by (ready time, order in the file).
class LaunchQueue {
 public:
  void arrive(LaunchId launch, SimTime ready);
  bool empty() const { return waiting_.empty(); }
  LaunchId head() const { return waiting_.front().launch; }
  SimTime head_ready() const { return waiting_.front().ready; }
  bool head_has_begun() const { return head_has_begun_; }
  /// Must be called when the head has begun. From then on, no launch goes before it.
  void begin_head() { head_has_begun_ = true; }
  /// Removes the head, which has placed all its threads.
  void pop();

 private:
  struct Entry {
    LaunchId launch;
    SimTime ready;
  };

  std::deque<Entry> waiting_;
  bool head_has_begun_ = false;
};

}  // namespace gdsim
