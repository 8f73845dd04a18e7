#include <gdsim/analysis/run_view.hpp>
#include <gdsim/page/html/html_parts.hpp>
#include <gdsim/page/plot/plots.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;

namespace {

/// A run in which the device changes `on_device` times, and its first core `on_core` times.
struct Steps {
  Timeline timeline;
  ChangePoints<CorePoint> core_points;
  RunView view;

  Steps(std::size_t on_device, std::size_t on_core, std::uint32_t cores_total) {
    for (std::size_t i = 0; i < on_device; ++i) {
      TimelinePoint point;
      point.time = SimTime{static_cast<std::int64_t>(i)};
      point.counts.resident.threads = i % 2;
      timeline.push_back(point);
    }
    for (std::size_t i = 0; i < on_core; ++i) {
      CorePoint point;
      point.time = SimTime{static_cast<std::int64_t>(i)};
      point.core = CoreId{0};
      point.resident.threads = 1 + i % 2;
      core_points.push_back(point);
    }
    view.cores = cores_total;
    view.timeline = timeline;
    view.core_points = core_points;
    view.record.contexts_total = 2;
    view.record.contexts_per_core = 2;
    view.record.end = SimTime{static_cast<std::int64_t>(on_device + on_core)};
  }
};

bool bins(std::size_t on_device, std::size_t on_core, std::uint32_t cores) {
  return is_binned(Steps(on_device, on_core, cores).view);
}

}  // namespace

TEST_CASE("2048 steps of the device or of a core in a lane are drawn one by one, more are put into bins") {
  CHECK(kMaxSteps == 2'048);
  CHECK_FALSE(bins(2'048, 0, 1));
  CHECK(bins(2'049, 0, 1));
  CHECK_FALSE(bins(1, 2'048, 1));
  CHECK(bins(1, 2'049, 1));
  CHECK(bins(1, 2'049, 8));
  CHECK_FALSE(bins(1, 2'049, 9));  // no lanes, but a map
}
