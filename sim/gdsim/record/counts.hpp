#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/record/observer.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

/// Whose residency is counted: a work-group spread over several cores is on each of them, but once on the device.
enum class Scope : std::uint8_t { core, device };

/// What is resident at one instant, on one core or on the whole device.
struct Residency {
  std::uint64_t threads = 0;      ///< that hold a context
  std::uint64_t running = 0;      ///< that execute a step
  std::uint64_t work_groups = 0;  ///< partially placed ones included
  Bytes slm;                      ///< allocated

  std::uint64_t stalled() const { return threads - running; }
  void apply(const Fact& fact, Scope scope);
  friend bool operator==(const Residency&, const Residency&) = default;
};

/// The state of the whole device at one instant.
///
///     for (const gdsim::TimelinePoint& point : result.timeline)
///       std::cout << point.time.count << " ps: " << point.counts.resident.threads << " threads\n";
struct DeviceCounts {
  Residency resident;
  std::uint64_t work_groups_partial = 0;
  std::uint64_t cores_busy = 0;  ///< cores of which a context is held

  friend bool operator==(const DeviceCounts&, const DeviceCounts&) = default;
};

/// Keeps DeviceCounts from facts alone: an account apart from what the cores hold. For one
/// thread.
class DeviceCounter {
 public:
  explicit DeviceCounter(std::uint32_t cores) : threads_by_core_(cores, 0) {}

  void apply(const Fact& fact);
  const DeviceCounts& counts() const { return counts_; }

 private:
  DeviceCounts counts_;
  std::vector<std::uint32_t> threads_by_core_;
};

}  // namespace gdsim
