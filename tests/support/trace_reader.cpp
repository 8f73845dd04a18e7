#include "trace_reader.hpp"

#include <protozero/pbf_reader.hpp>

#include <optional>

namespace gdsim::testing {
namespace {

/// An event, and the counters that share its packet.
struct EventOfPacket {
  TraceEvent event;
  std::vector<std::uint64_t> more_tracks;
  std::vector<double> more_values;
};

EventOfPacket read_event(protozero::pbf_reader body, const std::map<std::uint64_t, std::string>& names) {
  EventOfPacket read;
  TraceEvent& event = read.event;
  while (body.next()) {
    switch (body.tag()) {
      case 10: event.name = names.at(body.get_uint64()); break;
      case 12: read.more_values.push_back(static_cast<double>(body.get_int64())); break;
      case 31: read.more_tracks.push_back(body.get_uint64()); break;
      case 44: event.value = body.get_double(); break;
      case 45: read.more_tracks.push_back(body.get_uint64()); break;
      case 46: read.more_values.push_back(body.get_double()); break;
      case 9: event.type = static_cast<TraceEvent::Type>(body.get_enum()); break;
      case 11: event.track = body.get_uint64(); break;
      case 30: event.value = static_cast<double>(body.get_int64()); break;
      case 47: event.flows.push_back(body.get_fixed64()); break;
      case 48: event.ended_flows.push_back(body.get_fixed64()); break;
      default: body.skip();
    }
  }
  return read;
}

/// The names of events that a packet introduces.
void read_names(protozero::pbf_reader body, std::map<std::uint64_t, std::string>& names) {
  while (body.next()) {
    if (body.tag() != 2) {
      body.skip();
      continue;
    }
    protozero::pbf_reader one = body.get_message();
    std::uint64_t number = 0;
    while (one.next()) {
      if (one.tag() == 1) number = one.get_uint64();
      if (one.tag() == 2) names[number] = one.get_string();
    }
  }
}

void read_track(protozero::pbf_reader body, ReadTrace& trace) {
  std::uint64_t id = 0;
  TraceTrack track;
  while (body.next()) {
    switch (body.tag()) {
      case 1: id = body.get_uint64(); break;
      case 2: track.name = body.get_string(); break;
      case 5: track.parent = body.get_uint64(); break;
      case 8:
        track.is_counter = true;
        body.skip();
        break;
      default: body.skip();
    }
  }
  if (trace.tracks.contains(id)) trace.fault = "a track is described twice";
  if (track.parent != 0 && !trace.tracks.contains(track.parent)) trace.fault = "a track comes before its parent";
  trace.tracks[id] = track;
}

void check(const TraceEvent& event, std::map<std::uint64_t, int>& depth, ReadTrace& trace) {
  if (!trace.events.empty() && event.time < trace.events.back().time) trace.fault = "times fall";
  const auto track = trace.tracks.find(event.track);
  if (track == trace.tracks.end()) {
    trace.fault = "a track is used before it is described";
  } else if (track->second.is_counter != (event.type == TraceEvent::Type::counter)) {
    trace.fault = "an event is on a track of another kind";
  }
  if (event.type == TraceEvent::Type::begin) ++depth[event.track];
  if (event.type == TraceEvent::Type::end && --depth[event.track] < 0) trace.fault = "a slice ends that never began";
}

}  // namespace

std::string ReadTrace::path_of(std::uint64_t id) const {
  const TraceTrack& track = tracks.at(id);
  if (track.parent == 0) return {};
  const std::string above = path_of(track.parent);
  return above.empty() ? track.name : above + "/" + track.name;
}

std::vector<std::string> ReadTrace::events_of(TraceEvent::Type type, const std::string& path) const {
  std::vector<std::string> lines;
  for (const TraceEvent& event : events)
    if (event.type == type && path_of(event.track).starts_with(path))
      lines.push_back(path_of(event.track) + " " + std::to_string(event.time) +
                      (event.name.empty() ? "" : " " + event.name));
  return lines;
}

namespace {

/// What the packets of one writer share.
struct Sequence {
  std::uint64_t time = 0;  ///< of the last packet whose time is a difference
  std::map<std::uint64_t, std::string> names;
};

void take(const EventOfPacket& read, std::uint64_t time, std::map<std::uint64_t, int>& depth, ReadTrace& trace) {
  TraceEvent event = read.event;
  event.time = time;
  check(event, depth, trace);
  trace.events.push_back(event);
  if (read.more_tracks.size() != read.more_values.size()) trace.fault = "counters lack values";
  for (std::size_t i = 0; i < read.more_tracks.size(); ++i) {
    event.track = read.more_tracks[i];
    event.value = read.more_values[i];
    check(event, depth, trace);
    trace.events.push_back(event);
  }
}

}  // namespace

ReadTrace read_trace(const std::string& bytes) {
  ReadTrace trace;
  std::map<std::uint64_t, int> depth;
  std::map<std::uint32_t, Sequence> sequences;
  protozero::pbf_reader file(bytes);
  while (file.next(1)) {
    protozero::pbf_reader packet = file.get_message();
    Sequence* sequence = nullptr;
    std::optional<std::uint64_t> time;
    bool is_difference = true;
    std::optional<protozero::pbf_reader> event;
    while (packet.next()) {
      switch (packet.tag()) {
        case 8: time = packet.get_uint64(); break;
        case 10: sequence = &sequences[packet.get_uint32()]; break;
        case 11: event = packet.get_message(); break;
        case 12: read_names(packet.get_message(), sequence->names); break;
        case 58:
          is_difference = false;
          packet.skip();
          break;
        case 60: read_track(packet.get_message(), trace); break;
        default: packet.skip();
      }
    }
    if (!event) continue;
    if (is_difference) {
      sequence->time += *time;
      time = sequence->time;
    }
    take(read_event(*event, sequence->names), *time, depth, trace);
  }
  return trace;
}

}  // namespace gdsim::testing
