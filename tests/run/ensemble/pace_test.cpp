#include "support/random_values.hpp"
#include "support/scenarios.hpp"

#include <gdsim/record/observer.hpp>
#include <gdsim/run/ensemble/ensemble.hpp>
#include <gdsim/run/ensemble/member.hpp>
#include <gdsim/scenario/compile_scenario.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <deque>
#include <initializer_list>
#include <sstream>
#include <string>
#include <vector>

// Devices that advance alone where no other can affect them give the same results as devices that go through every
// instant together.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

std::string name_of(std::size_t number) { return "l" + std::to_string(number); }

/// A list of some of the first launches, or an empty text.
std::string draw_some(const std::string& key, std::size_t count, int one_of) {
  std::string list;
  for (std::size_t i = 0; i < count; ++i)
    if (*rc::gen::inRange(0, one_of) == 0) list += (list.empty() ? "" : ", ") + name_of(i);
  return list.empty() ? "" : ", " + key + ": [" + list + "]";
}

/// Kernels of many durations that fill cores, have barriers, or are drawn.
std::string draw_kernels() {
  const std::string nanoseconds = std::to_string(*rc::gen::inRange(1, 30)) + " ns";
  return "kernels:\n"
         "  a: {global: 9, local: 3, sub_group: 1, program: [compute: " +
         nanoseconds +
         "]}\n"
         "  b: {global: 40, local: 4, sub_group: 1, program: [compute: 6 ns, barrier, compute: 3 ns], variation: "
         "{distribution: uniform, cv: 0.3, per: thread}}\n"
         "  c: {global: 8, local: 2, sub_group: 1, slm: 1 KiB, program: [compute: 7 cycles]}\n"
         "  d: {global: 200, local: 8, sub_group: 1, program: [loop: {count: 3, body: [compute: 11 cycles]}]}\n"
         "  e: {global: 24, local: 4, sub_group: 4, program: [issue: 9 cycles, memory: 16 B, only: {threads: [0], "
         "body: [compute: 2 ns]}]}\n"
         "  f: {global: 8, local: 4, sub_group: 1, program: [compute: 4 ns, grid_barrier: 3 ns, compute: 2 ns]}\n"
         "  g: {global: 8, local: 4, sub_group: 4, program: [tiles: {list: t, take: atomic, count: 5, body: [compute: "
         "3 ns]}]}\n";
}

std::string draw_launch(std::size_t number, std::size_t devices) {
  const auto device = *rc::gen::inRange<std::size_t>(0, devices);
  const auto other = (device + 1 + *rc::gen::inRange<std::size_t>(0, devices - 1)) % devices;
  const auto gpu = [](std::size_t which) { return "d" + std::to_string(which); };
  std::string text = "  - {name: " + name_of(number);
  switch (number < devices ? 0 : *rc::gen::inRange(0, 9)) {
    case 1:  // it may end at the instant at which it begins, behind the dispatch turn
      text += ", copy: {bytes: " + std::to_string(*rc::gen::inRange(0, 2)) +
              " B, direction: host_to_device}, device: " + gpu(device);
      break;
    case 2:
      text += ", copy: {bytes: " + std::to_string(*rc::gen::inRange(0, 400)) + " B, from: " + gpu(device) +
              ", to: " + gpu(other) + "}";
      break;
    case 3:
      text += ", collective: {kind: all_reduce, bytes: " + std::to_string(*rc::gen::inRange(1, 400)) +
              " B, devices: [" + gpu(device) + ", " + gpu(other) +
              "], algorithm: " + *rc::gen::element<std::string>("ring", "tree") + ", work_groups: 2, local: 4}";
      break;
    case 4: text += ", kernel: f, cooperative: true, device: " + gpu(device); break;
    case 5:
      text += ", kernel: " + *rc::gen::element<std::string>("e", "g") +
              ", at: " + std::to_string(*rc::gen::inRange(0, 300)) + " ns, device: " + gpu(device);
      break;
    case 6:
      text += ", collective: {kind: " + *rc::gen::element<std::string>("all_gather", "reduce_scatter", "broadcast") +
              ", bytes: " + std::to_string(*rc::gen::inRange(1, 400)) + " B, devices: [" + gpu(device) + ", " +
              gpu(other) + "], work_groups: 1, local: 4}";
      break;
    default:
      text += ", kernel: " + *rc::gen::element<std::string>("a", "b", "c", "d") +
              ", device: " + gpu(number < devices ? number : device);
  }
  if (*rc::gen::inRange(0, 3) == 0) text += ", queue: q";
  text += draw_some("after", number, 6);
  if (*rc::gen::inRange(0, 8) == 0) text += draw_some("wait", number, 4);
  return text + "}\n";
}

