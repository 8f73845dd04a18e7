#include "support/builders.hpp"
#include "support/missed_expectations.hpp"

#include <gdsim/scenario/read_scenario.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>

// Every expectation of every shipped scenario is a test only if something can break it: sizes, policies or rates of its
// scenario are changed, one at a time, until it is missed.

using namespace gdsim;
using namespace gdsim::testing;

namespace fs = std::filesystem;

namespace {

using Mutation = std::function<void(Scenario&)>;

void double_times(Program& program) {
  const auto twice = [](StepTime& time) { time.amount.digits *= 2; };
  for (Step& step : program) {
    if (auto* compute = std::get_if<Compute>(&step)) twice(compute->time);
    if (auto* issue = std::get_if<IssueSlots>(&step)) twice(issue->slots);
    if (auto* memory = std::get_if<Memory>(&step)) memory->bytes.count *= 2;
    if (auto* slm = std::get_if<Slm>(&step)) slm->accesses *= 2;
    if (auto* loop = std::get_if<Loop>(&step)) loop->count *= 2;
    if (auto* only = std::get_if<Only>(&step)) double_times(only->body);
    if (auto* tiles = std::get_if<Tiles>(&step))
      for (std::size_t i = 0; i < tiles->body_count(); ++i) double_times(tiles->body_of(i));
  }
}

void each_kernel(Scenario& scenario, const std::function<void(Kernel&)>& change) {
  for (Kernel& kernel : scenario.workload.kernels) change(kernel);
}

void change_dispatch(Scenario& scenario, const std::function<void(DispatchRules&)>& change) {
  change(scenario.dispatch);
  change(scenario.device.dispatch);
}

/// A barrier that only the first thread of a work-group reaches: the run stalls.
void stop_first_thread(Program& program) { program.insert(program.begin(), Only{{{0, 0}}, {Barrier{}}}); }

std::vector<Mutation> sizes() {
  return {
      [](Scenario& s) { each_kernel(s, [](Kernel& k) { k.range.global = k.range.local; }); },
      [](Scenario& s) { each_kernel(s, [](Kernel& k) { k.range.global[2] *= 2; }); },
      [](Scenario& s) { each_kernel(s, [](Kernel& k) { k.variation = lock_step(); }); },
      [](Scenario& s) { each_kernel(s, [](Kernel& k) { k.needs = {}; }); },
      [](Scenario& s) { each_kernel(s, [](Kernel& k) { k.working_set = Bytes{std::int64_t{1} << 34}; }); },
      [](Scenario& s) { each_kernel(s, [](Kernel& k) { k.range.local[2] = (k.range.local[2] + 1) / 2; }); },
      [](Scenario& s) { each_kernel(s, [](Kernel& k) { k.sub_group = 16; }); },
      [](Scenario& s) { s.device.contexts_per_engine += 1; },
      [](Scenario& s) { s.device.contexts_per_engine = 1; },
      [](Scenario& s) { s.device.contexts_per_engine *= 64; },
      [](Scenario& s) { s.device.cores = 1, s.device.core_groups.clear(), s.device.tie_order = {}; },
      [](Scenario& s) { s.device.work_groups_per_core = {1}; },
      [](Scenario& s) { s.device.max_work_group_size = 1'048'576; },
      [](Scenario& s) { s.device.slm.per_core.count *= 64, s.device.slm.per_work_group.count *= 64; },
      [](Scenario& s) {
        if (s.device.registers) s.device.registers->per_engine /= 2;
      },
  };
}

/// Launches may not use the last `count` cores.
Mutation without_last_cores(std::uint32_t count) {
  return [count](Scenario& s) {
    if (s.device.cores <= count) return;
    for (Launch& launch : s.workload.launches)
      if (launch.is_kernel()) launch.as_kernel().cores = {{core(0), core(s.device.cores - count - 1)}};
  };
}

std::vector<Mutation> policies() {
  std::vector<Mutation> all;
  for (const char* placement : {"fill_first", "round_robin", "least_loaded", "most_room", "group_round_robin"})
    all.emplace_back([placement](Scenario& s) { change_dispatch(s, [&](auto& d) { d.placement = placement; }); });
  for (const Admission admission : {Admission::whole, Admission::partial, Admission::spread})
    all.emplace_back([admission](Scenario& s) { change_dispatch(s, [&](auto& d) { d.admission = admission; }); });
  for (const std::optional<std::uint64_t> ports : {std::optional<std::uint64_t>(1), std::optional<std::uint64_t>()})
    all.emplace_back([ports](Scenario& s) { change_dispatch(s, [&](auto& d) { d.ports = ports; }); });
  for (const Handover handover : {Handover::never, Handover::always})
    all.emplace_back([handover](Scenario& s) { change_dispatch(s, [&](auto& d) { d.handover = handover; }); });
  for (const KernelChoice choice : {KernelChoice::head_only, KernelChoice::skip_blocked, KernelChoice::round_robin})
    all.emplace_back([choice](Scenario& s) { change_dispatch(s, [&](auto& d) { d.kernel_choice = choice; }); });
  all.emplace_back([](Scenario& s) { change_dispatch(s, [](auto& d) { d.concurrent_kernels = {1}; }); });
  return all;
}

std::vector<Mutation> rates() {
  return {
      [](Scenario& s) { each_kernel(s, [](Kernel& k) { double_times(k.program); }); },
      [](Scenario& s) {
        if (s.device.clock) s.device.clock->count *= 2;
      },
      [](Scenario& s) { s.device.submit_overhead = s.device.submit_overhead + us(100); },
      [](Scenario& s) { s.device.launch_latency = s.device.launch_latency + us(100); },
      [](Scenario& s) { s.device.dependency_gap = s.device.dependency_gap + us(100); },
      [](Scenario& s) {
        if (s.device.copy) s.device.copy->bandwidth.count /= 2;
      },
      [](Scenario& s) {
        if (s.device.slm_access) s.device.slm_access->banks *= 2;
      },
      // With so much more of each, two known gaps close: SLM against L3, and registers in units of four warps.
      [](Scenario& s) {
        if (s.device.slm_access) s.device.slm_access->accesses_per_cycle *= 4;
      },
      [](Scenario& s) { each_kernel(s, [](Kernel& k) { k.needs.registers = k.needs.registers * 7 / 5; }); },
      [](Scenario& s) {
        if (s.device.memory)
          for (MemoryLevel& level : s.device.memory->levels)
            if (level.bandwidth) level.bandwidth->count /= 4;
      },
  };
}

std::vector<Mutation> mutations() {
  // Runs that stall at once are first: they are cheap, and break most rows.
  std::vector<Mutation> all{[](Scenario& s) { each_kernel(s, [](Kernel& k) { stop_first_thread(k.program); }); }};
  for (const Mutation& mutation : sizes()) all.push_back(mutation);
  // With so many fewer, the known gaps of clusters on a B200 close.
  for (const std::uint32_t count : {6U, 16U, 17U}) all.push_back(without_last_cores(count));
  for (const auto& more : {rates(), policies()}) all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// Expectations of the case that no mutation breaks, by what stands in the file.
std::string unbreakable(const ScenarioCase& one) {
  std::vector<bool> was_missed(one.scenario.expectations.size(), false);
  for (const Mutation& mutation : mutations()) {
    if (std::count(was_missed.begin(), was_missed.end(), false) == 0) break;
    Scenario changed = one.scenario;
    mutation(changed);
    for (Scenario& device : changed.devices) mutation(device);
    const std::vector<bool> now = missed_expectations(changed);
    for (std::size_t i = 0; i < now.size(); ++i) was_missed[i] = was_missed[i] || now[i];
  }
  std::string left;
  for (std::size_t i = 0; i < was_missed.size(); ++i)
    if (!was_missed[i]) {
      const Expectation& row = one.scenario.expectations[i];
      left += row.mark.source->name() + ":" + std::to_string(row.mark.line) + ": " + one.name + ": " + row.key + "\n";
    }
  return left;
}

/// Checks the shipped scenarios of which `is_chosen` is true, by folder below `scenarios` and name. Returns the folders
/// of those that expect something.
template <class IsChosen>
std::set<std::string> check_can_be_missed(IsChosen&& is_chosen) {
  std::set<std::string> folders;
  ReadOptions options;
  options.models.emplace_back(source_path("models"));
  std::string left;
  std::size_t rows = 0;
  for (const auto& file : fs::recursive_directory_iterator(source_path("scenarios"))) {
    const std::string folder = file.path().parent_path().lexically_relative(source_path("scenarios")).string();
    if (file.path().extension() != ".yaml" || !is_chosen(folder, file.path().filename().string())) continue;
    SourceFiles sources;
    for (const ScenarioCase& one : read_scenario(file.path(), options, sources)) {
      rows += one.scenario.expectations.size();
      if (!one.scenario.expectations.empty()) folders.insert(folder);
      left += unbreakable(one);
    }
  }
  CHECK(rows > 100);
  INFO(left);
  CHECK(left.empty());
  return folders;
}

}  // namespace

// Three tests, because one would take more than five seconds.
TEST_CASE("every expectation of scenarios named a to k is missed once sizes, policies or rates change", "[figures]") {
  check_can_be_missed([](const auto& folder, const auto& name) { return folder == "." && name < "l"; });
}

TEST_CASE("every expectation of scenarios named l to z is missed once sizes, policies or rates change", "[figures]") {
  check_can_be_missed([](const auto& folder, const auto& name) { return folder == "." && name >= "l"; });
}

TEST_CASE("every expectation in a folder of scenarios is missed once sizes, policies or rates change", "[figures]") {
  const std::set<std::string> folders =
      check_can_be_missed([](const auto& folder, const auto&) { return folder != "."; });
  for (const char* folder : {"calibration", "documents", "studies"}) CHECK(folders.contains(folder));
}
