#include <gdsim/report/trace/process_tracks.hpp>

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

}  // namespace gdsim
