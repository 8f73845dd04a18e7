#pragma once

#include <gdsim/base/index_set.hpp>
#include <gdsim/base/state_visitor.hpp>
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

/// Chooses which candidate core takes the next work-group. A pure choice: nothing is reserved here.
class Placement {
 public:
  virtual ~Placement() = default;

  virtual Positions positions() const { return Positions::by_index; }

  /// Returns the level of the core for work-groups like `full`, a full one of the kernel: only candidates of the lowest
  /// level are offered. The level depends only on the arguments.
  virtual std::size_t level(const Core& core, const Footprint& full) const;

  /// Returns the position of one of the offered cores; there is at least one. The choice is carried out. Returns
  /// nullopt to be asked again when something was released. By default, returns the first position.
  virtual std::optional<std::size_t> choose(const IndexSet& offered);

  /// Visits all state on which the next choices depend, besides the offered cores. Returns true if the placement
  /// describes that state; then it must always choose a core. After false, the default, a run is never fast-forwarded.
  virtual bool visit_state(StateVisitor&) { return false; }

  /// Returns another placement that chooses from now on as this one does, so that its choices can be queried. Returns
  /// null, by default, if it can never be copied; then it is left out when rules are inferred from a log.
  virtual std::unique_ptr<Placement> copy() const { return nullptr; }
};

/// Makes a fresh placement for the cores of one dispatcher, which it sees as a device of their own, numbered from 0.
using PlacementMaker = std::function<std::unique_ptr<Placement>(const DeviceSpec&)>;

}  // namespace gdsim
