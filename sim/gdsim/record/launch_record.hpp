#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/lean_vectors.hpp>
#include <gdsim/base/quantity.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gdsim {

/// The reason for a delay of a launch, from the time when the host reaches it until all its threads are placed.
enum class WaitReason : std::uint8_t {
  host,               ///< the host was busy with other launches, waited for them, or submitted this one
  launch_latency,     ///< from submission to arrival at the device
  predecessors,       ///< its predecessors had not ended, or the gap after them lasted
  other_launches,     ///< ready, but other launches came first; a copy: its engine was busy
  launch_cost,        ///< the launch has begun, and the device prepares it
  dispatch_interval,  ///< the launch was next, but a dispatcher was busy with an earlier placement
  ports,              ///< every port of the dispatcher was held
  core_sharing,       ///< cores belonged to other launches
  contexts,
  work_group_slots,
  slm,  ///< too little was free
  barriers,
  registers,
  context_ranges,  ///< contexts were free, but no contiguous range of them that begins at a multiple of its length
  cluster_room,    ///< it would fit on a core, but the whole cluster does not fit on its group of cores
  partition,       ///< it would fit on cores, but the remaining work-groups belong to other groups of cores
  hardware_queue,  ///< only the launch before it in its hardware queue delayed it: it had not begun, or ended
  slm_pool,        ///< cores had to drain before their memory was set to another pool
};

inline constexpr std::size_t kWaitReasonCount = static_cast<std::size_t>(WaitReason::slm_pool) + 1;

/// All reasons, in the order of WaitReason.
inline constexpr auto kWaitReasons = [] {
  std::array<WaitReason, kWaitReasonCount> reasons{};
  for (std::size_t i = 0; i < kWaitReasonCount; ++i) reasons[i] = static_cast<WaitReason>(i);
  return reasons;
}();

/// Returns the name in files: `predecessors`, `ports`, `contexts`, ... Thread-safe.
std::string_view name_of(WaitReason reason);

/// The time that a launch waited, by reason. Reasons without a wait take no memory: most launches have few reasons.
///
///     gdsim::WaitTimes waited;
///     waited.add(gdsim::WaitReason::ports, gdsim::Duration{500});
///     std::cout << gdsim::to_text(waited[gdsim::WaitReason::ports]) << '\n';  // 500 ps
class WaitTimes {
 public:
  Duration operator[](WaitReason reason) const;
  /// Throws TimeOverflowError if the sum leaves 64 bits.
  void add(WaitReason reason, Duration time);

 private:
  struct Further {
    Duration time;
    WaitReason reason{};
  };

  Duration* find(WaitReason reason);

  std::array<Duration, 4> times_{};  ///< `count_` of them are used
  std::array<WaitReason, 4> reasons_{};
  std::uint8_t count_ = 0;
  LazyVector<Further> further_{};
};

/// The life of one launch. A time is nullopt if its event never happened.
///
///     const gdsim::LaunchRecord& launch = result.record.launches.front();
///     if (launch.ended) std::cout << "it ended at " << gdsim::to_text(*launch.ended) << '\n';
struct LaunchRecord {
  OptionalTime submitted;                    ///< the host, or the parent, has submitted it
  OptionalTime ready;                        ///< the device may begin with it
  OptionalTime begun;                        ///< `launch_cost` before its first thread could be placed
  OptionalTime first_dispatched;             ///< its first thread was placed; a copy: it began
  OptionalTime fully_dispatched;             ///< its last thread was placed
  OptionalTime ended;                        ///< its last work-group and its children have ended
  std::uint64_t work_groups_dispatched = 0;  ///< work-groups with a placed thread
  std::uint64_t work_groups_ended = 0;
  Int128 resident_time = 0;  ///< the integral of its resident threads, thread-picoseconds
  Int128 core_time = 0;      ///< the time in which a core held a thread of it, summed over cores, picoseconds
  WaitTimes waited{};        ///< by reason
  /// The longest delay of its end that would not delay the end of the run, by dependencies alone. Its waits for the
  /// device count as its own time. nullopt if the run did not complete.
  OptionalDuration slack;
  /// `resident_time` up to the instant at which its last thread was placed; 0 until then.
  Int128 resident_time_when_dispatched = 0;

  /// Returns the duration that profilers report: from the launch's beginning to its end, launch cost included. Returns
  /// nullopt if it has not ended.
  OptionalDuration duration() const;
  /// Returns the time from the launch's first dispatch to its end, or nullopt if it has not ended.
  OptionalDuration active() const;
  bool is_critical() const { return slack && slack->count == 0; }
};

}  // namespace gdsim
