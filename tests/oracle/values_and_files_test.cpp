#include "oracle/scenario_yaml.hpp"
#include "support/builders.hpp"
#include "support/run_outputs.hpp"
#include "support/scenarios.hpp"

#include <gdsim/scenario/read_scenario.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

RandomRun values_of(const Scenario& scenario) {
  RandomRun run{scenario.device, scenario.workload};
  run.device.dispatch = scenario.dispatch;
  for (Kernel& kernel : run.workload.kernels) kernel.local_is_chosen = kernel.sub_group_is_chosen = false;
  return run;
}

void clear_lines(Program& program) {
  for (Step& step : program) {
    step.line = 0;
    if (auto* loop = std::get_if<Loop>(&step)) clear_lines(loop->body);
    if (auto* only = std::get_if<Only>(&step)) clear_lines(only->body);
    if (auto* tiles = std::get_if<Tiles>(&step))
      for (std::size_t i = 0; i < tiles->body_count(); ++i) clear_lines(tiles->body_of(i));
  }
}

/// A run with more threads takes longer than all others together: it is compared as far as this many events.
constexpr std::uint64_t kMaxThreadsOfWholeRun = 20'000;
constexpr std::uint64_t kEventsOfLargeRun = 50'000;

/// Values name no line of a file, and the file that is made of them has other lines.
std::string outputs_of(RandomRun run) {
  for (Kernel& kernel : run.workload.kernels)
    for (std::size_t i = 0; i < kernel.program_count(); ++i) clear_lines(kernel.program_of(i));
  InternalRunOptions options;
  if (threads_of(run.workload) >= kMaxThreadsOfWholeRun) options.bounds.events = kEventsOfLargeRun;
  return counts_of(run, options);
}

/// Returns a scenario of one of several devices with its own kernels alone: nothing waits for another device.
Scenario alone(Scenario device) {
  std::vector<Launch> launches;
  for (const Launch& launch : device.workload.launches)
    if (launch.is_kernel() && launch.parent() == nullptr) {
      launches.push_back({.name = launch.name, .work = launch.work});
      launches.back().as_kernel().is_part_of_collective = false;
    }
  device.workload.launches = std::move(launches);
  device.workload.queues.clear();
  for (Launch& launch : device.workload.launches) launch.queue.reset();
  return device;
}

/// Returns the first line that differs, of both texts; empty if none does.
std::string first_difference(const std::string& a, const std::string& b) {
  const auto [one, other] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (one == a.end() && other == b.end()) return {};
  const auto at = static_cast<std::size_t>(one - a.begin());
  const std::size_t begin = at == 0 ? 0 : a.rfind('\n', at - 1) + 1;
  return a.substr(begin, a.find('\n', at) - begin) + " | " + b.substr(begin, b.find('\n', at) - begin);
}

/// Returns every case that can run of the shipped scenarios of which `is_chosen` is true, by folder and name; of
/// several devices, each device alone. Of the six imported kernels, the two slowest are left out: they have the steps
/// of the others, and take as long as all the rest.
template <class IsChosen>
std::vector<ScenarioCase> shipped_cases(SourceFiles& sources, IsChosen&& is_chosen) {
  namespace fs = std::filesystem;
  ReadOptions options;
  options.models.emplace_back(source_path("models"));
  std::vector<ScenarioCase> cases;
  for (const auto& file : fs::recursive_directory_iterator(source_path("scenarios"))) {
    const std::string name = file.path().stem().string();
    if (file.path().extension() != ".yaml" || name == "sgemm_naive" || name == "sgemm_coalesced") continue;
    if (!is_chosen(file.path().parent_path().filename().string(), name)) continue;
    for (ScenarioCase& read : read_scenario(file.path(), options, sources)) {
      for (const Scenario& device : read.scenario.devices)
        cases.push_back({read.name + " " + device.device_name, {}, alone(device), {}});
      if (read.scenario.refusals.empty() && read.scenario.devices.empty()) cases.push_back(std::move(read));
    }
  }
  return cases;
}

template <class IsChosen>
void compare_values_with_files(IsChosen&& is_chosen) {
  SourceFiles sources;
  std::size_t compared = 0;
  for (const ScenarioCase& one : shipped_cases(sources, is_chosen)) {
    INFO(one.scenario.file << ": " << one.name);
    RandomRun values = values_of(one.scenario);
    values.workload.written_for.clear();  // a case may say for which other device the file was written
    const std::string text = oracle::scenario_yaml(values);
    const ReadText file = read_text(text);
    REQUIRE(file.problems == "");
    const RandomRun read{values.device, file.scenario().workload};
    CHECK(first_difference(outputs_of(values), outputs_of(read)) == "");
    ++compared;
  }
  CHECK(compared > 40);
}

}  // namespace

// Three tests, because one would take more than five seconds.
TEST_CASE("a kernel in values runs as the same kernel in a file, in scenarios named a to k", "[figures]") {
  compare_values_with_files([](const auto& folder, const auto& name) { return folder == "scenarios" && name < "l"; });
}

TEST_CASE("a kernel in values runs as the same kernel in a file, in scenarios named l to z", "[figures]") {
  compare_values_with_files([](const auto& folder, const auto& name) { return folder == "scenarios" && name >= "l"; });
}

TEST_CASE("a kernel in values runs as the same kernel in a file, in the folders of scenarios", "[figures]") {
  compare_values_with_files([](const auto& folder, const auto&) { return folder != "scenarios"; });
}

TEST_CASE("what is drawn by default follows from the kernel, from a file or from C++") {
  Kernel kernel;
  kernel.program = {Memory{Bytes{1'024}}};
  REQUIRE(draw_in_force(kernel));
  CHECK(draw_in_force(kernel)->origin == DrawOrigin::by_default);
  kernel.variation.is_lock_step = true;
  CHECK_FALSE(draw_in_force(kernel));
}
