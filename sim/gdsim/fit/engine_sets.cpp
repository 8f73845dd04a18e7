#include <gdsim/fit/engine_sets.hpp>

#include <algorithm>
#include <utility>

namespace gdsim {

EngineSet EngineSets::add() {
  if (!free_.empty()) {
    const EngineSet set = free_.back();
    free_.pop_back();
    return set;
  }
  counts_.resize(counts_.size() + engines_, 0);
  orders_.emplace_back();
  return static_cast<EngineSet>(counts_.size() / engines_ - 1);
}

std::span<std::uint32_t> EngineSets::threads(EngineSet set) {
  return std::span(counts_).subspan(static_cast<std::size_t>(set) * engines_, engines_);
}

EngineSet EngineSets::deal_some(EngineSet set, std::uint32_t count) {
  const EngineSet dealt = add();
  std::fill(threads(dealt).begin(), threads(dealt).end(), 0);
  const auto end = order(set).begin() + static_cast<std::ptrdiff_t>(count);
  for (auto engine = order(set).begin(); engine != end; ++engine) {
    --threads(set)[*engine];
    ++threads(dealt)[*engine];
  }
  order(set).erase(order(set).begin(), end);
  return dealt;
}

EngineSet EngineSets::take(EngineSet set, std::size_t first, std::size_t end) {
  if (count(set, first, end) == 0) return EngineSet::none;
  const EngineSet taken = add();
  std::uint32_t* const to = on(taken);
  std::fill_n(to, engines_, 0);
  for (std::size_t i = first; i < end; ++i) std::swap(on(set)[i], to[i]);
  return taken;
}

}  // namespace gdsim
