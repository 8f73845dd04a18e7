#include <gdsim/dispatch/placement/candidates.hpp>

namespace gdsim {

Candidates::Candidates(std::size_t first, std::size_t cores, const std::vector<CoreId>& order)
    : first_(first), position_of_(cores), answers_(cores), occupied_costs_(0) {
  for (const CoreId core : order)
    if (first <= index_of(core) && index_of(core) < first + cores) order_.push_back(core);
  for (std::size_t i = order_.size(); i < cores; ++i) order_.push_back(static_cast<CoreId>(first + i));
  for (std::size_t position = 0; position < cores; ++position)
    position_of_[index_of(order_[position]) - first] = position;
}

void Candidates::grow(std::size_t cost) {
  while (by_cost_.size() <= cost) by_cost_.emplace_back(answers_.size());
  occupied_costs_.grow(by_cost_.size());
}

}  // namespace gdsim
