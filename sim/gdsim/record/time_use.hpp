#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/record/launch_record.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {

/// Free contexts of one core during the time in which a kernel's next work-group could not be placed there for this
/// reason; without kernel and reason, during the time in which no work-group waited to be dispatched.
struct IdleUse {
  CoreId core{};
  std::optional<KernelId> kernel;
  std::optional<WaitReason> reason;
  Int128 context_time = 0;  ///< context-picoseconds
  friend bool operator==(const IdleUse&, const IdleUse&) = default;
};

/// Free contexts of all cores with reasons, by core. For each core, the entry without kernel and reason comes first;
/// the others follow by kernel, then reason. Any number of threads may read it.
///
/// Reasons are stored once for all cores, because most cores have the same ones: a run of a hundred thousand kernels
/// has millions of entries.
///
///     gdsim::Int128 for_nothing = 0;  // context-picoseconds
///     for (const gdsim::IdleUse& use : result.record.idle)
///       if (!use.kernel) for_nothing += use.context_time;
class IdleUses {
 public:
  /// The free contexts of one kernel and reason.
  struct Row {
    std::optional<KernelId> kernel;
    std::optional<WaitReason> reason;
    std::vector<Int128> context_times;  ///< by core, the same number in each row; 0: none
  };

  /// Iterates over all entries except those of 0.
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = IdleUse;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = IdleUse;

    Iterator(const std::vector<Row>& rows, std::size_t core) : rows_(&rows), core_(core) { pass_zeros(); }
    IdleUse operator*() const {
      const Row& row = (*rows_)[row_];
      return {static_cast<CoreId>(core_), row.kernel, row.reason, row.context_times[core_]};
    }
    Iterator& operator++() {
      ++row_;
      pass_zeros();
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.core_ == b.core_ && a.row_ == b.row_; }

   private:
    void pass_zeros();

    const std::vector<Row>* rows_;
    std::size_t core_;
    std::size_t row_ = 0;
  };

  IdleUses() = default;
  /// `rows` must be in order: without kernel first, then by kernel and reason.
  explicit IdleUses(std::vector<Row> rows) : rows_(std::move(rows)) {}

  Iterator begin() const { return {rows_, 0}; }
  Iterator end() const { return {rows_, cores()}; }
  friend bool operator==(const IdleUses& a, const IdleUses& b);

 private:
  std::size_t cores() const { return rows_.empty() ? 0 : rows_.front().context_times.size(); }

  std::vector<Row> rows_;
};

/// The kinds of time that a resident thread spends.
enum class Activity : std::uint8_t {
  executing,  ///< time of its steps without contention, excluding accesses to memory
  barrier,    ///< stalled at a barrier or a `wait`
  issue,      ///< slowed by others on its engine
  memory,     ///< slowed by others in global memory
  slm,        ///< slowed by others at the banks of SLM
  held,       ///< ended, but its context is held until its work-group ends
  child,      ///< waiting for the end of a child that it launched
  access      ///< time of its accesses to memory without contention
};

inline constexpr std::size_t kActivityCount = static_cast<std::size_t>(Activity::access) + 1;

/// The names in files, in the order of Activity. Files count accesses to memory as `executing`, and also under their
/// own name.
inline constexpr std::array<std::string_view, kActivityCount> kActivityNames{
    "executing",       "stalled_at_barrier", "waiting_for_issue", "waiting_for_memory",
    "waiting_for_slm", "held_after_end",     "waiting_for_child", "accessing_memory"};

/// Thread-picoseconds by kind.
struct TimeUse {
  std::array<Int128, kActivityCount> spent{};

  void add(Activity kind, Int128 thread_picoseconds) { spent[static_cast<std::size_t>(kind)] += thread_picoseconds; }
  TimeUse& operator+=(const TimeUse& other) {
    for (std::size_t i = 0; i < kActivityCount; ++i) spent[i] += other.spent[i];
    return *this;
  }
  Int128 spent_on(Activity kind) const { return spent[static_cast<std::size_t>(kind)]; }
  /// Returns the time as files count it: executing includes accesses to memory.
  Int128 in_files(Activity kind) const {
    return kind == Activity::executing ? spent_on(kind) + spent_on(Activity::access) : spent_on(kind);
  }
  Int128 sum() const {
    Int128 all = 0;
    for (const Int128 part : spent) all += part;
    return all;
  }
};

