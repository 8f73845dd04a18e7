#pragma once

#include <gdsim/base/index_set.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/fit/core.hpp>
#include <gdsim/fit/footprint.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

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

}  // namespace gdsim
