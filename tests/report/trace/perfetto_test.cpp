#include "support/builders.hpp"
#include "support/random_runs.hpp"
#include "support/string_sink.hpp"
#include "support/trace_reader.hpp"

#include <gdsim/report/trace/perfetto_trace.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <iterator>
#include <map>

using namespace gdsim;
using namespace gdsim::testing;

namespace {
ReadTrace trace_of(const DeviceSpec& device, const Workload& workload, InternalRunOptions options = {}) {
  StringSink sink;
  const LaunchGraph graph = make_launch_graph(workload);
  PerfettoTrace trace("Title", device, workload, graph, sink);
  options.observers = {&trace};
  const RunRecord record = simulate(device, device.dispatch, workload, options).record;
  trace.finish(record);
  return read_trace(sink.text);
}

/// What a counter says, by nanosecond.
using Series = std::map<std::uint64_t, double>;

Series counter(const ReadTrace& trace, const std::string& path) {
  Series series;
  for (const TraceEvent& event : trace.events)
    if (event.type == TraceEvent::Type::counter && trace.path_of(event.track) == path) series[event.time] = event.value;
  return series;
}

/// The last of several values within a nanosecond, and only where it differs from the one before.
template <class Rows, class Value>
Series last_by_nanosecond(const Rows& rows, Value value) {
  Series all;
  for (const auto& row : rows) all[static_cast<std::uint64_t>(row.time.count) / 1000] = static_cast<double>(value(row));
  Series series;
  for (const auto& [time, count] : all)
    if (series.empty() || series.rbegin()->second != count) series[time] = count;
  return series;
}

/// A workload whose times are longer than a nanosecond.
Workload slower(Workload workload, std::uint64_t factor) {
  for (Kernel& kernel : workload.kernels)
    for (Step& step : kernel.program)
      if (auto* busy = std::get_if<Compute>(&step)) busy->time.amount.digits *= factor;
  return workload;
}
}  // namespace

TEST_CASE("a trace nests its slices, describes its tracks, and its counters are those of the timelines") {
  rc::prop("for any run", [] {
    RandomRun run = draw_run();
    run.workload = slower(run.workload, *rc::gen::element<std::uint64_t>(1, 37, 250));
    const ReadTrace trace = trace_of(run.device, run.workload);
    if (!trace.fault.empty()) RC_FAIL(trace.fault + "\n" + describe(run));
    const FullRun full = run_fully(run.device, run.workload);
    const auto threads = [](const auto& row) { return static_cast<std::int64_t>(row.counts.resident.threads); };
    const auto running = [](const auto& row) { return static_cast<std::int64_t>(row.counts.resident.running); };
    const auto slm = [](const auto& row) { return row.counts.resident.slm.count; };
    RC_ASSERT(counter(trace, "threads resident") == last_by_nanosecond(full.timeline, threads));
    RC_ASSERT(counter(trace, "threads running") == last_by_nanosecond(full.timeline, running));
    RC_ASSERT(counter(trace, "SLM allocated") == last_by_nanosecond(full.timeline, slm));
    for (std::uint32_t core = 0; core < run.device.cores; ++core) {
      std::vector<CorePoint> rows;
      for (const CorePoint& row : full.cores.points())
        if (index_of(row.core) == core) rows.push_back(row);
      const auto on_core = [](const CorePoint& row) { return static_cast<std::int64_t>(row.resident.threads); };
      RC_ASSERT(counter(trace, "core " + std::to_string(core) + "/threads resident") ==
                last_by_nanosecond(rows, on_core));
    }
  });
}

