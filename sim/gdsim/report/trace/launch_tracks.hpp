#pragma once

#include <gdsim/analysis/lanes.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/record/observer.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/report/trace/perfetto_packets.hpp>
#include <gdsim/workload/launch_graph.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace gdsim {

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
