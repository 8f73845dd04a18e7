#include <gdsim/points/run_point.hpp>
#include <gdsim/sweep/study_writers.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;

TEST_CASE("each metric reads its own figure of a point and writes it in its own unit") {
  PointResult result;
  result.duration = 12'500'000;
  result.peak_occupancy = 1'000'000;
  result.mean_occupancy = 453'000;
  result.fit_occupancy = 750'000;
  result.work_groups_per_core = 3;
  result.waves = 21'500;
  const auto text = [&](const char* name) {
    const Metric& metric = metric_of(name);
    const auto value = metric_value(result, metric);
    REQUIRE(value);
    return metric_value_text(*value, metric);
  };
  CHECK(text("duration") == "12.5 us");
  CHECK(text("peak_occupancy") == "100.0 %");
  CHECK(text("mean_occupancy") == "45.3 %");
  CHECK(text("fit_occupancy") == "75.0 %");
  CHECK(text("work_groups_per_core") == "3");
  CHECK(text("waves") == "2.15");
  CHECK(metrics().size() == 6);
  for (const Metric& metric : metrics()) CHECK_FALSE(metric_value({}, metric).has_value());
}
