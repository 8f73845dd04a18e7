#include <gdsim/model/memory/working_sets.hpp>

namespace gdsim {

bool WorkingSets::open(LaunchId launch, const std::vector<std::size_t>& sets, std::int64_t own, std::int64_t shared) {
  bool changes = own != 0;
  for (const std::size_t set : sets) {
    bytes_[set] += own;
    if (shared == 0 || sharers_[{launch, set}]++ != 0) continue;
    bytes_[set] += shared;
    changes = true;
  }
  return changes;
}

bool WorkingSets::close(LaunchId launch, const std::vector<std::size_t>& sets, std::int64_t own, std::int64_t shared) {
  bool changes = own != 0;
  for (const std::size_t set : sets) {
    bytes_[set] -= own;
    if (shared == 0) continue;
    const auto sharers = sharers_.find({launch, set});
    if (--sharers->second != 0) continue;
    sharers_.erase(sharers);
    bytes_[set] -= shared;
    changes = true;
  }
  return changes;
}

}  // namespace gdsim
