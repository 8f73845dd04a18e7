#include "support/builders.hpp"
#include "support/temporary_folder.hpp"
#include <gdsim/calibrate/calibration.hpp>

#include <catch2/catch.hpp>

#include <atomic>
#include <memory>
#include <random>

// Parameters are recovered from times that gdsim wrote itself, with noise, and what does not matter is not known.

using namespace gdsim;
using namespace gdsim::testing;
using Catch::Matchers::Contains;

namespace {

/// Waves of work-groups that read memory: their number and what they read vary.
const std::string kScenario =
    "scenario: fitted\ndevice: {base: xe-lp-tgl}\nkernels:\n  k:\n    global: 8192\n    local: 512\n    sub_group: 32\n"
    "    variation: none\n    program: [compute: 5 us, memory: 8 KiB]\nlaunches: [{kernel: k}]\n";

/// Times of the scenario with `truth` set, each off by up to `noise` hundredths.
std::string times_with(const TemporaryFolder& folder, const std::vector<Override>& truth, int noise) {
  std::mt19937_64 random(11);
  std::string table = "kernels.k.global,kernels.k.program.1.memory,time_ps\n";
  for (const int groups : {4, 16, 42, 84, 168})
    for (const int kib : {1, 16}) {
      ReadOptions options;
      options.models = {source_path("models")};
      options.overrides = truth;
      options.overrides.push_back({"kernels.k.global", std::to_string(groups * 512)});
      options.overrides.push_back({"kernels.k.program.1.memory", std::to_string(kib) + " KiB"});
      SourceFiles sources;
      const auto cases = read_scenario(folder.path() / "s.yaml", options, sources);
      const Scenario& scenario = cases.at(0).scenario;
      const std::int64_t time = simulate(scenario.device, scenario.dispatch, scenario.workload).record.duration().count;
      const auto off = static_cast<std::int64_t>(random() % 2001) - 1000;
      table += std::to_string(groups * 512) + "," + std::to_string(kib) + " KiB," +
               std::to_string(time + time / 100 * noise * off / 1000) + "\n";
    }
  return table;
}

struct Fitted {
  Calibration calibration;
  std::string problems;
};

Fitted fit(const TemporaryFolder& folder, const std::string& table, const std::vector<std::string>& fits,
           const CalibrationOptions& options, Jobs jobs = {1}, const RunOptions& run_options = {}) {
  const SourceText source("times.csv", table);
  Diagnostics problems;
  Fitted fitted;
  try {
    const MeasuredTimes measured = read_measured_times(source, problems);
    problems.throw_if_any();
    std::vector<FitRange> ranges;
    for (const std::string& one : fits) ranges.push_back(parse_fit_range(one));
    ReadOptions read;
    read.models = {source_path("models")};
    TemplatePool pool(folder.path() / "s.yaml", read);
    TimeModel model(pool, ranges, measured, run_options, jobs);
    fitted.calibration = calibrate(model, ranges, measured, options);
  } catch (const InputError& error) {
    fitted.problems = error.what();
  }
  return fitted;
}

bool holds(const FitRange& range, const FittedParameter& found, const char* truth) {
  return range.steps_of(found.low) <= range.steps_of(truth) && range.steps_of(truth) <= range.steps_of(found.high);
}

const std::string kCompute = "kernels.k.program.0.compute=1.0 us..30.0 us";
const std::string kBandwidth = "device.memory.levels.2.bandwidth=10.0 GB/s..90.0 GB/s";
// The time between submission and arrival is no part of a duration.
const std::string kLatency = "device.launch_latency=100 ns..5000 ns";

}  // namespace

TEST_CASE("two parameters are recovered from noisy times, and held-out rows are nearly as good") {
  const TemporaryFolder folder;
  folder.write("s.yaml", kScenario);
  const std::string table =
      times_with(folder, {{"kernels.k.program.0.compute", "7 us"}, {"device.memory.levels.2.bandwidth", "50 GB/s"}}, 1);
  const Fitted found = fit(folder, table, {kCompute, kBandwidth}, {30, 1, 200});
  INFO(found.problems << calibration_text(found.calibration));
  REQUIRE(found.calibration.parameters.size() == 2);
  CHECK(found.calibration.rows_held_out == 3);
  CHECK(found.calibration.parameters[0].knowledge == Knowledge::determined);
  CHECK(found.calibration.parameters[1].knowledge == Knowledge::determined);
  CHECK(holds(parse_fit_range(kCompute), found.calibration.parameters[0], "7 us"));
  CHECK(holds(parse_fit_range(kBandwidth), found.calibration.parameters[1], "50 GB/s"));
  CHECK(std::stod(to_fixed(found.calibration.error_fitted, 6)) < 0.01);
  CHECK(std::stod(to_fixed(found.calibration.error_held_out.value(), 6)) < 0.02);
}

