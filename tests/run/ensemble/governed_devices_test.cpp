#include "support/devices.hpp"

#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/compile_scenario.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <memory>
#include <string>
#include <vector>

// Several devices whose clocks follow power. Each has 16 contexts, 1 GHz, or 500 MHz where more than 8 contexts were
// held on average in the 100 ns before.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

const std::string kLimited =
    "{base: tiny, power: {limit: 12 W, idle: 4 W, period: 100 ns, per_busy_context: {500 MHz: 250 mW, 1 GHz: 1 W}}}";

/// The whole device for 500 cycles: 900 ns under its power, 500 ns without.
const std::string kComputeKernel =
    "kernels: {k: {global: 16, local: 4, sub_group: 1, program: [compute: 500 cycles]}}\n";

const std::string kPairOfLinks = "links: [{between: [d0, d1], bandwidth: 1 GB/s, latency: 5 ns}]\n";

const std::string kCollectiveAfterKernel =
    "launches: [{kernel: k, device: d0}, {collective: {kind: all_reduce, bytes: 2 KiB, work_groups: 1, local: 1}, "
    "name: r, after: [k]}]\n";

std::string two_devices(const std::string& first, const std::string& second) {
  return "scenario: S\ndevices: {d0: " + first + ", d1: " + second + "}\n";
}

using Changes = std::vector<ClockChange>;

const Changes& changes_of(const DevicesRun& run, std::size_t device) {
  return run.result.devices[device].record.clock_changes;
}

constexpr Hertz kSlow{500'000'000};

/// A stop that is requested once it was asked for so often.
struct CountedStop {
  std::shared_ptr<std::uint64_t> left;
  bool stop_requested() const { return *left == 0 || --*left == 0; }
};

EnsembleResult run_with(const Scenario& scenario, const RunOptions& options) {
  const std::vector<Compiled> compiled = compile_devices(scenario);
  InternalRunOptions own;
  static_cast<RunOptions&>(own) = options;
  const std::vector<InternalRunOptions> all(compiled.size(), own);
  return simulate_devices({compiled, all, scenario.links, scenario.collectives});
}

}  // namespace

