#include "cases/case_run.hpp"
#include "commands/comparison_text.hpp"
#include "support/builders.hpp"
#include "support/process.hpp"
#include "support/scenarios.hpp"
#include "support/string_sink.hpp"
#include "support/temporary_folder.hpp"
#include <gdsim/compare/measured_file.hpp>
#include <gdsim/compare/run_diff.hpp>
#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/page/html/html_report.hpp>
#include <gdsim/page/picture/picture_svg.hpp>
#include <gdsim/report/csv/csv_tables.hpp>
#include <gdsim/report/format_catalog.hpp>
#include <gdsim/report/json/summary_json.hpp>
#include <gdsim/report/text/run_text.hpp>
#include <gdsim/report/trace/perfetto_trace.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <memory>
#include <set>

// A run may end at any instant: at a bound, by a signal, in a deadlock, also before anything was dispatched. Whatever
// it did until then can be written, drawn, and put beside other runs and measurements.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

const std::string kOne =
    "scenario: One\ndevice: tiny\nkernels:\n"
    "  k: {global: 60, local: 3, sub_group: 1, program: [compute: 1 us, barrier, compute: 300 ns], "
    "variation: {work_groups: {2: 1.5, 7: 0.5}}}\nlaunches: [kernel: k]\n";

/// Launches that cost time, a host that needs some, copies before and behind them, and two kernels at once.
const std::string kSeveral =
    "scenario: Several\ndevice:\n  base: tiny\n  launch_cost: 300 ns\n  submit_overhead: 70 ns\n"
    "  copy: {engines: 1, bandwidth: 1 GB/s}\ndispatch: {concurrent_kernels: 2}\nkernels:\n"
    "  k: {global: 20, local: 4, sub_group: 4, program: [compute: 1 us, barrier, compute: 500 ns]}\n"
    "  m: {global: 9, local: 3, sub_group: 1, program: [compute: 400 ns]}\nqueues: {q: {order: out_of_order}}\n"
    "launches:\n  - {copy: {bytes: 500 B, direction: host_to_device}, name: in, queue: q, writes: [a]}\n"
    "  - {kernel: k, name: first, queue: q, reads: [a], writes: [b]}\n  - {kernel: m, at: 2 us, queue: q}\n"
    "  - {kernel: k, name: second, queue: q, reads: [b], writes: [c]}\n"
    "  - {copy: {bytes: 300 B, direction: device_to_host}, name: out, queue: q, reads: [c]}\n";

/// The first launch ends, the second one's threads wait for each other.
const std::string kDeadlock =
    "scenario: Deadlock\ndevice: {base: tiny, launch_cost: 200 ns}\nkernels:\n"
    "  k: {global: 16, local: 8, sub_group: 8, program: [compute: 1 us]}\n"
    "  stuck: {global: 16, local: 16, sub_group: 8, program: [compute: 1 us, wait: never]}\n"
    "launches:\n  - {kernel: k}\n  - {kernel: stuck, after: [k]}\n";

const std::set<Keeps> kAll{Keeps::nothing,  Keeps::timeline,     Keeps::cores, Keeps::work_groups,
                           Keeps::launches, Keeps::group_states, Keeps::waits};

/// A scenario, run until `options` end it, and all that can be made of it.
class EndedRun {
 public:
  EndedRun(const Scenario& scenario, InternalRunOptions options)
      : EndedRun(scenario, cli::compile_case(scenario), std::move(options)) {}

  const RunRecord& record() const { return run_->record(); }
  RunReport report() const { return run_->report(); }

  /// What `run --chart`, `--sample`, `--trace` and block times make of it.
  std::string texts() const {
    RunReport all = report();
    StringSink sink;
    sink.text =
        run_text(all) + chart_text(all, {Glyphs::ascii}) + chart_text(all, {Glyphs::unicode, 200, true}) + trace_.text;
    all.sampled_waits = all.waits;
    samples_table(all.waits->width())->write(all, sink);
    for (const Format& format : export_formats()) format.write(all, sink);
    for (const Format& format : built_in_formats())
      if (format.keeps != Keeps::repetitions) format.write(all, sink);
    return sink.text;
  }

 private:
  EndedRun(const Scenario& scenario, const Compiled& compiled, InternalRunOptions options) {
    PerfettoTrace trace(scenario.title, scenario.device, scenario.workload, graph_of(compiled), trace_);
    options.observers.push_back(&trace);
    run_ = std::make_unique<cli::CaseRun>(scenario, compiled, kAll, options);
    trace.finish(run_->record());
  }

  StringSink trace_;
  std::unique_ptr<cli::CaseRun> run_;
};

std::string page_of(const RunView& view) {
  StringSink sink;
  write_html_report(view, sink);
  write_picture_svg(view, sink);
  return sink.text;
}

std::string differences(const RunView& a, const RunView& b) {
  const NamedRuns runs{"a", a, "b", b};
  StringSink sink;
  write_diff_csv(runs, sink);
  write_diff_json(runs, sink);
  write_diff_svg(runs, sink);
  write_diff_page(runs, sink);
  return sink.text + diff_text(runs);
}

std::string comparisons(const RunView& view) {
  const MeasuredFile file{{{at(us(1)), at(us(2)), MeasuredOccupancy::kFull / 2}, {}}};
  StringSink sink;
  for (const Stretch stretch : {Stretch::no, Stretch::yes}) {
    const MeasuredOccupancy measured = align(file, view, stretch);
    write_comparison_svg(view, measured, sink);
    sink.text += cli::comparison_text(view, measured, compare(view, measured));
  }
  return sink.text;
}

