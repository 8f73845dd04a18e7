#include "support/builders.hpp"

#include <gdsim/run/repeat.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

Workload varied(std::uint64_t seed) {
  return workload_of({with(kernel_of(9, 4, {compute(us(1))}), [&](Kernel& k) {
    k.variation.draw = Draw{Distribution::lognormal, Decimal{3, -1}, DrawPer::work_group, seed};
  })});
}

}  // namespace

TEST_CASE("repetitions are the runs with seeds one higher each") {
  const DeviceSpec device = small_device();
  const Repetitions all = repeat(device, device.dispatch, varied(5), {}, 3);
  REQUIRE(all.runs.size() == 3);
  for (std::uint64_t i = 0; i < 3; ++i)
    CHECK(all.runs[i].record.duration() == run_fully(device, varied(5 + i)).record.duration());
  CHECK(all.runs[0].record.duration() != all.runs[1].record.duration());
}

TEST_CASE("bands hold every thread-picosecond of every run, and their percentiles ascend") {
  const DeviceSpec device = small_device();
  const Repetitions all = repeat(device, device.dispatch, varied(1), {}, 11);
  Int128 in_bands = 0;
  for (const Band& band : all.bands) {
    const auto& spread = band.resident_time;
    in_bands += band.sum;
    CHECK((spread.least <= spread.p5 && spread.p5 <= spread.p50 && spread.p50 <= spread.p95 &&
           spread.p95 <= spread.most));
  }
  Int128 in_runs = 0;
  for (const Repetition& one : all.runs) in_runs += one.record.resident_time;
  CHECK((in_bands == in_runs));
  CHECK(all.bands.size() <= 200);
  CHECK(all.bands.front().start == ps(0));
}

TEST_CASE("percentiles are by nearest rank") {
  const auto spread = spread_of(std::vector<int>{1, 2, 3, 4});
  CHECK(spread.least == 1);
  CHECK(spread.p5 == 1);
  CHECK(spread.p50 == 2);
  CHECK(spread.p95 == 4);
  CHECK(spread.most == 4);
}
