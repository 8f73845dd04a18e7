#include "support/builders.hpp"
#include "support/scenarios.hpp"

#include <catch2/catch.hpp>

// `work_groups_with_barrier_or_slm`: at most 16 work-groups of a Gen9 sub-slice use a barrier or SLM; the others are
// limited by its 56 contexts.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// Threads that are resident at most, of work-groups of one thread on one sub-slice.
std::uint64_t peak_threads(const std::string& program, const std::string& needs) {
  const ReadText read = read_text(
      "scenario: Gen9\ndevice: {base: gen9-gt2, cores: 1}\nkernels:\n  k: {global: 800, local: 8, sub_group: 8, " +
      needs + "program: [" + program + "]}\nlaunches: [kernel: k]\n");
  REQUIRE(read.problems.empty());
  const Scenario& scenario = read.scenario();
  return run_fully(scenario.device, scenario.dispatch, scenario.workload).record.phases.phases.at(0).resident;
}

}  // namespace

TEST_CASE("work-groups that use a barrier, SLM or both are 16 of a Gen9 sub-slice, those that use neither 56") {
  CHECK(peak_threads("compute: 1 us", "") == 56);
  CHECK(peak_threads("compute: 1 us, barrier", "") == 16);
  CHECK(peak_threads("compute: 1 us", "slm: 1 KiB, ") == 16);
  CHECK(peak_threads("compute: 1 us, barrier", "slm: 1 KiB, ") == 16);
}

TEST_CASE("work-groups that use neither barrier nor SLM fit beside the 16 that do") {
  const ReadText read = read_text(
      "scenario: Gen9\ndevice: {base: gen9-gt2, cores: 1}\ndispatch: {kernel_choice: skip_blocked}\nkernels:\n"
      "  meets: {global: 800, local: 8, sub_group: 8, program: [compute: 1 us, barrier]}\n"
      "  plain: {global: 800, local: 8, sub_group: 8, program: [compute: 1 us]}\n"
      "launches: [kernel: meets, kernel: plain]\n");
  REQUIRE(read.problems.empty());
  const Scenario& scenario = read.scenario();
  const FullRun run = run_fully(scenario.device, scenario.dispatch, scenario.workload);
  const auto at_first = [&](std::uint32_t id) {
    const auto& groups = run.work_groups.records_of(launch(id));
    return std::count_if(groups.begin(), groups.end(),
                         [](const WorkGroupRecord& group) { return group.first_placed == at(ps(0)); });
  };
  CHECK(at_first(0) == 16);
  CHECK(at_first(1) == 40);
}