/// All of it can be made.
void require_reports(const Scenario& scenario, const EndedRun& run, const RunView& whole) {
  const RunView view = view_of(run.report());
  CHECK_THAT(page_of(view), Catch::Contains(scenario.title));
  CHECK(!differences(whole, view).empty());
  CHECK(!differences(view, whole).empty());
  CHECK(!comparisons(view).empty());
  CHECK_THAT(run.texts(), Catch::Contains(scenario.title));
}

struct Ends {
  std::size_t before_begin = 0;     ///< no launch has begun
  std::size_t before_dispatch = 0;  ///< one has, and nothing was dispatched
  std::size_t without_time = 0;     ///< at the instant of the first dispatch
  std::size_t later = 0;

  void count(const RunRecord& record) {
    const bool has_begun = record.duration() > Duration{};
    const bool is_dispatched = std::any_of(record.launches.begin(), record.launches.end(),
                                           [](const LaunchRecord& one) { return one.first_dispatched.has_value(); });
    ++(record.active() > Duration{} ? later
       : is_dispatched              ? without_time
       : has_begun                  ? before_dispatch
                                    : before_begin);
  }
};

/// Ends the scenario at each of its events, and a picosecond before, at and after each of its instants.
Ends require_reports_at_every_end(const std::string& text) {
  const ReadText read = read_text(text);
  REQUIRE(read.problems.empty());
  const Scenario& scenario = read.scenario();
  const EndedRun whole(scenario, {});
  const RunView view = view_of(whole.report());
  std::set<std::int64_t> times{0, 1};
  const auto add = [&](OptionalTime time) {
    if (time)
      for (const std::int64_t near : {time->count - 1, time->count, time->count + 1})
        if (near >= 0) times.insert(near);
  };
  for (const TimelinePoint& point : *whole.report().timeline) add(point.time);
  for (const LaunchRecord& one : whole.record().launches)
    for (const OptionalTime time : {one.submitted, one.ready, one.begun, one.first_dispatched, one.ended}) add(time);
  Ends ends;
  const auto end = [&](const InternalRunOptions& options) {
    const EndedRun run(scenario, options);
    INFO(text << "ended at " << run.record().end.count << " ps");
    require_reports(scenario, run, view);
    ends.count(run.record());
    return run.record().outcome;
  };
  for (const std::int64_t time : times) {
    InternalRunOptions options;
    options.bounds.time = at(ps(time));
    end(options);
  }
  for (std::uint64_t events = 1;; ++events) {
    InternalRunOptions options;
    options.bounds.events = events;
    if (end(options) != Outcome::bounded) return ends;
  }
}

/// Says that a stop is requested.
struct Stopped {
  bool stop_requested() const { return true; }
};

}  // namespace

TEST_CASE("a run that ends anywhere can be reported: one launch") {
  const Ends ends = require_reports_at_every_end(kOne);
  CHECK(ends.without_time > 0);
  CHECK(ends.later > 10);
}

TEST_CASE("a run that ends anywhere can be reported: several launches that cost time, and copies") {
  const Ends ends = require_reports_at_every_end(kSeveral);
  CHECK(ends.before_begin > 0);
  CHECK(ends.later > 10);
}

TEST_CASE("a run that ends anywhere can be reported: before the first dispatch, and in a deadlock") {
  const Ends ends = require_reports_at_every_end(kDeadlock);
  CHECK(ends.before_dispatch > 0);
  CHECK(ends.without_time > 0);
  CHECK(ends.later > 10);
}

TEST_CASE("a run that is interrupted at its first instant can be reported") {
  for (const std::string& text : {kOne, kSeveral, kDeadlock}) {
    const ReadText read = read_text(text);
    InternalRunOptions options;
    options.stop = Stopped{};
    const EndedRun run(read.scenario(), options);
    CHECK(run.record().outcome == Outcome::interrupted);
    const EndedRun whole(read.scenario(), {});
    require_reports(read.scenario(), run, view_of(whole.report()));
  }
}

TEST_CASE("the folder of a run that ended before its first dispatch is drawn, compared, and put beside others") {
  const TemporaryFolder folder;
  const std::string file = folder.write("s.yaml", kDeadlock);
  const std::string measured = folder.write("m.csv", "time_ns,occupancy_percent\n0,50\n1000,50\n2000,0\n");
  const auto path = [&](const std::string& name) { return (folder.path() / name).string(); };
  const std::vector<std::vector<std::string>> bounds{
      {"--max-events", "1"}, {"--max-events", "3"}, {"--max-time", "1 ps"}, {"--max-time", "200 ns"}};
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    const std::string out = path("out" + std::to_string(i));
    std::vector<std::string> words{"run", file, "-o", out, "--chart", "--trace", path("t.pftrace"), "--sample", "1 us"};
    words.insert(words.end(), bounds[i].begin(), bounds[i].end());
    const Ran ran = run_gdsim(words);
    CHECK(ran.status == 0);
    CHECK_THAT(ran.err, Catch::Contains("came to its bound"));
    for (const char* page : {"p.html", "p.svg"}) {
      const Ran report = run_gdsim({"report", out, "-o", path(page)});
      CHECK(report.status == 0);
      CHECK_THAT(report.err, Catch::Contains("came to its bound") && !Catch::Contains("now it ends"));
    }
    CHECK(run_gdsim({"diff", out, file, "-o", path("d.html")}).status == 3);  // the scenario stalls
    CHECK(run_gdsim({"diff", out, out, "--fail-if", "duration > 5 %"}).status == 0);
    const Ran compared = run_gdsim({"compare", out, "--measured", measured, "-o", path("c.svg")});
    CHECK(compared.status == 0);
    CHECK_THAT(compared.out, Catch::Contains("simulated 0 s, measured 2 us") && Catch::Contains("nothing to compare") &&
                                 !Catch::Contains("apart by"));
  }
}
