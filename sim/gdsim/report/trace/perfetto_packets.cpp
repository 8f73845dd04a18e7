#include <gdsim/report/trace/perfetto_packets.hpp>

#include <protozero/pbf_writer.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

constexpr std::size_t kPieceSize = std::size_t{1} << 16;

// The numbers of fields and values in Perfetto's trace_packet.proto, clock_snapshot.proto, interned_data.proto,
// track_descriptor.proto and track_event.proto.
namespace field {
constexpr protozero::pbf_tag_type packet = 1;
namespace packet_of {
constexpr protozero::pbf_tag_type clocks = 6, timestamp = 8, sequence = 10, event = 11, names = 12, flags = 13,
                                  clock = 58, defaults = 59, track = 60;
}
namespace clock {
constexpr protozero::pbf_tag_type clock = 1, number = 1, timestamp = 2, is_difference = 3;
}
namespace names {
constexpr protozero::pbf_tag_type categories = 1, events = 2, notes = 3, number = 1, name = 2;
}
namespace track {
constexpr protozero::pbf_tag_type uuid = 1, name = 2, parent = 5, counter = 8, child_ordering = 11, rank = 12;
}
namespace counter {
constexpr protozero::pbf_tag_type unit_name = 6;
}
namespace event {
constexpr protozero::pbf_tag_type category = 3, note = 4, type = 9, name = 10, track = 11, more_values = 12, value = 30,
                                  more_tracks = 31, fraction = 44, fraction_tracks = 45, more_fractions = 46,
                                  flows = 47, ended_flows = 48;
}
namespace note {
constexpr protozero::pbf_tag_type name = 1, number = 3;
}
}  // namespace field

constexpr std::int32_t kExplicitOrder = 3;
constexpr std::uint32_t kStateIsCleared = 1;
/// Perfetto's clock of a trace, and one of a sequence of packets, whose times are differences.
constexpr std::uint32_t kTraceClock = 6, kSequenceClock = 64;

enum class EventType : std::int32_t { begin = 1, end = 2, instant = 3, counter = 4 };

}  // namespace

/// One packet that holds one event. The destructor completes it. A time before the last one is written in full.
class PerfettoPackets::Event {
 public:
  Event(PerfettoPackets& packets, std::uint64_t nanoseconds, EventType type, TrackId track,
        const std::string& news = {})
      : trace_(packets.buffer_),
        packet_(begin_packet(packets, nanoseconds, news, trace_)),
        event_(packet_, field::packet_of::event) {
    event_.add_enum(field::event::type, static_cast<std::int32_t>(type));
    event_.add_uint64(field::event::track, static_cast<std::uint64_t>(track));
  }

  protozero::pbf_writer& event() { return event_; }

 private:
  static protozero::pbf_writer begin_packet(PerfettoPackets& packets, std::uint64_t nanoseconds,
                                            const std::string& news, protozero::pbf_writer& trace) {
    protozero::pbf_writer packet(trace, field::packet);
    packet.add_uint32(field::packet_of::sequence, packets.sequence_);
    if (nanoseconds >= packets.last_time_) {
      packet.add_uint64(field::packet_of::timestamp, nanoseconds - packets.last_time_);
      packets.last_time_ = nanoseconds;
    } else {
      packet.add_uint64(field::packet_of::timestamp, nanoseconds);
      packet.add_uint32(field::packet_of::clock, kTraceClock);
    }
    if (!news.empty()) packet.add_message(field::packet_of::names, news);
    return packet;
  }

  protozero::pbf_writer trace_;
  protozero::pbf_writer packet_;
  protozero::pbf_writer event_;
};

/// Returns the number of a name; if it is new, adds to `news` what a packet must say of it.
std::uint64_t PerfettoPackets::Names::number_of(std::string_view name, std::uint32_t kind, std::string& news) {
  if (const auto found = numbers.find(name); found != numbers.end()) return found->second;
  const std::uint64_t number = numbers.size() + 1;
  numbers.emplace(name, number);
  protozero::pbf_writer all(news);
  protozero::pbf_writer one(all, kind);
  one.add_uint64(field::names::number, number);
  one.add_string(field::names::name, name.data(), name.size());
  return number;
}

PerfettoPackets::PerfettoPackets(Sink& sink, std::uint64_t writer)
    : sink_(sink), last_track_(writer << 32U), sequence_(static_cast<std::uint32_t>(writer) + 1) {
  begin_sequence();
}

