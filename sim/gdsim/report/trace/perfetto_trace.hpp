#pragma once

#include <gdsim/analysis/lanes.hpp>
#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/record/part_timelines.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/record/time_use.hpp>
#include <gdsim/report/trace/perfetto_packets.hpp>
#include <gdsim/workload/launch_graph.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace gdsim {

/// Writes a trace for the Perfetto viewer during a run: the device with its counters, its launches and copies, and
/// every core with lanes of work-groups and with its resident threads; of few cores, also those that run, and SLM.
/// Slices that overlap never share a track. Times are rounded down to nanoseconds, Perfetto's unit. If a counter
/// changes several times within one, its last value is written.
class PerfettoTrace : public Observer {
 public:
  /// `graph` is the workload's. Everything referred to must outlive this. `number` is that of the device if several
  /// devices write into one trace.
  PerfettoTrace(const std::string& title, const DeviceSpec& device, const Workload& workload, const LaunchGraph& graph,
                Sink& sink, std::size_t number = 0);

  /// The waits of threads, for the options of the run; counters show them.
  WaitSeries& waits() { return waits_; }
  Detail detail() const override { return Detail::everything; }
  void on_instant(const Instant& now) override;
  /// Must be called after the run. Slices of work that has not ended stay open; a mark says why. Writes the clocks that
  /// `power` caused, and which process used the device: they are known only after the run.
  void finish(const RunRecord& record);

 private:
  /// Forwards changes of work-groups.
  class Groups : public GroupWatch {
   public:
    explicit Groups(PerfettoTrace& trace) : trace_(trace) {}

   protected:
    void on_changed(SimTime time, std::span<const GroupChange> changes) override;

   private:
    PerfettoTrace& trace_;
  };
  /// A counter and its last written value.
  struct Counter {
    TrackId track{};
    std::optional<std::uint64_t> written;
  };
  /// The counters of the device or of a core; a core may have only the first.
  struct Counters {
    Counter resident;
    std::optional<Counter> running;
    std::optional<Counter> slm;
  };
  using Values = std::vector<std::pair<TrackId, std::int64_t>>;
  /// A work-group on its lane, and whether a slice below it shows its state.
  struct GroupLane {
    std::size_t lane = 0;
    bool has_state = false;
  };

  void move_to(SimTime time);
  /// Writes the changes of the clock up to `time`.
  void write_clocks(SimTime time);
  void describe_clock();
  void describe_tracks(const std::string& title);
  Counters describe_counters(TrackId parent, bool has_all);
  TrackId lane_track(CoreId core, std::size_t lane);
  void take(const GroupChange& change);
  void write_state(const GroupChange& change, GroupLane& group_lane, TrackId track);
  void write_counters();
  void write_waits(const RunRecord& record);
  static void add(Counter& counter, std::uint64_t value, Values& values);

  const DeviceSpec& device_;
  const Workload& workload_;
  PerfettoPackets packets_;
  LaunchTracks launches_;
  Groups groups_;
  ClockSchedule clocks_;
  std::size_t next_clock_ = 0;  ///< index of the next clock to be written
  TrackId clock_track_{};
  std::uint64_t now_ = 0;  ///< nanoseconds
  bool has_begun_ = false;
  TrackId root_{};
  DeviceCounter device_counts_;
  std::vector<Residency> core_counts_;
  Counters device_counters_;
  std::vector<Counters> core_counters_;
  std::vector<bool> is_touched_;
  std::vector<std::size_t> touched_;
  std::vector<TrackId> cores_;
  WaitSeries waits_;
  std::vector<Lanes> lanes_;                       ///< by core
  std::vector<std::vector<TrackId>> lane_tracks_;  ///< by core, then lane
  std::map<std::tuple<LaunchId, WorkGroupId, CoreId>, GroupLane> group_lanes_;
};

}  // namespace gdsim
