#include "trace_reader.hpp"

#include <protozero/pbf_reader.hpp>

namespace gdsim::testing {
namespace {

TraceEvent read_event(protozero::pbf_reader body) {
  TraceEvent event;
  while (body.next()) {
    switch (body.tag()) {
      case 9: event.type = static_cast<TraceEvent::Type>(body.get_enum()); break;
      case 11: event.track = body.get_uint64(); break;
      case 23: event.name = body.get_string(); break;
      case 30: event.value = body.get_int64(); break;
      case 47: event.flows.push_back(body.get_fixed64()); break;
      case 48: event.ended_flows.push_back(body.get_fixed64()); break;
      default: body.skip();
    }
  }
  return event;
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

ReadTrace read_trace(const std::string& bytes) {
  ReadTrace trace;
  std::map<std::uint64_t, int> depth;
  protozero::pbf_reader file(bytes);
  while (file.next(1)) {
    protozero::pbf_reader packet = file.get_message();
    std::uint64_t time = 0;
    while (packet.next()) {
      switch (packet.tag()) {
        case 8: time = packet.get_uint64(); break;
        case 60: read_track(packet.get_message(), trace); break;
        case 11: {
          TraceEvent event = read_event(packet.get_message());
          event.time = time;
          check(event, depth, trace);
          trace.events.push_back(event);
          break;
        }
        default: packet.skip();
      }
    }
  }
  return trace;
}

}  // namespace gdsim::testing
