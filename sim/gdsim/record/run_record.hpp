#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/ids.hpp>
#include <gdsim/record/launch_record.hpp>
#include <gdsim/record/outcome.hpp>
#include <gdsim/record/phases.hpp>
#include <gdsim/record/time_use.hpp>
#include <gdsim/record/timeline.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// The results of a run. A value: any number of threads may read one.
///
///     const gdsim::RunRecord& record = result.record;
///     std::cout << gdsim::to_text(record.duration()) << ", " << gdsim::to_fixed(record.peak_occupancy(), 1) << " %\n";
struct RunRecord {
  Outcome outcome = Outcome::completed;
  Picoseconds start;  ///< first dispatch
  Picoseconds end;    ///< last end, or the last thing that happened before a stall
  std::uint64_t contexts_total = 0;
  std::uint64_t contexts_per_core = 0;
  std::uint64_t threads_total = 0;      ///< of all launches
  std::uint64_t work_groups_total = 0;  ///< of all launches
  std::uint64_t peak_resident = 0;      ///< threads
  Int128 resident_time = 0;             ///< integral of resident threads, thread-picoseconds
  Int128 core_time = 0;                 ///< over all cores, the time in which each held a thread, picoseconds
  PhaseList phases;
  std::vector<LaunchRecord> launches;   ///< by LaunchId
  std::vector<LaunchId> critical_path;  ///< launches, each ready when the one before had ended, to the last end
  Stall stall;
  std::vector<IdleUse> idle;          ///< free contexts, from first dispatch to end
  std::vector<CoreTimeUse> time_use;  ///< of resident threads, by core, then kernel; none that had no time

  Picoseconds duration() const { return end - start; }
  /// Work-groups that were begun, and those that have ended.
  std::uint64_t work_groups_dispatched() const;
  std::uint64_t work_groups_ended() const;
  /// Percent of the device's contexts.
  Ratio peak_occupancy() const;
  /// Percent, averaged over duration(); 0 if nothing took time.
  Ratio mean_occupancy() const;
  /// Percent of the contexts of cores while these hold a thread, what profilers call achieved; 0 if none did.
  Ratio achieved_occupancy() const;
  /// The same of one launch: threads and time are its own.
  Ratio achieved_occupancy(const LaunchRecord& launch) const;
  /// Percent of the device's contexts that the launch held, averaged from its begin to its end; nothing if it has not
  /// ended, and 0 if it took no time.
  std::optional<Ratio> elapsed_occupancy(const LaunchRecord& launch) const;
};

}  // namespace gdsim
