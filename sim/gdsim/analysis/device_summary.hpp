#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace gdsim {

/// One of several devices that ran together, in one row.
struct DeviceSummary {
  std::string name;  ///< under `devices:`
  std::string model;
  std::uint64_t launches = 0;
  Duration busy;               ///< in which one of its launches was in flight
  Ratio mean_occupancy;        ///< percent of its contexts, over the time of all devices
  Duration waited_for_others;  ///< its parts of collectives were resident, and those of other devices were not yet
  Duration links_busy;         ///< data went over links to or from it
  UInt128 bytes_sent = 0;      ///< over links
  /// Of what its ports could send in the time of all devices; nullopt: no link.
  std::optional<Ratio> sent_percent;
  std::string finding;  ///< its first words; empty: none
};

/// `1.23 GB`; `-` if there are none.
std::string sent_words(UInt128 bytes);

/// Returns the rows as lines of a table for a terminal, with a header.
std::string device_table_text(std::span<const DeviceSummary> devices);

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

/// Returns the unused time, or nullopt if it is unknown: the run did not complete, launches were resident at once or
/// may not use every core, the kernel launches children, none of its work-groups fits, or more of them were resident
/// than are known to fit.
std::optional<Unused> unused_of(const DeviceSpec& device, const Workload& workload, const RunRecord& record);

/// `Unused: of the contexts that the kernel can fill, 27.7 % are empty on average, and 64.6 % after its last work-group
/// has begun.` Empty if it is not known or the kernel has no whole wave.
std::string unused_line(const std::optional<Unused>& unused, const Terms& terms);

}  // namespace gdsim