/// The time use of the threads of one kernel while they were on one core.
///
///     gdsim::Int128 at_barriers = 0;  // thread-picoseconds
///     for (const gdsim::CoreTimeUse& part : result.record.time_use)
///       at_barriers += part.use.spent_on(gdsim::Activity::barrier);
struct CoreTimeUse {
  CoreId core{};
  KernelId kernel{};
  TimeUse use;
};

/// The cause of a wait for memory. A number from 1 on is the memory level whose bandwidth was the limit, fastest first.
/// 0 is any other cause: the link of the core, or the latency of a slower level.
using MemoryLimit = std::uint8_t;

/// The column in which a wait is counted: one per Activity, then one per MemoryLimit, then one for launches that wait
/// for dispatch. The column of Activity::access counts the whole time of accesses to memory, waits included; minus the
/// columns of MemoryLimit, it equals the time of Activity::access.
using WaitColumn = std::uint8_t;
/// Return columns. Thread-safe, as are the functions below.
inline constexpr WaitColumn column_of(Activity kind) { return static_cast<WaitColumn>(kind); }
inline constexpr WaitColumn column_of(MemoryLimit limit) { return static_cast<WaitColumn>(kActivityCount + limit); }
/// Returns the number of columns for a device whose memory has `levels` levels.
inline constexpr std::size_t wait_column_count(std::size_t levels) { return kActivityCount + 1 + levels + 1; }
/// Returns the last column. It counts launches that are next while dispatchers are busy or the launch cost lasts, as
/// one thread each.
inline constexpr WaitColumn dispatch_column(std::size_t columns) { return static_cast<WaitColumn>(columns - 1); }

/// The waits of threads over time: thread-picoseconds by interval and column. If the width of intervals adapts to the
/// run, there are at most kMaxIntervals; if it is fixed, they are stored up to the last one with a wait. A series
/// serves one run. Observers may read it during the run, on their thread; once simulate() has returned or thrown, any
/// number of threads may.
///
///     gdsim::WaitSeries waits(gdsim::wait_column_count(device.memory ? device.memory->levels.size() : 0));
///     gdsim::RunOptions options;
///     options.wait_series = {&waits};
///     gdsim::simulate(gdsim::compile(device, workload).value(), options);
///     std::cout << gdsim::to_text(waits.waited(0, gdsim::column_of(gdsim::Activity::barrier))) << '\n';
///
/// Intervals are equally wide from the first dispatch on. `passed` picoseconds after the beginning of a span, a thread
/// has waited floor(waited x passed / length) picoseconds; an interval gets the difference between its two ends. So the
/// sum over all intervals is exact, and does not depend on how spans were grouped.
class WaitSeries {
 public:
  /// The maximum number of intervals if their width adapts to the run.
  static constexpr std::uint64_t kMaxIntervals = 2'048;

  /// Intervals are 1 ps wide at first; their width doubles whenever there would be more than kMaxIntervals.
  explicit WaitSeries(std::size_t columns);
  /// Intervals have this width, which must be above 0. Waits after the first `max_intervals` intervals are ignored.
  WaitSeries(std::size_t columns, Duration width, std::uint64_t max_intervals);

  /// Returns true until a run that it is given to dispatches its first thread.
  bool is_new() const { return is_new_; }
  Duration width() const { return width_; }
  std::size_t columns() const { return columns_.size(); }
  /// Returns the thread-picoseconds of the column in the interval, as far as they were reported; 0 if none were. During
  /// a run, takes time in proportion to `interval`.
  Int128 waited(std::uint64_t interval, std::size_t column) const;

 private:
  friend class WaitSeriesWriter;

  struct Column {
    std::vector<Int128> waited;  ///< thread-picoseconds by interval, without `changes`
    /// By interval: the number of threads that wait throughout it minus that of the previous interval. A wait during
    /// all of its span, as at a barrier, changes only two entries, however many intervals it covers. Empty once the run
    /// has ended.
    std::vector<std::int64_t> changes;
  };

  std::vector<Column> columns_;
  bool is_new_ = true;
  SimTime start_;
  Duration width_{1};
  std::optional<std::uint64_t> fixed_;
};

}  // namespace gdsim
