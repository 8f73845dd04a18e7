#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/workload/workload.hpp>

#include <optional>
#include <string>

namespace gdsim {

/// The available thread-picoseconds with what fits, and the unused ones among them.
struct UnusedTime {
  UInt128 unused = 0;
  UInt128 available = 0;

  /// 0 if nothing was available.
  Ratio percent() const { return available == 0 ? Ratio{0, 1} : Ratio{unused * 100, available}; }
};

/// How much of what fits stayed unused, by the simulated timeline: 1 - busy / available. What fits is the number of
/// whole work-groups that fit on the device, or the peak of resident threads if that is more and no other kernel was
/// launched.
struct Unused {
  KernelId kernel{};     ///< whose launch lasted longest; over all its launches
  bool has_wave = true;  ///< it has work-groups for a wave or more
  UnusedTime run;        ///< from the first dispatch of each launch to its end
  UnusedTime last_wave;  ///< from when the last thread of each launch was placed to its end
};

/// Returns nullopt if that is unknown: the run did not complete, launches were resident at once or may not use every
/// core, the kernel launches children, none of its work-groups fits, or more of it was resident than is known to fit.
std::optional<Unused> unused_of(const DeviceSpec& device, const Workload& workload, const RunRecord& record);

/// `11.4 % of what fits over the run, 42.0 % over its last wave`
std::string unused_words(const Unused& unused);

/// `Unused: ...` for a person; empty if it is not known or the kernel has no whole wave.
std::string unused_line(const std::optional<Unused>& unused);

}  // namespace gdsim