/// Sometimes a clock that follows the load.
std::string draw_power() {
  if (*rc::gen::inRange(0, 4) > 0) return "";
  return ", power: {limit: " + std::to_string(*rc::gen::inRange(1, 16)) +
         " W, period: " + std::to_string(*rc::gen::inRange(10, 60)) +
         " ns, per_busy_context: {1 GHz: 1 W, 0.7 GHz: 500 mW, 0.4 GHz: 200 mW}}";
}

/// Several small devices with links; their launches wait for each other in all ways.
std::string draw_scenario() {
  const auto devices = *rc::gen::inRange<std::size_t>(2, 5);
  std::string text = "scenario: S\ndevices: {";
  std::string names;
  for (std::size_t i = 0; i < devices; ++i) {
    const std::string name = "d" + std::to_string(i);
    names += (i > 0 ? ", " : "") + name;
    text +=
        (i > 0 ? ", " : "") + name +
        ": {base: tiny, copy: {bandwidth: 1 GB/s}, memory: {levels: [{name: m, bandwidth: 20 GB/s, latency: 30 ns}]}, "
        "cores: " +
        std::to_string(*rc::gen::inRange(2, 5)) + ", dependency_gap: " + std::to_string(*rc::gen::inRange(0, 3)) +
        " ns" + draw_power() + "}";
  }
  text += "}\nlinks: [{between: [" + names + "], bandwidth: " + std::to_string(*rc::gen::inRange(1, 90)) +
          " GB/s, latency: " + std::to_string(*rc::gen::inRange(0, 9)) + " ns}]\n";
  text += "dispatch: {kernel_choice: " + *rc::gen::element<std::string>("head_only", "skip_blocked", "round_robin") +
          "}\n" + draw_kernels() + "queues: {q: {order: in_order}}\nlaunches:\n";
  const auto launches = *rc::gen::inRange<std::size_t>(devices, 24);
  for (std::size_t i = 0; i < launches; ++i) text += draw_launch(i, devices);
  return text;
}

/// Records everything that is reported of a device.
class Witness : public Observer {
 public:
  Detail detail() const override { return Detail::everything; }
  void on_instant(const Instant& now) override {
    add(now.time.count);
    for (const Fact& fact : now.facts)
      add(static_cast<int>(fact.kind), index_of(fact.core), fact.threads, index_of(fact.launch),
          static_cast<std::uint64_t>(fact.work_group), int{fact.closes_group});
    for (const LaunchFact& fact : now.launches) add(static_cast<int>(fact.kind), index_of(fact.launch));
    text += "\n";
  }

  std::string text;

 private:
  template <class... Numbers>
  void add(Numbers... numbers) {
    ((text += std::to_string(numbers) + " "), ...);
  }
};

/// Everything in which two runs can differ.
std::string run_at(const Scenario& scenario, Pace pace, Jobs jobs, const RunBounds& bounds) {
  const std::vector<Compiled> compiled = compile_devices(scenario);
  std::deque<Witness> witnesses;
  std::vector<InternalRunOptions> options(compiled.size());
  for (InternalRunOptions& one : options) {
    one.bounds = bounds;
    one.observers = {&witnesses.emplace_back()};
  }
  const EnsembleResult run = simulate_devices({compiled, options, scenario.links, scenario.collectives, jobs, pace});
  std::string text;
  const auto add = [&text](const auto& value) { text += to_text(value) + " "; };
  const auto add_time = [&](const OptionalTime& time) { add(time ? Int128{time->count} : Int128{-1}); };
  for (const Int128 number :
       {Int128{static_cast<int>(run.all.outcome)}, Int128{run.all.end.count}, Int128{run.all.peak_resident}})
    add(number);
  for (std::size_t i = 0; i < run.devices.size(); ++i) {
    const RunRecord& record = run.devices[i].record;
    text += "\ndevice: ";
    for (const Int128 number : {Int128{record.end.count}, record.resident_time}) add(number);
    for (std::size_t j = 0; j < record.launches.size(); ++j) {
      if (scenario.devices[i].workload.launches[j].is_remote()) continue;
      const LaunchRecord& launch = record.launches[j];
      for (const OptionalTime& time :
           {launch.submitted, launch.ready, launch.begun, launch.fully_dispatched, launch.ended})
        add_time(time);
      add(launch.slack ? Int128{launch.slack->count} : Int128{-1});
    }
    for (const ClockChange& change : record.clock_changes)
      for (const std::int64_t number : {change.at.count, std::int64_t{change.clock.count}}) add(Int128{number});
    for (const CoreTimeUse& use : record.time_use)
      for (std::size_t kind = 0; kind < kActivityCount; ++kind) add(use.use.spent_on(static_cast<Activity>(kind)));
    text += "\n" + witnesses[i].text;
  }
  return text;
}