void PerfettoPackets::begin_sequence() {
  {
    protozero::pbf_writer trace(buffer_);
    protozero::pbf_writer packet(trace, field::packet);
    packet.add_uint32(field::packet_of::sequence, sequence_);
    packet.add_uint32(field::packet_of::flags, kStateIsCleared);
    protozero::pbf_writer defaults(packet, field::packet_of::defaults);
    defaults.add_uint32(field::packet_of::clock, kSequenceClock);
  }
  protozero::pbf_writer trace(buffer_);
  protozero::pbf_writer packet(trace, field::packet);
  packet.add_uint32(field::packet_of::sequence, sequence_);
  protozero::pbf_writer clocks(packet, field::packet_of::clocks);
  for (const std::uint32_t number : {kTraceClock, kSequenceClock}) {
    protozero::pbf_writer clock(clocks, field::clock::clock);
    clock.add_uint32(field::clock::number, number);
    clock.add_uint64(field::clock::timestamp, 0);
    if (number == kSequenceClock) clock.add_bool(field::clock::is_difference, true);
  }
}

TrackId PerfettoPackets::add(const Track& track) {
  const TrackId id{++last_track_};
  {
    protozero::pbf_writer trace(buffer_);
    protozero::pbf_writer packet(trace, field::packet);
    packet.add_uint32(field::packet_of::sequence, sequence_);
    protozero::pbf_writer body(packet, field::packet_of::track);
    body.add_uint64(field::track::uuid, static_cast<std::uint64_t>(id));
    body.add_string(field::track::name, track.name.data(), track.name.size());
    if (track.parent != TrackId::none) body.add_uint64(field::track::parent, static_cast<std::uint64_t>(track.parent));
    if (track.kind == TrackContent::counter) {
      protozero::pbf_writer counter(body, field::track::counter);
      counter.add_string(field::counter::unit_name, track.unit.data(), track.unit.size());
    }
    if (track.kind == TrackContent::folder) body.add_enum(field::track::child_ordering, kExplicitOrder);
    body.add_int32(field::track::rank, static_cast<std::int32_t>(track.rank));
  }
  finish_packet();
  return id;
}

void PerfettoPackets::begin(std::uint64_t nanoseconds, const SliceBegin& slice) {
  std::string news;
  const std::uint64_t category = categories_.number_of(slice.category, field::names::categories, news);
  const std::uint64_t name = names_.number_of(slice.name, field::names::events, news);
  std::vector<std::uint64_t> notes;
  for (const auto& note : slice.notes) notes.push_back(notes_.number_of(note.first, field::names::notes, news));
  {
    Event packet(*this, nanoseconds, EventType::begin, slice.track, news);
    packet.event().add_uint64(field::event::category, category);
    packet.event().add_uint64(field::event::name, name);
    for (std::size_t i = 0; i < notes.size(); ++i) {
      protozero::pbf_writer note(packet.event(), field::event::note);
      note.add_uint64(field::note::name, notes[i]);
      note.add_uint64(field::note::number, slice.notes[i].second);
    }
    for (const std::uint64_t flow : slice.flows_from) packet.event().add_fixed64(field::event::flows, flow);
    for (const std::uint64_t flow : slice.flows_to) packet.event().add_fixed64(field::event::ended_flows, flow);
  }
  finish_packet();
}

void PerfettoPackets::end(std::uint64_t nanoseconds, TrackId track) {
  { const Event packet(*this, nanoseconds, EventType::end, track); }
  finish_packet();
}

void PerfettoPackets::mark(std::uint64_t nanoseconds, TrackId track, std::string_view name, std::string_view category) {
  std::string news;
  const std::uint64_t category_number = categories_.number_of(category, field::names::categories, news);
  const std::uint64_t name_number = names_.number_of(name, field::names::events, news);
  {
    Event packet(*this, nanoseconds, EventType::instant, track, news);
    packet.event().add_uint64(field::event::category, category_number);
    packet.event().add_uint64(field::event::name, name_number);
  }
  finish_packet();
}