TEST_CASE("a device whose clock drops delays the collective that the others wait for") {
  const DevicesRun fast(two_devices("tiny", "tiny") + kPairOfLinks + kComputeKernel + kCollectiveAfterKernel);
  const DevicesRun slow(two_devices(kLimited, "tiny") + kPairOfLinks + kComputeKernel + kCollectiveAfterKernel);
  CHECK(fast.end_of("k") == 500'000);
  CHECK(slow.end_of("k") == 900'000);
  CHECK(slow.end_of("r.d1") - fast.end_of("r.d1") == 400'000);
  REQUIRE_FALSE(changes_of(slow, 0).empty());
  CHECK(changes_of(slow, 0).front() == ClockChange{SimTime{100'000}, kSlow});
  CHECK(changes_of(slow, 1).empty());
}

TEST_CASE("a device's clock changes when what it waited for has come from another one whose clock dropped") {
  const DevicesRun run(two_devices(kLimited, kLimited) + kComputeKernel +
                       "launches: [{kernel: k, device: d0}, {kernel: k, name: l, device: d1, after: [k]}]\n");
  CHECK(changes_of(run, 0) == Changes{{SimTime{100'000}, kSlow}});
  CHECK(run.start_of("l") == 900'000);
  CHECK(changes_of(run, 1) == Changes{{SimTime{1'000'000}, kSlow}});
  CHECK(run.end_of("l") == 1'800'000);
}

TEST_CASE("a device without power keeps its clocks, which are none that power brought about") {
  const DevicesRun run(two_devices(kLimited, "{base: tiny, clock: {at: {0 s: 1 GHz, 200 ns: 250 MHz}}}") +
                       kComputeKernel + "launches: [{kernel: k, device: d0}, {kernel: k, name: l, device: d1}]\n");
  CHECK(run.end_of("k") == 900'000);
  CHECK(run.end_of("l") == 1'400'000);
  CHECK(changes_of(run, 1).empty());
}

TEST_CASE("devices that share nothing have the clocks that each has alone", "[figures]") {
  rc::prop("whatever is drawn", [] {
    const auto draw = [](int from, int to) { return std::to_string(*rc::gen::inRange(from, to)); };
    std::string kernels = "kernels:\n";
    std::vector<std::string> launches(3);
    std::string all;
    for (int i = 0; i < 9; ++i) {
      const std::string name = "k" + std::to_string(i);
      kernels += "  " + name + ": {global: " + draw(1, 60) +
                 ", local: 1, sub_group: 1, program: [compute: " + draw(20, 300) + " cycles, compute: " + draw(1, 100) +
                 " ns]}\n";
      const std::string launch = "  - {kernel: " + name + ", at: " + draw(0, 900) + " ns";
      launches[static_cast<std::size_t>(i % 3)] += launch + "}\n";
      all += launch + ", device: d" + std::to_string(i % 3) + "}\n";
    }
    std::vector<std::string> rules;
    for (int i = 0; i < 3; ++i)
      rules.push_back("{base: tiny, power: {limit: " + draw(1, 16) + " W, period: " + draw(10, 120) +
                      " ns, per_busy_context: {1 GHz: 1 W, 0.7 GHz: 500 mW, 0.4 GHz: 200 mW}}}");
    const DevicesRun together("scenario: S\ndevices: {d0: " + rules[0] + ", d1: " + rules[1] + ", d2: " + rules[2] +
                              "}\n" + kernels + "launches:\n" + all);
    for (std::size_t i = 0; i < 3; ++i) {
      const ReadText alone =
          read_text("scenario: S\ndevice: " + rules[i] + "\n" + kernels + "launches:\n" + launches[i]);
      const RunRecord record = simulate(compile_scenario(alone.scenario())).record;
      RC_ASSERT(changes_of(together, i) == record.clock_changes);
      RC_ASSERT(together.result.devices[i].record.end == record.end);
    }
  });
}

TEST_CASE("a search for clocks of several devices that is interrupted gives the run as far as they are right") {
  const ReadText read = read_text(two_devices(kLimited, kLimited) + kComputeKernel +
                                  "launches: [{kernel: k, count: 5, device: d0}, {kernel: k, name: l, device: d1, "
                                  "after: [k]}, {kernel: k, name: m, device: d0, after: [l]}]\n");
  REQUIRE(read.problems == "");
  const EnsembleResult whole = run_with(read.scenario(), {});
  bool had_clocks = false;
  for (std::uint64_t asked = 1; asked < 200; ++asked) {
    RunOptions options;
    options.stop = StopToken(CountedStop{std::make_shared<std::uint64_t>(asked)});
    const EnsembleResult cut = run_with(read.scenario(), options);
    if (cut.all.outcome == Outcome::completed) break;
    CHECK(cut.all.outcome == Outcome::interrupted);
    for (std::size_t i = 0; i < cut.devices.size(); ++i) {
      const RunRecord& record = cut.devices[i].record;
      Changes expected;
      for (const ClockChange& change : whole.devices[i].record.clock_changes)
        if (change.at < record.end) expected.push_back(change);
      CHECK(record.clock_changes == expected);
      had_clocks = had_clocks || !expected.empty();
      for (std::size_t j = 0; j < record.launches.size(); ++j)
        if (record.launches[j].ended) CHECK(record.launches[j].ended == whole.devices[i].record.launches[j].ended);
    }
  }
  CHECK(had_clocks);
}

TEST_CASE("a bound of events that ends the run between two events of a device leaves it the clocks up to there") {
  const ReadText read =
      read_text(two_devices("tiny", kLimited) +
                "kernels:\n  k: {global: 16, local: 4, sub_group: 1, program: [compute: 500 cycles]}\n"
                "  s: {global: 1, local: 1, sub_group: 1, program: [compute: 10 ns]}\n"
                "queues: {q: {order: in_order}}\n"
                "launches: [{kernel: s, count: 90, device: d0, queue: q}, {kernel: k, device: d1}]\n");
  REQUIRE(read.problems == "");
  const EnsembleResult whole = run_with(read.scenario(), {});
  CHECK(whole.devices[1].record.clock_changes == Changes{{SimTime{100'000}, kSlow}});
  for (std::uint64_t events = 1; events < 300; ++events) {
    INFO(events);
    RunOptions options;
    options.bounds.events = events;
    const EnsembleResult cut = run_with(read.scenario(), options);
    if (cut.all.outcome == Outcome::completed) break;
    REQUIRE(cut.all.outcome == Outcome::bounded);
    for (const ClockChange& change : cut.devices[1].record.clock_changes)
      CHECK(change == whole.devices[1].record.clock_changes.front());
    for (std::size_t j = 0; j < cut.all.launches.size(); ++j)
      if (cut.all.launches[j].ended) CHECK(cut.all.launches[j].ended == whole.all.launches[j].ended);
  }
}
