#include <gdsim/dispatch/choice/launch_queue.hpp>

#include <algorithm>

namespace gdsim {

void LaunchQueue::arrive(LaunchId launch, SimTime ready) {
  const auto first = waiting_.begin() + (head_has_begun_ ? 1 : 0);
  const auto later = std::upper_bound(first, waiting_.end(), Entry{launch, ready}, [](const Entry& a, const Entry& b) {
    return a.ready != b.ready ? a.ready < b.ready : a.launch < b.launch;
  });
  waiting_.insert(later, {launch, ready});
}

void LaunchQueue::pop() {
  waiting_.pop_front();
  head_has_begun_ = false;
}

}  // namespace gdsim