namespace {

/// How an event has the values of counters that are whole numbers.
struct WholeValues {
  static constexpr protozero::pbf_tag_type more_tracks = field::event::more_tracks;
  static void add_first(protozero::pbf_writer& event, std::int64_t value) {
    event.add_int64(field::event::value, value);
  }
  static void add_more(protozero::pbf_writer& event, std::int64_t value) {
    event.add_int64(field::event::more_values, value);
  }
};

/// The same for fractions.
struct FractionValues {
  static constexpr protozero::pbf_tag_type more_tracks = field::event::fraction_tracks;
  static void add_first(protozero::pbf_writer& event, double value) { event.add_double(field::event::fraction, value); }
  static void add_more(protozero::pbf_writer& event, double value) {
    event.add_double(field::event::more_fractions, value);
  }
};

}  // namespace

template <class Value, class Fields>
void PerfettoPackets::write_counters(std::uint64_t nanoseconds, std::span<const std::pair<TrackId, Value>> values,
                                     const Fields& fields) {
  constexpr std::size_t max_in_packet = 9;  // Perfetto takes 8 beside an event's own
  while (!values.empty()) {
    const auto some = values.first(std::min(values.size(), max_in_packet));
    values = values.subspan(some.size());
    {
      Event packet(*this, nanoseconds, EventType::counter, some.front().first);
      fields.add_first(packet.event(), some.front().second);
      for (const auto& [track, value] : some.subspan(1)) {
        packet.event().add_uint64(Fields::more_tracks, static_cast<std::uint64_t>(track));
        fields.add_more(packet.event(), value);
      }
    }
    finish_packet();
  }
}

void PerfettoPackets::count(std::uint64_t nanoseconds, std::span<const std::pair<TrackId, std::int64_t>> values) {
  write_counters(nanoseconds, values, WholeValues{});
}

void PerfettoPackets::count(std::uint64_t nanoseconds, std::span<const std::pair<TrackId, double>> values) {
  write_counters(nanoseconds, values, FractionValues{});
}

void PerfettoPackets::finish_packet() {
  if (buffer_.size() >= kPieceSize) finish();
}

void PerfettoPackets::finish() {
  sink_.write(buffer_);
  buffer_.clear();
}

void write_process_tracks(const PreemptionRecord& record, TrackId root, std::uint32_t rank, PerfettoPackets& packets) {
  const TrackId folder = packets.add({root, "processes", TrackContent::folder, rank, {}});
  std::vector<TrackId> tracks;
  for (const ProcessRecord& process : record.processes) {
    const auto place = static_cast<std::uint32_t>(tracks.size());
    tracks.push_back(packets.add({folder, process.name, TrackContent::slices, place, {}}));
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
      std::any_of(launches.begin(), launches.end(), [](const Launch& launch) { return launch.is_remote(); });
  for (std::size_t launch = 0; launch < workload_.launches.size(); ++launch)
    for (const Dependency& dependency : graph.predecessors[launch]) {
      // An arrow between devices has the same number in both traces.
      const std::uint64_t flow =
          is_of_several ? std::uint64_t{index_of(dependency.before) + 1} << 32U | launch : ++last;
      flows_from_[index_of(dependency.before)].push_back(flow);
      flows_to_[launch].push_back(flow);
    }
}

void LaunchTracks::describe(TrackId root, std::uint32_t rank) {
  kernels_.parent = packets_.add({root, "launches", TrackContent::folder, rank, {}});
  const auto is_copy = [](const Launch& launch) { return launch.is_copy(); };
  if (std::none_of(workload_.launches.begin(), workload_.launches.end(), is_copy)) return;
  copies_in_.parent = copies_out_.parent = packets_.add({root, "copy engines", TrackContent::folder, rank + 1, {}});
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
  if (fact.kind == LaunchFact::Event::first_dispatched) return begin(nanoseconds, launch);
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
    group.tracks.push_back(packets_.add({group.parent, name, TrackContent::slices, rank, {}}));
  }
  const std::uint64_t amount = launch.is_copy() ? static_cast<std::uint64_t>(launch.as_copy().bytes.count)
                                                : workload_.kernel_of(launch).range.group_count();
  const std::array<std::pair<std::string_view, std::uint64_t>, 1> notes{
      {{launch.is_copy() ? "bytes" : "work_groups", amount}}};
  packets_.begin(nanoseconds, {group.tracks[lane], launch.name, launch.is_copy() ? "copy" : "launch", notes,
                               flows_from_[index], flows_to_[index]});
}

}  // namespace gdsim
