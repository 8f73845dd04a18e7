#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>

#include <deque>

namespace gdsim {

/// Launches that are ready, by (ready time, order in the file).
class LaunchQueue {
 public:
  void arrive(LaunchId launch, SimTime ready);
  bool empty() const { return waiting_.empty(); }
  LaunchId head() const { return waiting_.front().launch; }
  SimTime head_ready() const { return waiting_.front().ready; }
  bool head_has_begun() const { return head_has_begun_; }
  /// The head has begun: no launch goes before it any more.
  void begin_head() { head_has_begun_ = true; }
  /// The head has placed all its threads; the next follows.
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
