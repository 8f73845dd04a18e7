#include <gdsim/report/trace/perfetto_trace.hpp>

#include <gdsim/analysis/time_series.hpp>
#include <gdsim/analysis/words.hpp>
#include <gdsim/report/trace/perfetto_packets.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <utility>

namespace gdsim {
namespace {

/// Of more cores, only resident threads are written: lanes show the rest, and files stay small.
constexpr std::uint32_t kFewCores = 32;
/// The first of time_columns() that is a wait.
constexpr std::size_t kFirstWait = 2;

std::size_t levels_of(const DeviceSpec& device) { return device.memory ? device.memory->levels.size() : 0; }

/// Columns of waits in the order of time_columns().
std::vector<WaitColumn> wait_columns(std::size_t levels) {
  std::vector<WaitColumn> columns{column_of(Activity::issue)};
  for (std::size_t limit = 0; levels > 0 && limit <= levels; ++limit)
    columns.push_back(column_of(static_cast<MemoryLimit>(limit)));
  for (const Activity kind : {Activity::slm, Activity::barrier, Activity::child, Activity::held})
    columns.push_back(column_of(kind));
  return columns;
}

}  // namespace

void PerfettoTrace::Groups::on_changed(SimTime, std::span<const GroupChange> changes) {
  for (const GroupChange& change : changes) trace_.take(change);
}

PerfettoTrace::PerfettoTrace(const std::string& title, const DeviceSpec& device, const Workload& workload,
                             const LaunchGraph& graph, Sink& sink, std::size_t number)
    : device_(device),
      workload_(workload),
      packets_(sink, number),
      launches_(device, workload, graph, packets_),
      groups_(*this),
      clocks_(device),
      device_counts_(device.cores),
      core_counts_(device.cores),
      is_touched_(device.cores, false),
      waits_(wait_column_count(levels_of(device))),
      lanes_(device.cores),
      lane_tracks_(device.cores) {
  describe_tracks(title);
}

void PerfettoTrace::describe_tracks(const std::string& title) {
  const std::string name = device_.name + ": " + title;
  root_ = packets_.add({TrackId::none, name, TrackContent::folder, 0, {}});
  device_counters_ = describe_counters(root_, true);
  launches_.describe(root_, 3);
  if (clocks_.changes()) describe_clock();
  for (std::uint32_t core = 0; core < device_.cores; ++core) {
    const std::string core_name = device_.terms.core + " " + std::to_string(core);
    cores_.push_back(packets_.add({root_, core_name, TrackContent::folder, core + 5, {}}));
    core_counters_.push_back(describe_counters(cores_.back(), device_.cores <= kFewCores));
  }
}

void PerfettoTrace::describe_clock() {
  clock_track_ = packets_.add({root_, "clock", TrackContent::counter, device_.cores + 5, "Hz"});
}

PerfettoTrace::Counters PerfettoTrace::describe_counters(TrackId parent, bool has_all) {
  const std::string threads = device_.terms.thread + "s";
  const auto described = [&](const std::string& name, std::string_view unit, std::uint32_t rank) {
    return Counter{packets_.add({parent, name, TrackContent::counter, rank, unit}), {}};
  };
  Counters counters;
  counters.resident = described(threads + " resident", threads, 0);
  if (!has_all) return counters;
  counters.running = described(threads + " running", threads, 1);
  counters.slm = described(device_.terms.slm + " allocated", "B", 2);
  return counters;
}

/// Writes the counters as of the end of the last nanosecond before anything later.
void PerfettoTrace::move_to(SimTime time) {
  if (has_begun_ && nanoseconds_of(time) > now_) write_counters();
  if (clocks_.changes()) write_clocks(time);
  now_ = nanoseconds_of(time);
}

void PerfettoTrace::write_clocks(SimTime time) {
  for (; next_clock_ < clocks_.count(); ++next_clock_) {
    const SimTime begin = next_clock_ == 0 ? SimTime{} : clocks_.begin_of(next_clock_);
    if (begin > time) return;
    const bool is_last = next_clock_ + 1 == clocks_.count();
    if (!is_last && nanoseconds_of(clocks_.begin_of(next_clock_ + 1)) == nanoseconds_of(begin)) continue;
    const std::pair<TrackId, std::int64_t> clock{clock_track_, clocks_.clock(next_clock_).count};
    packets_.count(nanoseconds_of(begin), {&clock, 1});
  }
}

void PerfettoTrace::on_instant(const Instant& now) {
  move_to(now.time);
  for (const LaunchFact& fact : now.launches) launches_.take(now_, fact);
  if (!has_begun_)
    for (std::size_t core = 0; core < cores_.size(); ++core) touched_.push_back(core);
  has_begun_ = true;
  for (const Fact& fact : now.facts) {
    device_counts_.apply(fact);
    const std::size_t core = index_of(fact.core);
    apply_fact(fact, Scope::core, core_counts_[core]);
    if (!is_touched_[core]) touched_.push_back(core);
    is_touched_[core] = true;
  }
  groups_.on_instant(now);
}

/// All that changed within a nanosecond goes into one packet.
void PerfettoTrace::write_counters() {
  Values values;
  const auto set = [&values](Counters& counters, const Residency& resident) {
    add(counters.resident, resident.threads, values);
    if (counters.running) add(*counters.running, resident.running, values);
    if (counters.slm) add(*counters.slm, static_cast<std::uint64_t>(resident.slm.count), values);
  };
  set(device_counters_, device_counts_.counts().resident);
  std::sort(touched_.begin(), touched_.end());  // the order of events within an instant must not show
  for (const std::size_t core : touched_) {
    set(core_counters_[core], core_counts_[core]);
    is_touched_[core] = false;
  }
  touched_.clear();
  packets_.count(now_, values);
}

void PerfettoTrace::add(Counter& counter, std::uint64_t value, Values& values) {
  if (counter.written == value) return;
  values.emplace_back(counter.track, static_cast<std::int64_t>(value));
  counter.written = value;
}

/// A counter for each reason for which threads wait: how many, averaged over intervals of the run.
void PerfettoTrace::write_waits(const RunRecord& record) {
  const std::vector<TimeColumn> columns = time_columns(device_);
  const std::vector<WaitColumn> waits = wait_columns(levels_of(device_));
  const std::int64_t width = waits_.width().count;
  const auto intervals = static_cast<std::uint64_t>((record.active().count + width - 1) / width);
  const auto waited = [&](std::uint64_t interval, WaitColumn column) {
    return interval < intervals ? waits_.waited(interval, column) : Int128{0};
  };
  /// A counter, and its last value in thread-picoseconds of an interval.
  struct WaitCounter {
    WaitColumn column{};
    TrackId track{};
    Int128 written = -1;
  };
  std::vector<WaitCounter> counters;
  TrackId folder = TrackId::none;
  for (std::size_t i = 0; i < waits.size(); ++i) {
    bool occurs = false;
    for (std::uint64_t interval = 0; interval < intervals && !occurs; ++interval)
      occurs = waited(interval, waits[i]) > 0;
    if (!occurs) continue;
    const std::string threads = device_.terms.thread + "s";
    if (folder == TrackId::none)
      folder = packets_.add({root_, "why " + threads + " wait", TrackContent::folder, 2, {}});
    const auto rank = static_cast<std::uint32_t>(i);
    counters.push_back(
        {waits[i], packets_.add({folder, columns[i + kFirstWait].words, TrackContent::counter, rank, threads})});
  }
  for (std::uint64_t interval = 0; interval <= intervals; ++interval) {
    std::vector<std::pair<TrackId, double>> values;
    for (WaitCounter& counter : counters) {
      const Int128 time = waited(interval, counter.column);
      if (time == std::exchange(counter.written, time)) continue;
      values.emplace_back(counter.track, static_cast<double>(time) / static_cast<double>(width));
    }
    const SimTime begin = record.first_dispatch + Duration{static_cast<std::int64_t>(interval) * width};
    packets_.count(nanoseconds_of(std::min(begin, record.end)), values);
  }
}

TrackId PerfettoTrace::lane_track(CoreId core, std::size_t lane) {
  auto& tracks = lane_tracks_[index_of(core)];
  if (lane == tracks.size()) {
    const std::string name = "lane " + std::to_string(lane);
    const std::uint32_t rank = static_cast<std::uint32_t>(lane) + 3;
    tracks.push_back(packets_.add({cores_[index_of(core)], name, TrackContent::slices, rank, {}}));
  }
  return tracks[lane];
}

void PerfettoTrace::take(const GroupChange& change) {
  const auto key = std::make_tuple(change.launch, change.work_group, change.core);
  Lanes& lanes = lanes_[index_of(change.core)];
  const auto found = group_lanes_.find(key);
  if (found == group_lanes_.end()) {
    GroupLane& group_lane = group_lanes_[key];
    group_lane.lane = lanes.take();
    const TrackId track = lane_track(change.core, group_lane.lane);
    const std::array<std::pair<std::string_view, std::uint64_t>, 2> notes{
        {{"work_group", number_of(change.work_group)}, {"threads_first_placed", change.state.threads}}};
    const bool is_partial = change.state.placement != GroupPlacement::full;
    packets_.begin(now_, {track,
                          workload_.launches[index_of(change.launch)].name,
                          "work_group",
                          std::span(notes).first(is_partial ? 2 : 1),
                          {},
                          {}});
    write_state(change, group_lane, track);
    return;
  }
  const TrackId track = lane_track(change.core, found->second.lane);
  if (change.kind != GroupChange::Event::leaves) return write_state(change, found->second, track);
  if (found->second.has_state) packets_.end(now_, track);
  packets_.end(now_, track);
  lanes.release(found->second.lane);
  group_lanes_.erase(found);
}

/// Shows a work-group's state below its slice, unless all its threads are placed and run.
void PerfettoTrace::write_state(const GroupChange& change, GroupLane& group_lane, TrackId track) {
  if (group_lane.has_state) packets_.end(now_, track);
  const GroupState& state = change.state;
  const Launch& launch = workload_.launches[index_of(change.launch)];
  group_lane.has_state = state.placement != GroupPlacement::full || state.waiting > 0 || state.running() == 0;
  if (!group_lane.has_state) return;
  const std::array<std::pair<std::string_view, std::uint64_t>, 2> notes{
      {{"threads_resident", state.threads}, {"threads_waiting", state.waiting}}};
  packets_.begin(now_, {track, words_for(state, launch.as_kernel().is_part_of_collective), "state", notes, {}, {}});
}

void PerfettoTrace::finish(const RunRecord& record) {
  move_to(record.end);
  if (has_begun_) write_counters();
  if (!record.clock_changes.empty()) {
    clocks_ = ClockSchedule(device_, record.clock_changes);
    describe_clock();
    write_clocks(record.end);
  }
  if (record.preemption) write_process_tracks(*record.preemption, root_, 2, packets_);
  if (!waits_.is_new()) write_waits(record);
  if (record.outcome != Outcome::completed) packets_.mark(now_, root_, name_of(record.outcome), "outcome");
  packets_.finish();
}

}  // namespace gdsim
