#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/ids.hpp>
#include <gdsim/record/launch_record.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace gdsim {

/// Free contexts of one core, over the time in which a kernel's next work-group could not be placed there for this
/// reason; without kernel and reason: nothing waited to be dispatched.
struct IdleUse {
  CoreId core{};
  std::optional<KernelId> kernel;
  std::optional<WaitReason> reason;
  Int128 context_time = 0;  ///< context-picoseconds
};

/// How a resident thread spends its time.
enum class TimeKind : std::uint8_t {
  executing,  ///< what its steps would have taken without contention
  barrier,    ///< stalled at a barrier or a `wait`
  issue,      ///< slowed by others on its engine
  memory,     ///< slowed by others in global memory
  slm,        ///< slowed by others at the banks of SLM
  held,       ///< ended, but its context is held until its work-group ends
  child       ///< waiting for the end of a child that it launched
};

inline constexpr std::size_t kTimeKinds = 7;

/// The words of files, in the order of TimeKind.
inline constexpr std::array<std::string_view, kTimeKinds> kTimeKindNames{
    "executing",       "stalled_at_barrier", "waiting_for_issue", "waiting_for_memory",
    "waiting_for_slm", "held_after_end",     "waiting_for_child"};

/// Thread-picoseconds by kind.
struct TimeUse {
  std::array<Int128, kTimeKinds> spent{};

  void add(TimeKind kind, Int128 thread_picoseconds) { spent[static_cast<std::size_t>(kind)] += thread_picoseconds; }
  TimeUse& operator+=(const TimeUse& other) {
    for (std::size_t i = 0; i < kTimeKinds; ++i) spent[i] += other.spent[i];
    return *this;
  }
  Int128 of(TimeKind kind) const { return spent[static_cast<std::size_t>(kind)]; }
  Int128 sum() const {
    Int128 all = 0;
    for (const Int128 part : spent) all += part;
    return all;
  }
};

/// What threads of one kernel spent their time on while they were on one core.
///
///     gdsim::Int128 at_barriers = 0;  // thread-picoseconds
///     for (const gdsim::CoreTimeUse& part : result.record.time_use)
///       at_barriers += part.use.of(gdsim::TimeKind::barrier);
struct CoreTimeUse {
  CoreId core{};
  KernelId kernel{};
  TimeUse use;
};

}  // namespace gdsim
