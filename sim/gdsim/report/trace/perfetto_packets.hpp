#pragma once

#include <gdsim/analysis/lanes.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/record/observer.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/report/sink.hpp>
#include <gdsim/workload/launch_graph.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {

/// Identifies the track that shows an event. 0 is no track.
enum class TrackId : std::uint64_t { none = 0 };

/// The content of a track.
enum class TrackContent : std::uint8_t { folder, slices, counter };

/// A track of a trace. Parent and rank determine its position.
struct Track {
  TrackId parent{};
  std::string_view name;
  TrackContent kind{};
  std::uint32_t rank = 0;
  std::string_view unit;  ///< of a counter
};

/// The begin of a slice.
struct SliceBegin {
  TrackId track{};
  std::string_view name;
  std::string_view category;
  std::span<const std::pair<std::string_view, std::uint64_t>> notes;
  std::span<const std::uint64_t> flows_from;  ///< arrows that begin here, by number
  std::span<const std::uint64_t> flows_to;    ///< arrows that end here
};

/// Rounds down to nanoseconds, Perfetto's unit.
inline std::uint64_t nanoseconds_of(SimTime time) { return static_cast<std::uint64_t>(time.count) / 1'000; }

/// Writes packets of Perfetto's trace format. The caller must keep their order: times of a track never decrease, and
/// its slices nest. Names are written once and then meant by number, and times are differences, so that a packet takes
/// about 20 bytes.
class PerfettoPackets {
 public:
  /// Writers of one trace must have different numbers, so that their tracks differ.
  PerfettoPackets(Sink& sink, std::uint64_t writer);
  PerfettoPackets(const PerfettoPackets&) = delete;
  PerfettoPackets& operator=(const PerfettoPackets&) = delete;

  /// Describes a track, which can be used afterwards.
  TrackId add(const Track& track);
  void begin(std::uint64_t nanoseconds, const SliceBegin& slice);
  void end(std::uint64_t nanoseconds, TrackId track);
  /// Writes an event without a duration.
  void mark(std::uint64_t nanoseconds, TrackId track, std::string_view name, std::string_view category);
  /// Writes what counters are from this time on: each with its track, all in one packet.
  void count(std::uint64_t nanoseconds, std::span<const std::pair<TrackId, std::int64_t>> values);
  /// The same for counters that are not whole numbers.
  void count(std::uint64_t nanoseconds, std::span<const std::pair<TrackId, double>> values);
  /// Flushes the packets to the sink. Must be called after the last packet.
  void finish();

 private:
  /// The numbers of names, by Perfetto's kind of name.
  struct Names {
    std::map<std::string, std::uint64_t, std::less<>> numbers;
    std::uint64_t number_of(std::string_view name, std::uint32_t kind, std::string& news);
  };
  class Event;

  void begin_sequence();
  void finish_packet();
  template <class Value, class Fields>
  void write_counters(std::uint64_t nanoseconds, std::span<const std::pair<TrackId, Value>> values,
                      const Fields& fields);

  Sink& sink_;
  std::string buffer_;
  std::uint64_t last_track_;
  std::uint32_t sequence_;
  std::uint64_t last_time_ = 0;  ///< of the last packet whose time is a difference
  Names categories_, names_, notes_;
};

/// Writes a folder `processes` below `root`: a track for each process, with a slice for each span in which the device
/// ran or drained it, or saved or restored its contexts. Must be called after the run, when the spans are known.
void write_process_tracks(const PreemptionRecord& record, TrackId root, std::uint32_t rank, PerfettoPackets& packets);

/// The launches of a trace, and the copies on their engines, as slices. Arrows lead from each to those that wait for
/// its end. Slices that overlap never share a track.
class LaunchTracks {
 public:
  /// Everything referred to must outlive this.
  LaunchTracks(const DeviceSpec& device, const Workload& workload, const LaunchGraph& graph, PerfettoPackets& packets);

  /// Describes folders below `root`, at this rank and the next.
  void describe(TrackId root, std::uint32_t rank);
  void take(std::uint64_t nanoseconds, const LaunchFact& fact);

 private:
  /// The tracks of one kind of launches: kernels, or copies of a direction.
  struct Group {
    std::string name;
    TrackId parent{};
    std::uint32_t first_rank = 0;
    Lanes lanes;
    std::vector<TrackId> tracks;  ///< by lane
  };

  Group& group_of(const Launch& launch);
  void begin(std::uint64_t nanoseconds, std::size_t launch);
  void find_flows(const LaunchGraph& graph);

  const Workload& workload_;
  PerfettoPackets& packets_;
  bool has_engines_for_directions_;
  Group kernels_;
  Group copies_in_;                 ///< to the device; in both directions on an engine that serves both
  Group copies_out_;                ///< to the host
  std::vector<std::size_t> lanes_;  ///< by launch
  std::vector<std::vector<std::uint64_t>> flows_from_;  ///< by launch: arrows to those that wait for it
  std::vector<std::vector<std::uint64_t>> flows_to_;    ///< by launch: arrows from those it waits for
};

}  // namespace gdsim
