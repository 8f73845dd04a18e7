#include <gdsim/dispatch/candidates.hpp>

namespace gdsim {

Candidates::Candidates(std::size_t cores, const std::vector<CoreId>& order)
    : order_(order), position_of_(cores), level_of_(cores), occupied_levels_(0) {
  for (std::size_t i = order_.size(); i < cores; ++i) order_.push_back(static_cast<CoreId>(i));
  for (std::size_t position = 0; position < cores; ++position) position_of_[index_of(order_[position])] = position;
}

void Candidates::put(CoreId core, std::size_t level) {
  auto& before = level_of_[index_of(core)];
  if (before == level) return;
  if (before) erase(core);
  while (levels_.size() <= level) levels_.emplace_back(level_of_.size());
  occupied_levels_.grow(levels_.size());
  levels_[level].insert(position_of_[index_of(core)]);
  occupied_levels_.insert(level);
  before = static_cast<std::uint32_t>(level);
}

void Candidates::erase(CoreId core) {
  auto& before = level_of_[index_of(core)];
  if (!before) return;
  IndexSet& level = levels_[*before];
  level.erase(position_of_[index_of(core)]);
  if (level.empty()) occupied_levels_.erase(*before);
  before.reset();
}

}  // namespace gdsim