TEST_CASE("a parameter that the times do not depend on is not determined") {
  const TemporaryFolder folder;
  folder.write("s.yaml", kScenario);
  const std::string table = times_with(folder, {{"kernels.k.program.0.compute", "7 us"}}, 1);
  const Fitted found = fit(folder, table, {kCompute, kLatency}, {0, 0, 100});
  INFO(found.problems << calibration_text(found.calibration));
  REQUIRE(found.calibration.parameters.size() == 2);
  CHECK(found.calibration.parameters[0].knowledge == Knowledge::determined);
  CHECK(found.calibration.parameters[1].knowledge == Knowledge::not_determined);
  CHECK_THAT(calibration_text(found.calibration),
             Contains("device.launch_latency is not determined") && Contains("the data determine 1 of 2 parameters"));
}

TEST_CASE("a parameter that matters only below a value is known to be at least that") {
  const TemporaryFolder folder;
  folder.write("s.yaml", kScenario);
  // Beyond some bandwidth, latency and compute alone decide.
  const std::string table = times_with(folder, {{"device.memory.levels.2.bandwidth", "5000 GB/s"}}, 1);
  const Fitted found = fit(folder, table, {"device.memory.levels.2.bandwidth=1 GB/s..9000 GB/s"}, {0, 0, 60});
  INFO(found.problems << calibration_text(found.calibration));
  REQUIRE(found.calibration.parameters.size() == 1);
  CHECK(found.calibration.parameters[0].knowledge == Knowledge::at_least);
  CHECK(found.calibration.parameters[0].high == "9000 GB/s");
}

TEST_CASE("the fit is never worse than the scenario's own values, and does not depend on the number of jobs") {
  const TemporaryFolder folder;
  folder.write("s.yaml", kScenario);
  const std::string table = times_with(folder, {}, 0);
  const Fitted one = fit(folder, table, {kCompute}, {0, 0, 10});
  const Fitted three = fit(folder, table, {kCompute}, {0, 0, 10}, {3});
  INFO(one.problems << calibration_text(one.calibration));
  CHECK(one.calibration.parameters.at(0).value == "5 us");
  CHECK(one.calibration.error_fitted.numerator == 0U);
  CHECK(calibration_text(one.calibration) == calibration_text(three.calibration));
}

TEST_CASE("what cannot be fitted is refused with its reason") {
  const TemporaryFolder folder;
  folder.write("s.yaml", kScenario);
  const std::string table = "kernels.k.global,time_us\n512,20\n1024,21\n";
  CHECK_THAT(fit(folder, table, {"kernels.k.global=1..9"}, {}).problems, Contains("fitted or measured already"));
  CHECK_THAT(fit(folder, table, {kCompute, kBandwidth, kLatency}, {}).problems,
             Contains("3 parameters cannot be fitted to 2 rows"));
  CHECK_THAT(fit(folder, "kernels.k.global,time_us\n512,20\n513,21\n", {kCompute}, {}).problems,
             Contains("times.csv:3:1: error: this row cannot be run"));
  CHECK_THAT(fit(folder, "no.such.value,time_us\n512,20\n", {kCompute}, {}).problems, Contains("no"));
  CHECK_THAT(fit(folder, "kernels.k.global,time_us\n512,0\nx,y\n", {kCompute}, {}).problems,
             Contains("times.csv:2:1: error: time_us: '0' must be above 0") && Contains("times.csv:3:1"));
  CHECK_THAT(fit(folder, "kernels.k.global\n512\n", {kCompute}, {}).problems, Contains("a column `time_ns`"));
  CHECK_THAT(fit(folder, "time_ns,time_us\n1,2\n", {kCompute}, {}).problems, Contains("two columns of times"));
}