TEST_CASE("a clock that changes has a counter, which ends with the run") {
  const Workload workload = workload_of({kernel_of(1, 1, {compute(Duration{5'000})})});
  const DeviceSpec device = with(small_device(), [](DeviceSpec& d) {
    d.clock_changes = {
        {SimTime{2'000}, Hertz{500'000'000}}, {SimTime{2'999}, Hertz{300'000'000}}, {SimTime{6'000}, Hertz{1}}};
  });
  CHECK(counter(trace_of(device, workload), "clock") == Series{{0, 1'000'000'000}, {2, 300'000'000}});
  CHECK(counter(trace_of(small_device(), workload), "clock").empty());
}

TEST_CASE("each process has a track of when the device ran it, saved it and restored it") {
  const Kernel kernel = kernel_of(1, 1, {compute(us(6))});
  Workload workload = workload_of({kernel, kernel});
  workload.queues = {{"a", QueueOrder::in_order, {}}, {"b", QueueOrder::in_order, {}}};
  workload.launches[0].queue = QueueId{0};
  workload.launches[1].queue = QueueId{1};
  const DeviceSpec device = with(small_device(), [](DeviceSpec& d) {
    d.dispatch.kernel_choice = KernelChoice::time_sliced;
    d.dispatch.preemption = PreemptionRule{PreemptionOf::thread, {}, {}, us(4)};
    d.dispatch.preemption->save.per_work_group = {Decimal::whole(1'000'000)};
    d.dispatch.preemption->restore.per_work_group = {Decimal::whole(2'000'000)};
  });
  const ReadTrace trace = trace_of(device, workload);
  CHECK(trace.events_of(TraceEvent::Type::begin, "processes/") ==
        std::vector<std::string>{"processes/a 0 running", "processes/a 4000 saving", "processes/b 5000 running",
                                 "processes/b 9000 saving", "processes/a 10000 restoring", "processes/a 12000 running",
                                 "processes/b 14000 restoring", "processes/b 16000 running"});
  CHECK(trace.events_of(TraceEvent::Type::end, "processes/") ==
        std::vector<std::string>{"processes/a 4000", "processes/a 5000", "processes/b 9000", "processes/b 10000",
                                 "processes/a 12000", "processes/a 14000", "processes/b 16000", "processes/b 18000"});
  CHECK(trace_of(small_device(), workload).events_of(TraceEvent::Type::begin, "processes/").empty());
}

TEST_CASE("copies have no more tracks than there are engines") {
  rc::prop("for any run", [] {
    const RandomRun run = draw_run();
    const ReadTrace trace = trace_of(run.device, run.workload);
    std::uint32_t tracks = 0;
    for (const auto& [id, track] : trace.tracks) tracks += trace.path_of(id).starts_with("copy engines/") ? 1 : 0;
    RC_ASSERT(tracks <= (run.device.copy ? run.device.copy->engines : 0));
  });
}

TEST_CASE("slices of work-groups that overlap never share a lane") {
  rc::prop("for any run", [] {
    const RandomRun run = draw_run();
    const ReadTrace trace = trace_of(run.device, run.workload);
    std::map<std::uint64_t, int> depth;
    for (const TraceEvent& event : trace.events) {
      const bool is_lane = trace.path_of(event.track).find("/lane ") != std::string::npos;
      if (!is_lane || (event.type != TraceEvent::Type::begin && event.type != TraceEvent::Type::end)) continue;
      depth[event.track] += event.type == TraceEvent::Type::begin ? 1 : -1;
      // A work-group and at most one state below it: a third slice would be another work-group.
      RC_ASSERT(depth[event.track] <= 2);
      if (depth[event.track] == 2) RC_ASSERT(event.name.find("l") != 0);
    }
  });
}

TEST_CASE("a work-group that waits, placed in part, says so below its slice") {
  DeviceSpec device = small_device();
  device.cores = 1;
  device.dispatch.admission = Admission::partial;
  device.dispatch.ports = {};
  const ReadTrace trace = trace_of(device, workload_of({kernel_of(2, 6, {barrier(), compute(Duration{10'000})})}));
  CHECK(trace.fault.empty());
  std::vector<std::string> lines;
  for (const TraceEvent& event : trace.events) {
    if (event.type == TraceEvent::Type::counter) continue;
    lines.push_back(trace.path_of(event.track) + " " + std::to_string(event.time) + " " +
                    (event.type == TraceEvent::Type::begin ? event.name : "ends"));
  }
  CHECK(lines == std::vector<std::string>{"launches/launches 0 0 k0", "core 0/lane 0 0 k0", "core 0/lane 1 0 k0",
                                          "core 0/lane 1 0 placed in part, stalled at a barrier",
                                          "core 0/lane 0 10 ends", "core 0/lane 1 10 ends",
                                          "launches/launches 0 20 ends", "core 0/lane 1 20 ends"});
}

TEST_CASE("arrows lead from a launch to those that wait for its end") {
  Workload workload =
      workload_of({kernel_of(1, 1, {compute(Duration{5'000})}), kernel_of(1, 1, {compute(Duration{5'000})}),
                   kernel_of(1, 1, {compute(Duration{5'000})})});
  workload.launches[1].after = {LaunchId{0}};
  workload.launches[2].after = {LaunchId{0}, LaunchId{1}};
  const ReadTrace trace = trace_of(small_device(), workload);
  std::map<std::string, TraceEvent> launches;
  for (const TraceEvent& event : trace.events)
    if (trace.path_of(event.track).starts_with("launches/") && event.type == TraceEvent::Type::begin)
      launches[event.name] = event;
  REQUIRE(launches.size() == 3);
  CHECK(launches["k0"].flows.size() == 2);
  CHECK(launches["k1"].ended_flows == std::vector<std::uint64_t>{launches["k0"].flows[0]});
  CHECK(launches["k2"].ended_flows == std::vector<std::uint64_t>{launches["k0"].flows[1], launches["k1"].flows[0]});
}

namespace {
/// Data comes in, is worked on, and goes out again, a byte a picosecond.
Workload with_copies(std::size_t chunks) {
  Workload workload;
  workload.kernels = {kernel_of(1, 1, {compute(Duration{5'000})})};
  for (std::size_t i = 0; i < chunks; ++i) {
    const auto id = static_cast<std::uint32_t>(workload.launches.size());
    const std::string number = std::to_string(i);
    for (const std::string name : {"in", "work", "out"}) workload.launches.push_back({name + number, KernelId{0}, {}});
    workload.launches[id].work = Copy{Bytes{5'000}, CopyDirection::host_to_device};
    workload.launches[id + 1].after = {LaunchId{id}};
    workload.launches[id + 2].after = {LaunchId{id + 1}};
    workload.launches[id + 2].work = Copy{Bytes{5'000}, CopyDirection::device_to_host};
  }
  return workload;
}

DeviceSpec with_engines(std::uint32_t engines) {
  DeviceSpec device = small_device();
  device.copy = CopyRule{engines, BytesPerSecond{1'000'000'000'000}, Duration{0}};
  return device;
}
}  // namespace

TEST_CASE("copies are slices on their engines, apart by direction where there are engines for each") {
  const ReadTrace two = trace_of(with_engines(2), with_copies(2));
  CHECK(two.fault.empty());
  using Lines = std::vector<std::string>;
  CHECK(two.events_of(TraceEvent::Type::begin, "copy engines/") ==
        Lines{"copy engines/to the device 0 0 in0", "copy engines/to the device 0 5 in1",
              "copy engines/to the host 0 10 out0", "copy engines/to the host 0 15 out1"});
  CHECK(two.events_of(TraceEvent::Type::end, "copy engines/") ==
        Lines{"copy engines/to the device 0 5", "copy engines/to the device 0 10", "copy engines/to the host 0 15",
              "copy engines/to the host 0 20"});
  const ReadTrace one = trace_of(with_engines(1), with_copies(1));
  CHECK(one.events_of(TraceEvent::Type::begin, "copy engines/") ==
        Lines{"copy engines/both ways 0 0 in0", "copy engines/both ways 0 10 out0"});
  CHECK(one.events_of(TraceEvent::Type::begin, "launches/") == Lines{"launches/launches 0 5 work0"});
}

TEST_CASE("where nothing is copied, there is no track for copies") {
  const ReadTrace trace = trace_of(with_engines(2), workload_of({kernel_of(1, 1, {compute(Duration{5'000})})}));
  for (const auto& [id, track] : trace.tracks) CHECK(track.name != "copy engines");
}

TEST_CASE("arrows lead into copies and out of them") {
  const ReadTrace trace = trace_of(with_engines(2), with_copies(1));
  std::map<std::string, TraceEvent> begun;
  for (const TraceEvent& event : trace.events)
    if (event.type == TraceEvent::Type::begin && !trace.path_of(event.track).starts_with("core "))
      begun[event.name] = event;
  CHECK(begun["in0"].flows.size() == 1);
  CHECK(begun["work0"].ended_flows == begun["in0"].flows);
  CHECK(begun["work0"].flows.size() == 1);
  CHECK(begun["out0"].ended_flows == begun["work0"].flows);
}

TEST_CASE("what has not ended when a run comes to its bound stays open, and a mark says so") {
  InternalRunOptions options;
  options.bounds.time = SimTime{12'000};
  const ReadTrace trace = trace_of(with_engines(2), with_copies(2), options);
  CHECK(trace.fault.empty());
  CHECK(trace.events_of(TraceEvent::Type::begin, "copy engines/to the host").size() == 1);
  CHECK(trace.events_of(TraceEvent::Type::end, "copy engines/to the host").empty());
  CHECK(trace.events_of(TraceEvent::Type::begin, "launches/").size() == 2);
  CHECK(trace.events_of(TraceEvent::Type::end, "launches/").size() == 1);
  CHECK(trace.events_of(TraceEvent::Type::instant, "") == std::vector<std::string>{" 12 bounded"});
  CHECK(trace_of(with_engines(2), with_copies(2)).events_of(TraceEvent::Type::instant, "").empty());
}

TEST_CASE("counters say why threads wait, and sum up to the time that they waited") {
  StringSink sink;
  const DeviceSpec device = with(small_device(), [](DeviceSpec& d) {
    d.cores = 1;
    d.dispatch.admission = Admission::partial;
    d.dispatch.ports = {};
  });
  Workload waiting = workload_of({kernel_of(2, 6, {barrier(), compute(Duration{10'000'000})})});
  const LaunchGraph order = make_launch_graph(waiting);
  PerfettoTrace trace("Title", device, waiting, order, sink);
  InternalRunOptions options;
  options.observers = {&trace};
  options.wait_series = {&trace.waits()};
  const RunRecord record = simulate(device, device.dispatch, waiting, options).record;
  trace.finish(record);
  const ReadTrace read = read_trace(sink.text);
  const Series barrier_waits = counter(read, "why threads wait/stalled at a barrier");
  REQUIRE(!barrier_waits.empty());
  double waited = 0;
  for (auto at = barrier_waits.begin(); at != barrier_waits.end(); ++at) {
    const auto next = std::next(at);
    const auto end = next == barrier_waits.end() ? static_cast<std::uint64_t>(record.end.count) / 1'000 : next->first;
    waited += at->second * static_cast<double>(end - at->first) * 1'000;
  }
  Int128 told = 0;
  for (const CoreTimeUse& core : record.time_use) told += core.use.spent_on(Activity::barrier);
  CHECK(told > 0);
  CHECK(waited == Approx(static_cast<double>(told)).epsilon(0.001));
  CHECK(barrier_waits.rbegin()->second == 0);
}

TEST_CASE("a work-group takes at most 100 bytes of a trace, the counters of a device of many cores included") {
  constexpr std::uint64_t groups = 4'000;
  const DeviceSpec device = with(small_device(), [](DeviceSpec& d) { d.cores = 100; });
  const Workload workload = workload_of({kernel_of(groups, 2, {compute(Duration{1'234'567})})});
  StringSink sink;
  const LaunchGraph graph = make_launch_graph(workload);
  PerfettoTrace trace("Title", device, workload, graph, sink);
  InternalRunOptions options;
  options.observers = {&trace};
  trace.finish(simulate(device, device.dispatch, workload, options).record);
  CHECK(read_trace(sink.text).fault.empty());
  CHECK(sink.text.size() < 100 * groups);
}
