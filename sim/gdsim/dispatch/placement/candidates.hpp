#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/index_set.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// The cores that admit the next work-group, each with its cost. The cores of the lowest cost are found without a
/// search. Each core has a position, by index or by the order that breaks ties.
class Candidates {
 public:
  /// For `cores` cores, from `first` on. `order` must have every core of the device once, or be empty: by index.
  Candidates(std::size_t first, std::size_t cores, const std::vector<CoreId>& order);

  bool empty() const { return occupied_costs_.empty(); }
  bool contains(CoreId core) const { return cost_of_[index_of(core) - first_].has_value(); }
  /// Makes the core a candidate of this cost, or changes its cost to this.
  void put(CoreId core, std::size_t cost) {
    auto& before = cost_of_[index_of(core) - first_];
    if (before == cost) return;
    if (before) erase(core);
    if (cost >= by_cost_.size()) grow(cost);
    by_cost_[cost].insert(position_of_[index_of(core) - first_]);
    occupied_costs_.insert(cost);
    before = static_cast<std::uint32_t>(cost);
  }
  void erase(CoreId core) {
    auto& before = cost_of_[index_of(core) - first_];
    if (!before) return;
    IndexSet& cost = by_cost_[*before];
    cost.erase(position_of_[index_of(core) - first_]);
    if (cost.empty()) occupied_costs_.erase(*before);
    before.reset();
  }
  /// Removes all candidates.
  void clear() {
    while (!empty()) erase(core_at(*best().next(0)));
  }
  /// Returns the positions of the candidates of the lowest cost. There must be a candidate.
  const IndexSet& best() const { return by_cost_[*occupied_costs_.next(0)]; }
  CoreId core_at(std::size_t position) const { return order_[position]; }
  std::size_t position_of(CoreId core) const { return position_of_[index_of(core) - first_]; }

 private:
  void grow(std::size_t cost);

  std::size_t first_;
  std::vector<CoreId> order_;                          ///< by position
  std::vector<std::size_t> position_of_;               ///< by core
  std::vector<std::optional<std::uint32_t>> cost_of_;  ///< by core
  std::vector<IndexSet> by_cost_;                      ///< grows to the highest cost seen
  IndexSet occupied_costs_;
};

}  // namespace gdsim
