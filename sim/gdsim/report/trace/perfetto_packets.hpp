#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/report/sink.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace gdsim {

/// Identifies the track that shows an event. 0 is no track.
enum class TrackId : std::uint64_t { none = 0 };

/// The content of a track.
enum class TrackKind : std::uint8_t { folder, slices, counter };

/// A track of a trace. Parent and rank determine its position.
struct Track {
  TrackId parent{};
  std::string_view name;
  TrackKind kind{};
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
/// its slices nest.
class PerfettoPackets {
 public:
  /// Writers of one trace must have different numbers, so that their tracks differ.
  explicit PerfettoPackets(Sink& sink, std::uint64_t writer = 0) : sink_(sink), last_track_(writer << 32U) {}
  PerfettoPackets(const PerfettoPackets&) = delete;
  PerfettoPackets& operator=(const PerfettoPackets&) = delete;

  /// Describes a track, which can be used afterwards.
  TrackId add(const Track& track);
  void begin(std::uint64_t nanoseconds, const SliceBegin& slice);
  void end(std::uint64_t nanoseconds, TrackId track);
  /// Writes an event without a duration.
  void mark(std::uint64_t nanoseconds, TrackId track, std::string_view name, std::string_view category);
  void count(std::uint64_t nanoseconds, TrackId track, std::int64_t value);
  /// Flushes the packets to the sink. Must be called after the last packet.
  void finish();

 private:
  void finish_packet();

  Sink& sink_;
  std::string buffer_;
  std::uint64_t last_track_;
};

}  // namespace gdsim
