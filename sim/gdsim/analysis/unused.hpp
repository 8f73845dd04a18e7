#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/workload/workload.hpp>

#include <optional>
#include <string>

namespace gdsim {

/// The available thread-picoseconds of the capacity, and those of them that stayed unused.
struct UnusedTime {
  UInt128 unused = 0;
  UInt128 available = 0;

  /// Returns 0 if nothing was available.
  Ratio percent() const { return available == 0 ? Ratio{0, 1} : Ratio{unused * 100, available}; }
};

/// The unused share of the capacity, by the simulated timeline: 1 - busy / available. The capacity is the number of
/// whole work-groups that fit on the device, or the peak of resident threads if that is more and no other kernel was
/// launched.
struct Unused {
  KernelId kernel{};     ///< whose launch lasted longest; over all its launches
  bool has_wave = true;  ///< it has work-groups for a wave or more
  UnusedTime run;        ///< from the first dispatch of each launch to its end
  UnusedTime last_wave;  ///< from the placement of each launch's last thread to its end
};

/// Returns nullopt if that is unknown: the run did not complete, launches were resident at once or may not use every
/// core, the kernel launches children, none of its work-groups fits, or more of them were resident than are known to
/// fit.
std::optional<Unused> unused_of(const DeviceSpec& device, const Workload& workload, const RunRecord& record);

/// `Unused: of the contexts that the kernel can fill, 27.7 % are empty on average, and 64.6 % after its last work-group
/// has begun.` Empty if it is not known or the kernel has no whole wave.
std::string unused_line(const std::optional<Unused>& unused, const Terms& terms);

}  // namespace gdsim