TEST_CASE("values with which a row cannot be run are no bound of the data") {
  const TemporaryFolder folder;
  folder.write("s.yaml", kScenario);
  // On an idle device the number of cores changes nothing; more SLM than a core has is refused.
  const std::string table = "kernels.k.global,time_us\n512,20\n1024,20\n2048,20\n";
  const Fitted found = fit(folder, table, {"kernels.k.slm=0 KiB..1024 KiB"}, {0, 0, 40});
  INFO(found.problems << calibration_text(found.calibration));
  REQUIRE(found.calibration.parameters.size() == 1);
  const FittedParameter& slm = found.calibration.parameters[0];
  CHECK(slm.high_end == RangeEnd::refused);
  CHECK(slm.high == "64 KiB");
  CHECK(slm.knowledge == Knowledge::not_determined);
  CHECK_THAT(calibration_text(found.calibration),
             Contains("kernels.k.slm: above 64 KiB a row cannot be run; that is no bound of the data."));
}

TEST_CASE("a range whose middle cannot run is searched where it can") {
  const TemporaryFolder folder;
  folder.write("s.yaml", kScenario);
  const std::string table = times_with(folder, {}, 0);
  // The middle by factors, 131 KiB, is more than a core has.
  const Fitted found = fit(folder, table, {kCompute, "kernels.k.slm=16 KiB..1024 KiB"}, {0, 0, 60});
  INFO(found.problems << calibration_text(found.calibration));
  REQUIRE(found.calibration.parameters.size() == 2);
  CHECK(found.calibration.parameters[0].knowledge == Knowledge::determined);
  const Fitted none = fit(folder, table, {"kernels.k.slm=100 KiB..1024 KiB"}, {0, 0, 60});
  CHECK_THAT(none.problems, Contains("times.csv:2:1: error: this row and 9 more cannot be run: ") &&
                                Contains("the same of other values in the ranges of --fit"));
}

TEST_CASE("one mistake in many rows is reported once") {
  const TemporaryFolder folder;
  folder.write("s.yaml", kScenario);
  const Fitted no_unit = fit(folder, "kernels.k.global,time\n512,20\n1024,20\n2048,20\n", {kCompute}, {});
  INFO(no_unit.problems);
  CHECK_THAT(no_unit.problems, Contains("times.csv:2:1") && Contains("(and so in 2 more rows)"));
  CHECK(no_unit.problems.find("times.csv:3:1") == std::string::npos);
}

TEST_CASE("a fit that is interrupted keeps the best values up to then") {
  struct AfterSome {
    std::shared_ptr<std::atomic<int>> left;
    bool stop_requested() const { return left->fetch_sub(1) <= 0; }
  };
  const TemporaryFolder folder;
  folder.write("s.yaml", kScenario);
  const std::string table = times_with(folder, {{"kernels.k.program.0.compute", "7 us"}}, 0);
  const auto interrupted_after = [&](int questions) {
    RunOptions options;
    options.stop = AfterSome{std::make_shared<std::atomic<int>>(questions)};
    return fit(folder, table, {kCompute}, {}, {1}, options);
  };
  const Fitted at_once = interrupted_after(0);
  CHECK(at_once.calibration.is_interrupted);
  CHECK(at_once.calibration.parameters.empty());
  const Fitted later = interrupted_after(300);
  INFO(later.problems << calibration_text(later.calibration));
  REQUIRE(later.calibration.is_interrupted);
  REQUIRE(later.calibration.parameters.size() == 1);
  CHECK(later.calibration.parameters[0].knowledge == Knowledge::open);
  CHECK_THAT(calibration_text(later.calibration),
             Contains("Interrupted: the best values so far") && Contains("paste: --set 'kernels.k.program.0.compute="));
}

TEST_CASE("a table that ends anywhere is read or refused") {
  const std::string whole = "kernels.k.global,time [ms]\n512,\"2.5\"\n1024,3.5\n";
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    const SourceText source("times.csv", whole.substr(0, size));
    Diagnostics problems;
    const MeasuredTimes times = read_measured_times(source, problems);
    CHECK((!problems.empty() || !times.rows.empty()));
  }
}
