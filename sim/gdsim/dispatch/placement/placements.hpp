#pragma once

#include <gdsim/base/containers.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/fit/core.hpp>
#include <gdsim/fit/footprint.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gdsim {

/// The numbering of cores by a placement: by index, or in the device's order of ties.
enum class Positions : std::uint8_t { by_index, by_tie_order };

/// Chooses the candidate core that takes the next work-group. It reserves no resources.
class Placement {
 public:
  virtual ~Placement() = default;

  virtual Positions positions() const { return Positions::by_index; }

  /// Returns the cost of the core for a kernel whose full work-groups need `full`. Only candidates of the lowest cost
  /// are offered. The cost must depend only on the arguments.
  virtual std::size_t cost(const Core& core, const Footprint& full) const;

  /// Returns the position of one of the offered cores; there is at least one. The caller places the next work-group
  /// there. Returns nullopt to choose only after a further release. By default, returns the first position.
  virtual std::optional<std::size_t> choose(const IndexSet& offered);
  /// Returns true if choose() never returns nullopt, as in all placements but a caller's own.
  virtual bool always_chooses() const { return true; }

  /// Returns a placement in the same state, so that its choices can be queried. Returns null, the default, if it can
  /// never be copied; then it is omitted when rules are inferred from a log.
  virtual std::unique_ptr<Placement> copy() const { return nullptr; }
};

/// Makes a new placement for the cores of one dispatcher, which it sees as a separate device, numbered from 0.
using PlacementMaker = std::function<std::unique_ptr<Placement>(const DeviceSpec&)>;

/// Chooses the candidate of the lowest index.
class FillFirst : public Placement {
 public:
  std::unique_ptr<Placement> copy() const override { return std::make_unique<FillFirst>(*this); }
};

// Rule, to the picosecond: least loaded.
//
// `least_loaded` counts threads that hold a context, not the contexts that they hold.

/// Chooses the core with the fewest threads that hold a context. The device's tie order breaks ties, else the lowest
/// index.
class LeastLoaded : public Placement {
 public:
  Positions positions() const override { return Positions::by_tie_order; }
  std::size_t cost(const Core& core, const Footprint& full) const override;
  std::unique_ptr<Placement> copy() const override { return std::make_unique<LeastLoaded>(*this); }
};

// Rule, to the picosecond: most room.
//
// `most_room` counts full work-groups of the kernel, also where a smaller one at the edge is placed.

/// Chooses the core on which the most further full work-groups of the kernel fit. The device's tie order breaks ties,
/// else the lowest index.
class MostRoom : public Placement {
 public:
  Positions positions() const override { return Positions::by_tie_order; }
  std::size_t cost(const Core& core, const Footprint& full) const override;
  std::unique_ptr<Placement> copy() const override { return std::make_unique<MostRoom>(*this); }
};

/// Chooses the first candidate at or cyclically after a cursor, which then moves past it. The cursor starts at core 0
/// and persists across turns and launches.
class RoundRobin : public Placement {
 public:
  std::optional<std::size_t> choose(const IndexSet& offered) override;
  std::unique_ptr<Placement> copy() const override { return std::make_unique<RoundRobin>(*this); }

 private:
  std::size_t cursor_ = 0;
};

/// Round robin over the device's groups of cores, level by level. Chooses the first group with a candidate, at or
/// cyclically after the level's cursor, then a group of the next level within it, and finally a core. Every group has
/// its own cursor, which persists. On a device without groups, this equals round_robin.
class GroupRoundRobin : public Placement {
 public:
  explicit GroupRoundRobin(const DeviceSpec& device);
  std::optional<std::size_t> choose(const IndexSet& offered) override;
  std::unique_ptr<Placement> copy() const override { return std::make_unique<GroupRoundRobin>(*this); }

 private:
  /// The cores [first, last), and the position of its first child in nodes_. A leaf is a single core.
  struct Node {
    std::size_t first;
    std::size_t last;
    std::size_t children;
    std::size_t child_count;
    std::size_t cursor;
  };

  void split(std::size_t node, const CoreGroups& levels, std::size_t level);

  std::vector<Node> nodes_;  ///< the root first
};

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
