#pragma once

#include <gdsim/record/run_record.hpp>
#include <gdsim/report/trace/perfetto_packets.hpp>

#include <cstdint>

namespace gdsim {

/// Writes a folder `processes` below `root`: a track for each process, with a slice for each span in which the device
/// ran or drained it, or saved or restored its contexts. Must be called after the run, when the spans are known.
void write_process_tracks(const PreemptionRecord& record, TrackId root, std::uint32_t rank, PerfettoPackets& packets);

}  // namespace gdsim
