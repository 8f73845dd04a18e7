#include "support/builders.hpp"

#include <gdsim/run/internal_run_options.hpp>

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
  const Repetitions all = repeat(compiled(device, varied(5)), RunOptions{}, 3);
  REQUIRE(all.runs.size() == 3);
  for (std::uint64_t i = 0; i < 3; ++i)
    CHECK(all.runs[i].record.duration() == run_fully(device, varied(5 + i)).record.duration());
  CHECK(all.runs[0].record.duration() != all.runs[1].record.duration());
}

TEST_CASE("bands hold every thread-picosecond of every run, and their percentiles ascend") {
  const DeviceSpec device = small_device();
  const Repetitions all = repeat(compiled(device, varied(1)), RunOptions{}, 11);
  Int128 in_bands = 0;
  for (const RepetitionInterval& band : all.bands) {
    const auto& spread = band.resident_time;
    in_bands += band.sum;
    CHECK((spread.min <= spread.p5 && spread.p5 <= spread.p50 && spread.p50 <= spread.p95 && spread.p95 <= spread.max));
  }
  Int128 in_runs = 0;
  for (const Repetition& one : all.runs) in_runs += one.record.resident_time;
  CHECK((in_bands == in_runs));
  CHECK(all.bands.size() <= 200);
  CHECK(all.bands.front().begin == at(ps(0)));
}

namespace {

/// A text of the bands that differs wherever they differ.
std::string text_of(const std::vector<RepetitionInterval>& bands) {
  std::string text;
  for (const RepetitionInterval& band : bands) {
    text += to_text(band.begin) + " " + to_text(band.end) + " " + to_text(band.sum);
    const auto& spread = band.resident_time;
    for (const Int128 value : {spread.min, spread.p5, spread.p50, spread.p95, spread.max}) text += " " + to_text(value);
    text += "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("a first run that was made already is not made again, and changes nothing") {
  const DeviceSpec device = small_device();
  const Repetitions all = repeat(compiled(device, varied(1)), RunOptions{}, 5, Jobs{2});
  for (const KeepTimeline keep : {KeepTimeline::resident_threads, KeepTimeline::yes}) {
    InternalRunOptions options;
    options.keep_timeline = keep;
    RunResult first = simulate(device, device.dispatch, varied(1), options);
    const Repetitions others = repeat(compiled(device, varied(1)), RunOptions{}, 5, Jobs{1}, &first);
    REQUIRE(others.runs.size() == 5);
    CHECK(text_of(others.bands) == text_of(all.bands));
    first.record.end = at(us(1'000));
    CHECK(repeat(compiled(device, varied(1)), RunOptions{}, 2, Jobs{1}, &first).runs[0].record.end == at(us(1'000)));
    if (keep == KeepTimeline::resident_threads) continue;
    first.record.end = at(ps(1));
    CHECK_THROWS_WITH(repeat(compiled(device, varied(1)), RunOptions{}, 2, Jobs{1}, &first),
                      Catch::Contains("the first run ends before its last change"));
  }
}

TEST_CASE("bands go on to the last change of a run that stalls, though its resident threads change no more") {
  const DeviceSpec device = small_device();
  const Workload workload = workload_of({kernel_of(1, 2, {compute(us(1)), barrier(), compute(us(3)), Wait{"never"}})});
  const Repetitions all = repeat(compiled(device, workload), RunOptions{}, 2);
  REQUIRE(all.runs[0].record.outcome == Outcome::deadlock);
  REQUIRE(!all.bands.empty());
  CHECK(all.bands.back().end == at(us(4)));
}

TEST_CASE(
    "threads of a run that deadlocks hold their contexts to the end of the bands, however long other runs go on") {
  // The two threads compute, in each run for a time of its own, and then wait for ever.
  const DeviceSpec device = small_device();
  Kernel kernel = kernel_of(1, 2, {compute(us(1)), Wait{"never"}});
  kernel.variation.draw = Draw{Distribution::lognormal, Decimal{5, -1}, DrawPer::work_group, 1};
  const Repetitions all = repeat(compiled(device, workload_of({kernel})), RunOptions{}, 4);
  SimTime first_end = all.runs.front().record.end;
  SimTime last_end;
  for (const Repetition& one : all.runs) {
    REQUIRE(one.record.outcome == Outcome::deadlock);
    first_end = std::min(first_end, one.record.end);
    last_end = std::max(last_end, one.record.end);
  }
  REQUIRE(first_end < last_end);
  REQUIRE(!all.bands.empty());
  CHECK(all.bands.back().end == last_end);
  // Both threads of every run, all the time.
  for (const RepetitionInterval& band : all.bands) {
    const Int128 both = Int128{2} * (band.end - band.begin).count;
    CHECK((band.resident_time.min == both && band.resident_time.max == both && band.sum == 4 * both));
  }
}

TEST_CASE("percentiles are by nearest rank") {
  const auto spread = spread_of(std::vector<int>{1, 2, 3, 4});
  CHECK(spread.min == 1);
  CHECK(spread.p5 == 1);
  CHECK(spread.p50 == 2);
  CHECK(spread.p95 == 4);
  CHECK(spread.max == 4);
}

TEST_CASE("a number of runs that would not fit into any memory is refused") {
  const Compiled ready = compiled(small_device(), workload_of({kernel_of(1, 1, {compute(us(1))})}));
  CHECK_THROWS_AS(repeat(ready, RunOptions{}, kMaxRepetitions + 1), InputError);
  CHECK_THROWS_AS(repeat(ready, RunOptions{}, ~std::uint64_t{0}), InputError);
  CHECK(repeat(ready, RunOptions{}, 2).runs.size() == 2);
}

TEST_CASE("bands of runs that come to a bound go on to the bound, with what is resident there") {
  // Two threads of 3 us: at 2 us both are resident, and nothing has changed since they were placed.
  const DeviceSpec device = small_device();
  const Workload workload = workload_of({kernel_of(1, 2, {compute(us(3))})});
  for (const KeepTimeline keep : {KeepTimeline::resident_threads, KeepTimeline::yes}) {
    InternalRunOptions options;
    options.keep_timeline = keep;
    options.bounds.time = at(us(2));
    const RunResult first = simulate(device, device.dispatch, workload, options);
    REQUIRE(first.record.outcome == Outcome::bounded);
    const Repetitions all = repeat(compiled(device, workload), options, 3, Jobs{1}, &first);
    REQUIRE(!all.bands.empty());
    CHECK(all.bands.front().begin == at(ps(0)));
    CHECK(all.bands.back().end == at(us(2)));
    for (const RepetitionInterval& band : all.bands) CHECK((band.sum == Int128{3} * 2 * (band.end - band.begin).count));
  }
}
