#include <gdsim/fit/engine_sets.hpp>

namespace gdsim {

EngineSet EngineSets::add() {
  if (!free_.empty()) {
    const EngineSet set = free_.back();
    free_.pop_back();
    return set;
  }
  counts_.resize(counts_.size() + engines_, 0);
  return static_cast<EngineSet>(counts_.size() / engines_ - 1);
}

std::span<std::uint32_t> EngineSets::threads(EngineSet set) {
  return std::span(counts_).subspan(static_cast<std::size_t>(set) * engines_, engines_);
}

EngineSet EngineSets::merge(EngineSet set, EngineSet other) {
  if (set == EngineSet::none) return other;
  if (other == EngineSet::none) return set;
  const auto sum = threads(set);
  const auto more = threads(other);
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += more[i];
  remove(other);
  return set;
}

}  // namespace gdsim
