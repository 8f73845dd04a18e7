#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/index_set.hpp>
#include <gdsim/base/state_visitor.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// The cores that admit the next work-group, each on a level. The cores of the lowest level are found without a search.
/// Each core has a position, by index or by the order that breaks ties.
class Candidates {
 public:
  /// For `cores` cores, from `first` on. `order` must have every core of the device once, or be empty: by index.
  Candidates(std::size_t first, std::size_t cores, const std::vector<CoreId>& order);

  bool empty() const { return occupied_levels_.empty(); }
  bool contains(CoreId core) const { return level_of_[index_of(core) - first_].has_value(); }
  /// Makes the core a candidate on this level, or moves it to this level.
  void put(CoreId core, std::size_t level) {
    auto& before = level_of_[index_of(core) - first_];
    if (before == level) return;
    if (before) erase(core);
    if (level >= levels_.size()) grow(level);
    levels_[level].insert(position_of_[index_of(core) - first_]);
    occupied_levels_.insert(level);
    before = static_cast<std::uint32_t>(level);
  }
  void erase(CoreId core) {
    auto& before = level_of_[index_of(core) - first_];
    if (!before) return;
    IndexSet& level = levels_[*before];
    level.erase(position_of_[index_of(core) - first_]);
    if (level.empty()) occupied_levels_.erase(*before);
    before.reset();
  }
  /// Removes all candidates.
  void clear() {
    while (!empty()) erase(core_at(*best().next(0)));
  }
  /// Visits every core's level, if it is a candidate.
  void visit_state(StateVisitor& visitor) const {
    const auto& [first, order, position_of, level_of, levels, occupied_levels] = *this;
    visitor.constant(first, order, position_of);
    visitor.derived(levels, occupied_levels);
    for (const auto& level : level_of) visitor.shape(level ? std::uint64_t{*level} + 1 : 0);
  }
  /// Returns the positions of the candidates of the lowest level. There must be a candidate.
  const IndexSet& best() const { return levels_[*occupied_levels_.next(0)]; }
  CoreId core_at(std::size_t position) const { return order_[position]; }
  std::size_t position_of(CoreId core) const { return position_of_[index_of(core) - first_]; }

 private:
  void grow(std::size_t level);

  std::size_t first_;
  std::vector<CoreId> order_;                           ///< by position
  std::vector<std::size_t> position_of_;                ///< by core
  std::vector<std::optional<std::uint32_t>> level_of_;  ///< by core
  std::vector<IndexSet> levels_;                        ///< grows to the highest level seen
  IndexSet occupied_levels_;
};

}  // namespace gdsim
