#include <gdsim/report/trace/launch_tracks.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {

void write_process_tracks(const PreemptionRecord& record, TrackId root, std::uint32_t rank, PerfettoPackets& packets) {
  const TrackId folder = packets.add({root, "processes", TrackKind::folder, rank, {}});
  std::vector<TrackId> tracks;
  for (const ProcessRecord& process : record.processes) {
    const auto place = static_cast<std::uint32_t>(tracks.size());
    tracks.push_back(packets.add({folder, process.name, TrackKind::slices, place, {}}));
  }
  for (const DeviceSpan& span : record.spans) {
    const std::array<std::pair<std::string_view, std::uint64_t>, 2> notes{
        {{"work_groups", span.work_groups}, {"bytes", static_cast<std::uint64_t>(span.bytes.count)}}};
    const TrackId track = tracks[span.process];
    packets.begin(nanoseconds_of(span.begin), {track, name_of(span.use), "device", notes, {}, {}});
    packets.end(nanoseconds_of(span.end), track);
  }
}

LaunchTracks::LaunchTracks(const DeviceSpec& device, const Workload& workload, const LaunchGraph& graph,
                           PerfettoPackets& packets)
    : workload_(workload),
      packets_(packets),
      has_engines_for_directions_(device.copy && device.copy->engines > 1),
      lanes_(workload.launches.size()),
      flows_from_(workload.launches.size()),
      flows_to_(workload.launches.size()) {
  kernels_.name = "launches";
  copies_in_.name = has_engines_for_directions_ ? "to the device" : "both ways";
  copies_out_.name = "to the host";
  find_flows(graph);
}

void LaunchTracks::find_flows(const LaunchGraph& graph) {
  std::uint64_t last = 0;
  const auto& launches = workload_.launches;
  const bool is_of_several =
      std::any_of(launches.begin(), launches.end(), [](const Launch& one) { return one.is_remote(); });
  for (std::size_t launch = 0; launch < workload_.launches.size(); ++launch)
    for (const Dependency& dependency : graph.predecessors[launch]) {
      // An arrow between devices has the same number in both traces.
      const std::uint64_t flow = is_of_several ? std::uint64_t{index_of(dependency.before) + 1} << 32U | launch : ++last;
      flows_from_[index_of(dependency.before)].push_back(flow);
      flows_to_[launch].push_back(flow);
    }
}

void LaunchTracks::describe(TrackId root, std::uint32_t rank) {
  kernels_.parent = packets_.add({root, "launches", TrackKind::folder, rank, {}});
  const auto is_copy = [](const Launch& launch) { return launch.is_copy(); };
  if (std::none_of(workload_.launches.begin(), workload_.launches.end(), is_copy)) return;
  copies_in_.parent = copies_out_.parent = packets_.add({root, "copy engines", TrackKind::folder, rank + 1, {}});
  constexpr std::uint32_t behind_others = 1'000'000;
  copies_out_.first_rank = behind_others;
}

LaunchTracks::Group& LaunchTracks::group_of(const Launch& launch) {
  if (!launch.is_copy()) return kernels_;
  const bool is_out = launch.as_copy().direction == CopyDirection::device_to_host;
  return is_out && has_engines_for_directions_ ? copies_out_ : copies_in_;
}

void LaunchTracks::take(std::uint64_t nanoseconds, const LaunchFact& fact) {
  const std::size_t launch = index_of(fact.launch);
  if (fact.kind == LaunchFact::Kind::first_dispatched) return begin(nanoseconds, launch);
  Group& group = group_of(workload_.launches[launch]);
  packets_.end(nanoseconds, group.tracks[lanes_[launch]]);
  group.lanes.release(lanes_[launch]);
}

void LaunchTracks::begin(std::uint64_t nanoseconds, std::size_t index) {
  const Launch& launch = workload_.launches[index];
  Group& group = group_of(launch);
  const std::size_t lane = group.lanes.take();
  lanes_[index] = lane;
  if (lane == group.tracks.size()) {
    const std::string name = group.name + " " + std::to_string(lane);
    const std::uint32_t rank = group.first_rank + static_cast<std::uint32_t>(lane);
    group.tracks.push_back(packets_.add({group.parent, name, TrackKind::slices, rank, {}}));
  }
  const std::uint64_t amount = launch.is_copy() ? static_cast<std::uint64_t>(launch.as_copy().bytes.count)
                                                : workload_.kernel_of(launch).range.group_count();
  const std::array<std::pair<std::string_view, std::uint64_t>, 1> notes{
      {{launch.is_copy() ? "bytes" : "work_groups", amount}}};
  packets_.begin(nanoseconds, {group.tracks[lane], launch.name, launch.is_copy() ? "copy" : "launch", notes,
                               flows_from_[index], flows_to_[index]});
}

}  // namespace gdsim
