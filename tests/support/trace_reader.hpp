#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gdsim::testing {

/// The contents of a trace for Perfetto.
struct TraceEvent {
  enum class Type { begin = 1, end = 2, instant = 3, counter = 4 };
  std::uint64_t time = 0;
  Type type{};
  std::uint64_t track = 0;
  std::string name;
  double value = 0;
  std::vector<std::uint64_t> flows;
  std::vector<std::uint64_t> ended_flows;
};
struct TraceTrack {
  std::string name;
  std::uint64_t parent = 0;
  bool is_counter = false;
};
struct ReadTrace {
  std::map<std::uint64_t, TraceTrack> tracks;
  std::vector<TraceEvent> events;
  /// The first violation: decreasing times, tracks used before they are described, slices that do not nest.
  std::string fault;

  /// The events of this type on tracks whose path begins with `path`: `TRACK TIME NAME`.
  std::vector<std::string> events_of(TraceEvent::Type type, const std::string& path) const;

  /// The path of a track from below the device: `core 0/lane 1`.
  std::string path_of(std::uint64_t track) const;
};

/// Reads a trace by its wire format alone.
ReadTrace read_trace(const std::string& bytes);

}  // namespace gdsim::testing
