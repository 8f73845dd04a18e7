#include <gdsim/dispatch/placement/candidates.hpp>

namespace gdsim {

Candidates::Candidates(std::size_t first, std::size_t cores, const std::vector<CoreId>& order)
    : first_(first), position_of_(cores), level_of_(cores), occupied_levels_(0) {
  for (const CoreId core : order)
    if (first <= index_of(core) && index_of(core) < first + cores) order_.push_back(core);
  for (std::size_t i = order_.size(); i < cores; ++i) order_.push_back(static_cast<CoreId>(first + i));
  for (std::size_t position = 0; position < cores; ++position)
    position_of_[index_of(order_[position]) - first] = position;
}

void Candidates::grow(std::size_t level) {
  while (levels_.size() <= level) levels_.emplace_back(level_of_.size());
  occupied_levels_.grow(levels_.size());
}

}  // namespace gdsim
