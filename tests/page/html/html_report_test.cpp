#include "support/builders.hpp"
#include "support/markup.hpp"
#include "support/random_runs.hpp"
#include "support/string_sink.hpp"

#include <gdsim/analysis/run_view.hpp>
#include <gdsim/page/html/html_report.hpp>
#include <gdsim/page/picture/picture_svg.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

namespace {
/// A run with everything that its pictures need.
struct Seen {
  GroupTimeline groups;
  CoreTimeline cores;
  RunResult result;
  std::string title = "Seen";
  Workload simulated;  ///< the view refers to it
  RunView view;

  Seen(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload, InternalRunOptions options = {},
       const PlacementCatalog& policies = built_in_placements())
      : cores(device.cores), simulated(workload) {
    options.keep_timeline = KeepTimeline::yes;
    options.observers = {&groups, &cores};
    result = simulate(device, rules, simulated, options, policies);
    const LaunchGraph graph = make_launch_graph(simulated);
    RunReport report{title, device, rules, simulated, result.record, graph};
    report.timeline = &result.timeline;
    report.cores = &cores;
    view = view_of(report);
    view.group_points = groups.points();
  }
};

std::string page_of(const RunView& view) {
  StringSink sink;
  write_html_report(view, sink);
  return sink.text;
}
}  // namespace

TEST_CASE("any run has a page and a picture whose markup is balanced") {
  rc::prop("for any run", [] {
    const RandomRun run = draw_run();
    const Seen seen(run.device, run.device.dispatch, run.workload);
    RC_ASSERT(fault_of_markup(page_of(seen.view)).empty());
    StringSink picture;
    write_picture_svg(seen.view, picture);
    RC_ASSERT(fault_of_markup(picture.text).empty());
  });
}

TEST_CASE("the time of all contexts is accounted for, and what threads hold is what their kinds of time add up to") {
  rc::prop("for any run", [] {
    const RandomRun run = draw_run();
    const Seen seen(run.device, run.device.dispatch, run.workload);
    const RunRecord& record = seen.result.record;
    const TimeAccount account = time_account(seen.view);
    RC_ASSERT(account.whole() == UInt128{record.contexts_total} * static_cast<UInt128>(record.duration().count));
    RC_ASSERT(account.running + account.stalled == static_cast<UInt128>(record.resident_time));
    RC_ASSERT(seen.view.time_use->sum() == record.resident_time);
  });
}

TEST_CASE("a run that stalls has a page, which says so") {
  /// Places one work-group and then declines for ever.
  struct Once : Placement {
    bool asked = false;
    std::optional<std::size_t> choose(const IndexSet&) override {
      if (std::exchange(asked, true)) return std::nullopt;
      return 0;
    }
    bool always_chooses() const override { return false; }
  };
  InternalRunOptions options;
  PlacementCatalog policies = built_in_placements();
  policies.placements.push_back(
      {"once", [](const DeviceSpec&) -> std::unique_ptr<Placement> { return std::make_unique<Once>(); }});
  DispatchRules rules = small_device().dispatch;
  rules.placement = "once";
  const Workload workload =
      workload_of({kernel_of(3, 2, {compute(Duration{5'000})}), kernel_of(1, 1, {compute(Duration{5})})});
  const Seen seen(small_device(), rules, workload, options, policies);
  REQUIRE(seen.result.record.outcome == Outcome::deadlock);
  const std::string page = page_of(seen.view);
  CHECK(fault_of_markup(page).empty());
  CHECK_THAT(page, Catch::Contains("<dd>stalled</dd>") && Catch::Contains("<h2>Why it deadlocked</h2>") &&
                       Catch::Contains("Nothing can happen any more:"));
  // Its second launch never began.
  CHECK_THAT(page, Catch::Contains(
                       "<th scope=\"row\" class=\"name\">k1</th><td class=\"name\">k1</td><td class=\"name\"></td>") &&
                       Catch::Contains("<td>–</td><td>–</td><td>–</td>"));
}

TEST_CASE("the legend of launches explains the mark of a critical one, where there are others") {
  const std::string words = "◆ critical: a later end ends the run later";
  const auto page = [](std::initializer_list<Kernel> kernels) {
    const Seen seen(small_device(), small_device().dispatch, workload_of(kernels));
    return page_of(seen.view);
  };
  // The second ends first: the first alone is critical.
  CHECK_THAT(page({kernel_of(1, 1, {compute(us(2))}), kernel_of(1, 1, {compute(us(1))})}), Catch::Contains(words));
  CHECK_THAT(page({kernel_of(1, 1, {compute(us(2))})}), !Catch::Contains(words));
}
