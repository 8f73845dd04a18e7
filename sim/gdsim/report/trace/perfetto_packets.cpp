#include <gdsim/report/trace/perfetto_packets.hpp>

#include <protozero/pbf_writer.hpp>

namespace gdsim {
namespace {

constexpr std::size_t kPieceSize = std::size_t{1} << 16;
constexpr std::uint32_t kSequence = 1;

// The numbers of fields and values in Perfetto's trace_packet.proto, track_descriptor.proto and track_event.proto.
namespace field {
constexpr protozero::pbf_tag_type packet = 1;
namespace packet_of {
constexpr protozero::pbf_tag_type timestamp = 8, sequence = 10, event = 11, track = 60;
}
namespace track {
constexpr protozero::pbf_tag_type uuid = 1, name = 2, parent = 5, counter = 8, child_ordering = 11, rank = 12;
}
namespace counter {
constexpr protozero::pbf_tag_type unit_name = 6;
}
namespace event {
constexpr protozero::pbf_tag_type note = 4, type = 9, track = 11, category = 22, name = 23, value = 30, flows = 47,
                                  ended_flows = 48;
}
namespace note {
constexpr protozero::pbf_tag_type number = 3, name = 10;
}
}  // namespace field

constexpr std::int32_t kExplicitOrder = 3;

enum class EventType : std::int32_t { begin = 1, end = 2, instant = 3, counter = 4 };

/// One packet that holds one event. The destructor completes it.
class EventPacket {
 public:
  EventPacket(std::string& buffer, std::uint64_t nanoseconds, EventType type, TrackId track)
      : trace_(buffer), packet_(begin_packet(trace_, nanoseconds)), event_(packet_, field::packet_of::event) {
    event_.add_enum(field::event::type, static_cast<std::int32_t>(type));
    event_.add_uint64(field::event::track, static_cast<std::uint64_t>(track));
  }

  protozero::pbf_writer& event() { return event_; }

 private:
  static protozero::pbf_writer begin_packet(protozero::pbf_writer& trace, std::uint64_t nanoseconds) {
    protozero::pbf_writer packet(trace, field::packet);
    packet.add_uint64(field::packet_of::timestamp, nanoseconds);
    packet.add_uint32(field::packet_of::sequence, kSequence);
    return packet;
  }

  protozero::pbf_writer trace_;
  protozero::pbf_writer packet_;
  protozero::pbf_writer event_;
};

}  // namespace

TrackId PerfettoPackets::add(const Track& track) {
  const TrackId id{++last_track_};
  {
    protozero::pbf_writer trace(buffer_);
    protozero::pbf_writer packet(trace, field::packet);
    packet.add_uint32(field::packet_of::sequence, kSequence);
    protozero::pbf_writer body(packet, field::packet_of::track);
    body.add_uint64(field::track::uuid, static_cast<std::uint64_t>(id));
    body.add_string(field::track::name, track.name.data(), track.name.size());
    if (track.parent != TrackId::none) body.add_uint64(field::track::parent, static_cast<std::uint64_t>(track.parent));
    if (track.kind == TrackKind::counter) {
      protozero::pbf_writer counter(body, field::track::counter);
      counter.add_string(field::counter::unit_name, track.unit.data(), track.unit.size());
    }
    if (track.kind == TrackKind::folder) body.add_enum(field::track::child_ordering, kExplicitOrder);
    body.add_int32(field::track::rank, static_cast<std::int32_t>(track.rank));
  }
  finish_packet();
  return id;
}

void PerfettoPackets::begin(std::uint64_t nanoseconds, const SliceBegin& slice) {
  {
    EventPacket packet(buffer_, nanoseconds, EventType::begin, slice.track);
    packet.event().add_string(field::event::category, slice.category.data(), slice.category.size());
    packet.event().add_string(field::event::name, slice.name.data(), slice.name.size());
    for (const auto& [name, value] : slice.notes) {
      protozero::pbf_writer note(packet.event(), field::event::note);
      note.add_uint64(field::note::number, value);
      note.add_string(field::note::name, name.data(), name.size());
    }
    for (const std::uint64_t flow : slice.flows_from) packet.event().add_fixed64(field::event::flows, flow);
    for (const std::uint64_t flow : slice.flows_to) packet.event().add_fixed64(field::event::ended_flows, flow);
  }
  finish_packet();
}

void PerfettoPackets::end(std::uint64_t nanoseconds, TrackId track) {
  { const EventPacket packet(buffer_, nanoseconds, EventType::end, track); }
  finish_packet();
}

void PerfettoPackets::mark(std::uint64_t nanoseconds, TrackId track, std::string_view name, std::string_view category) {
  {
    EventPacket packet(buffer_, nanoseconds, EventType::instant, track);
    packet.event().add_string(field::event::category, category.data(), category.size());
    packet.event().add_string(field::event::name, name.data(), name.size());
  }
  finish_packet();
}

void PerfettoPackets::count(std::uint64_t nanoseconds, TrackId track, std::int64_t value) {
  {
    EventPacket packet(buffer_, nanoseconds, EventType::counter, track);
    packet.event().add_int64(field::event::value, value);
  }
  finish_packet();
}

void PerfettoPackets::finish_packet() {
  if (buffer_.size() >= kPieceSize) finish();
}

void PerfettoPackets::finish() {
  sink_.write(buffer_);
  buffer_.clear();
}

}  // namespace gdsim
