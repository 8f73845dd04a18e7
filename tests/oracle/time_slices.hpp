#pragma once

#include "oracle/recording.hpp"
#include "oracle/saved_contexts.hpp"
#include "oracle/world.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Selects the process that has the whole device. The first process has it at the beginning. A process has work to run
// while one of its kernels was launched, is ready, and has not ended.
//
// A time slice begins when a process with work to run gets the device, or gets work to run. At its end, the next
// process, cyclically, that has work to run gets the device. Under priorities, the highest process with work to run
// gets it at once. A process without work to run loses the device as soon as another has some.
//
// A process whose threads are preempted stops at once: its contexts are saved, and those of the next are restored. A
// process whose work-groups are preempted begins no further ones, and loses the device when the last resident one ends.

namespace gdsim::oracle {

class TimeSlices {
 public:
  enum class Use : std::uint8_t { running, draining, saving, restoring, waiting };

  TimeSlices(const DeviceSpec& device, const DispatchRules& rules, Worlds worlds, std::vector<std::string> names);

  /// Returns the time when a slice or a switch ends next, later than `now`.
  std::optional<Time> next_time(Time now) const;
  /// Advances time to `until`, and accounts for its use by each process.
  void time_passes(Time until);
  /// Ends the accounts at `end`, which may be before the last time: no event has occurred since.
  void end_at(Time end);
  /// Must be called after all events of processes at this instant. Returns true if something about the device changes.
  bool change_hands(Time now);
  /// `start_ns,end_ns,process,use,work_groups,bytes`
  std::string slices_csv() const;
  /// Returns the accounts as in summary.json.
  std::string json() const;

 private:
  struct Slice {
    Time begin = 0;
    Time end = 0;
    std::size_t process = 0;
    Use use{};
    std::uint64_t work_groups = 0;
    Int128 bytes = 0;
  };
  struct Account {
    std::array<Time, 5> used{};
    std::uint64_t preemptions = 0;
    std::uint64_t saved = 0;
    Int128 bytes_saved = 0;
    Int128 bytes_restored = 0;
  };

  bool has_work(std::size_t process) const;
  /// Returns the process that gets the device if its present process loses it.
  std::optional<std::size_t> next_process() const;
  bool must_leave(Time now) const;
  void stop(Time now);
  void bring_back(Time now);
  void give(Time now);
  void use_it(Use use) { use_ = use, is_new_use_ = true; }

  const DeviceSpec& device_;
  KernelChoice choice_;
  const PreemptionRule& rule_;
  Worlds worlds_;
  std::vector<std::string> names_;
  std::vector<Account> accounts_;
  std::vector<Slice> slices_;
  std::size_t holder_ = 0;  ///< has the device, loses it or gets it
  Use use_ = Use::running;
  bool is_new_use_ = true;  ///< a slice begins with the next picosecond
  Contexts moved_;          ///< in this use
  Time switch_end_ = 0;
  Time slice_begin_ = 0;
  bool had_work_ = false;
  Time until_ = 0;
};

}  // namespace gdsim::oracle
