#include "support/builders.hpp"
#include "support/string_sink.hpp"

#include <gdsim/report/json/summary_json.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// `summary.json` of a run of 10 ns.
std::string summary_of(const DeviceSpec& device) {
  const Workload workload = workload_of({kernel_of(1, 1, {compute(ns(10))})});
  const FullRun run = run_fully(device, workload);
  const LaunchGraph graph = make_launch_graph(workload);
  const std::string title = "S";
  StringSink sink;
  write_summary_json({title, device, device.dispatch, workload, run.record, graph}, sink);
  return sink.text;
}

DeviceSpec with_changes(std::vector<ClockChange> changes) {
  return with(small_device(), [&](DeviceSpec& d) { d.clock_changes = std::move(changes); });
}

}  // namespace

TEST_CASE("the summary lists the clocks that came into force during the run") {
  const std::string summary = summary_of(with_changes({{at(ns(4)), Hertz{500'000'000}}, {at(us(1)), Hertz{1}}}));
  CHECK_THAT(summary,
             Catch::Contains("\"clocks\": [\n    {\n      \"start_ns\": 0.000,\n      \"clock_hz\": 1000000000\n"
                             "    },\n    {\n      \"start_ns\": 4.000,\n      \"clock_hz\": 500000000\n    }\n"
                             "  ]"));
}

TEST_CASE("the summary of a run under one clock is what it was without later ones") {
  CHECK(summary_of(with_changes({{at(us(1)), Hertz{1}}})) == summary_of(small_device()));
  CHECK(summary_of(with_changes({{at(ns(10)), Hertz{1}}})) == summary_of(small_device()));
  CHECK(summary_of(small_device()).find("clocks") == std::string::npos);
}
