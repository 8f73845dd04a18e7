#include <gdsim/dispatch/placement/own_placement_adapter.hpp>

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/printable.hpp>

namespace gdsim {

std::size_t OwnPlacementAdapter::cost(const Core& core, const Footprint& full) const {
  return static_cast<std::size_t>(
      policy_->cost(CoreLoad{core.occupied(), core.held_contexts(), core.how_many_more(full), full.most}));
}

std::optional<std::size_t> OwnPlacementAdapter::choose(const IndexSet& offered) {
  offered_.clear();
  for (auto position = offered.next(0); position; position = offered.next(*position + 1))
    offered_.push_back(CoreId{static_cast<std::uint32_t>(*position)});
  const std::optional<std::size_t> chosen = policy_->choose(offered_);
  if (!chosen) return std::nullopt;
  if (*chosen >= offered_.size())
    throw InputError("dispatch.placement: " + in_quotes(name_) + " chose position " + std::to_string(*chosen) + " of " +
                     std::to_string(offered_.size()) + " cores, numbered from 0");
  return index_of(offered_[*chosen]);
}

std::unique_ptr<Placement> OwnPlacementAdapter::copy() const {
  auto other = policy_->copy();
  return std::unique_ptr<Placement>(new OwnPlacementAdapter(name_, std::move(other)));
}

}  // namespace gdsim
