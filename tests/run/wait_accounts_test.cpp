#include "support/builders.hpp"
#include "support/random_runs.hpp"

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/record/time_use.hpp>
#include <gdsim/run/simulate.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <array>
#include <string>

// The waits of threads over time and their totals are two accounts of the same time.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

std::size_t columns_of(const DeviceSpec& device) {
  return wait_column_count(device.memory ? device.memory->levels.size() : 0);
}

/// Thread-picoseconds of all intervals, by kind: waits for memory are those for its link and its levels.
std::array<Int128, kActivityCount> sums_of(const WaitSeries& series) {
  std::array<Int128, kActivityCount> sums{};
  for (std::size_t column = 0; column < dispatch_column(series.columns()); ++column) {
    const std::size_t kind = column < kActivityCount ? column : static_cast<std::size_t>(Activity::memory);
    for (std::uint64_t i = 0; i < WaitSeries::kMaxIntervals; ++i) sums[kind] += series.waited(i, column);
  }
  return sums;
}

std::string refusal_of(WaitSeries* series, const DeviceSpec& device, WaitSeries* again = nullptr) {
  RunOptions options;
  options.wait_series = {series};
  if (again != nullptr) options.wait_series.push_back(again);
  try {
    simulate(compiled(device, workload_of({kernel_of(4, 1, {compute(ns(1))})})), options);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("waits over time add up to the waits of the run") {
  rc::prop("both accounts", [] {
    const RandomRun drawn = draw_run();
    RC_LOG(describe(drawn));
    const Compiled ready = compiled(drawn.device, drawn.workload);
    WaitSeries series(columns_of(drawn.device));
    RunOptions options;
    options.wait_series = {&series};
    const RunRecord record = simulate(ready, options).record;
    TimeUse all;
    for (const CoreTimeUse& one : record.time_use) all += one.use;
    const auto sums = sums_of(series);
    RC_ASSERT(sums[static_cast<std::size_t>(Activity::executing)] == 0);
    for (std::size_t kind = 1; kind < static_cast<std::size_t>(Activity::access); ++kind)
      RC_ASSERT(sums[kind] == all.spent[kind]);
    RC_ASSERT(sums[static_cast<std::size_t>(Activity::access)] ==
              all.spent_on(Activity::access) + all.spent_on(Activity::memory));
  });
}

TEST_CASE("a series of waits that a run cannot use is refused") {
  const DeviceSpec device = small_device();
  const std::size_t columns = columns_of(device);
  CHECK_THAT(refusal_of(nullptr, device), Catch::Contains("options.wait_series[0]: is null"));
  WaitSeries narrow(columns - 1);
  CHECK_THAT(refusal_of(&narrow, device),
             Catch::Contains("options.wait_series[0]: has " + std::to_string(columns - 1) + " columns"));
  WaitSeries without_width(columns, Duration{0}, 10);
  CHECK_THAT(refusal_of(&without_width, device), Catch::Contains("its intervals last 0 s"));
  WaitSeries series(columns);
  CHECK_THAT(refusal_of(&series, device, &series), Catch::Contains("options.wait_series[1]: is used"));
  CHECK(refusal_of(&series, device).empty());
  CHECK_THAT(refusal_of(&series, device), Catch::Contains("options.wait_series[0]: is used by a run already"));
}