/// The first line that differs; empty if none does.
std::string first_difference(const std::string& found, const std::string& expected) {
  std::istringstream a(found);
  std::istringstream b(expected);
  for (std::string one, other; found != expected;) {
    if (!std::getline(a, one)) one = "(nothing)";
    if (!std::getline(b, other)) other = "(nothing)";
    if (one == other) continue;
    return "found:    " + one + "\nexpected: " + other;
  }
  return "";
}

}  // namespace

TEST_CASE("devices that go on alone write what devices write that go through every instant together") {
  std::size_t runs = 0;
  rc::prop("whatever is drawn, at any bound", [&runs] {
    const std::string text = draw_scenario();
    const ReadText read = read_text(text);
    if (read.cases.empty() || !read.scenario().refusals.empty()) RC_DISCARD("refused: " + read.problems);
    RunBounds bounds;
    if (*rc::gen::inRange(0, 3) == 0) bounds.time = SimTime{*rc::gen::inRange<std::int64_t>(1'000, 400'000)};
    const std::string together = run_at(read.scenario(), Pace::together, Jobs{}, bounds);
    const std::string difference = first_difference(run_at(read.scenario(), Pace::apart, Jobs{}, bounds), together);
    if (!difference.empty()) RC_FAIL(text + difference);
    ++runs;
  });
  CHECK(runs >= 50);
}

TEST_CASE("devices that have much to do go on threads of their own and write the same", "[figures]") {
  const ReadText read = read_text(
      "scenario: S\ndevices: {d0: {base: tiny, cores: 3}, d1: tiny, d2: tiny}\n"
      "links: [{between: [d0, d1, d2], bandwidth: 1 GB/s, latency: 5 ns}]\n"
      "kernels: {k: {global: 30000, local: 4, sub_group: 1, program: [compute: 6 ns, barrier, compute: 3 ns], "
      "variation: {distribution: uniform, cv: 0.3, per: thread}}}\n"
      "launches:\n"
      "  - {kernel: k, device: d0}\n  - {kernel: k, name: l, device: d1}\n  - {kernel: k, name: m, device: d2}\n"
      "  - {copy: {bytes: 20 KiB, from: d0, to: d1}, after: [k]}\n  - {kernel: k, name: n, device: d1, after: [copy]}\n"
      "  - {kernel: k, name: o, device: d2, after: [l]}\n");
  REQUIRE(read.problems == "");
  const std::string together = run_at(read.scenario(), Pace::together, Jobs{}, {});
  for (const std::size_t jobs : std::initializer_list<std::size_t>{1, 2, 5})
    CHECK(first_difference(run_at(read.scenario(), Pace::apart, Jobs{jobs}, {}), together) == "");
}

TEST_CASE("the most threads at once are those of one instant, whichever device reports first") {
  ResidentSum sum(2);
  std::vector<ResidentChange> first{{SimTime{1}, 4}, {SimTime{5}, 0}, {SimTime{9}, 3}};
  std::vector<ResidentChange> second;
  sum.take({&first, &second}, SimTime{1});
  second = {{SimTime{5}, 4}, {SimTime{7}, 6}, {SimTime{8}, 0}};
  sum.take({&first, &second}, SimTime{8});
  CHECK(sum.peak() == 6);
  second.push_back({SimTime{10}, 5});
  sum.take({&first, &second}, SimTime{100});
  CHECK(sum.peak() == 8);
  CHECK(first.empty());
}
