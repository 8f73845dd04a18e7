#pragma once

#include <gdsim/record/run_record.hpp>
#include <gdsim/report/trace/perfetto_packets.hpp>

#include <cstdint>

namespace gdsim {

/// Writes a folder `processes` below `root`: a track for each process, with a slice for each span in which the device
/// ran it, drained it, saved its contexts or restored them. The run is over: only then are the spans known.
void write_process_tracks(const PreemptionRecord& record, TrackId root, std::uint32_t rank, PerfettoPackets& packets);

}  // namespace gdsim
