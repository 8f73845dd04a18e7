#include "support/builders.hpp"
#include "support/string_sink.hpp"

#include <gdsim/report/csv/csv_tables.hpp>

#include <catch2/catch.hpp>

#include <sstream>
#include <string>

using namespace gdsim;
using namespace gdsim::testing;

TEST_CASE("each row of a timeline has the occupancy of its own threads, however many different ones there were") {
  const DeviceSpec device = small_device();
  const Workload workload = workload_of({kernel_of(1, 1, {compute(us(1))})});
  const LaunchGraph graph = make_launch_graph(workload);
  RunRecord record;
  record.contexts_total = 1'100;
  Timeline timeline;
  // Forwards, then backwards.
  for (std::uint64_t i = 0; i <= 2'200; ++i) {
    TimelinePoint point{SimTime{static_cast<std::int64_t>(i)}, {}};
    point.counts.resident.threads = i <= 1'100 ? i : 2'200 - i;
    timeline.push_back(point);
  }
  const std::string title = "percents";
  RunReport report{title, device, device.dispatch, workload, record, graph};
  report.timeline = &timeline;
  StringSink sink;
  timeline_table().write(report, sink);
  std::istringstream lines(sink.text);
  std::string line;
  std::getline(lines, line);
  for (const TimelinePoint& point : timeline) {
    const std::uint64_t threads = point.counts.resident.threads;
    REQUIRE(std::getline(lines, line));
    const std::string number = std::to_string(threads);
    const std::string percent = to_fixed({UInt128{threads} * 100, 1'100}, 4);
    REQUIRE_THAT(line, Catch::Contains("," + number + ",0," + number + "," + percent + ",0,0,0,0"));
  }
  CHECK_FALSE(std::getline(lines, line));
}
