#pragma once

#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/dispatch/placement/placement.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gdsim {

/// Adapts a caller's OwnPlacement to Placement.
class OwnPlacementAdapter : public Placement {
 public:
  explicit OwnPlacementAdapter(const OwnPlacement& own) : name_(own.name()), policy_(own.policy().copy()) {}

  std::size_t cost(const Core& core, const Footprint& full) const override;
  /// Returns the choice of the caller's own policy, or nullopt. Throws InputError if it is not among the offered
  /// positions.
  std::optional<std::size_t> choose(const IndexSet& offered) override;
  bool always_chooses() const override { return false; }
  std::unique_ptr<Placement> copy() const override;

 private:
  OwnPlacementAdapter(std::string name, std::unique_ptr<OwnPlacement::Policy> policy)
      : name_(std::move(name)), policy_(std::move(policy)) {}

  std::string name_;
  std::unique_ptr<OwnPlacement::Policy> policy_;
  std::vector<CoreId> offered_;  ///< used within choose() only
};

}  // namespace gdsim
