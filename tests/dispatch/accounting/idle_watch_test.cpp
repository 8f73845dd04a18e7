#include "support/builders.hpp"
#include "support/random_runs.hpp"
#include "support/scenarios.hpp"

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <map>
#include <string>

// Why contexts stay free, core by core, as the waiting launches change while the cores do not.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// Context-nanoseconds of free contexts by core and reason: `0 k work_group_slots`, or `0 nobody`.
std::string idle_of(const std::string& dispatch, const std::string& kernels, const std::string& launches,
                    int cores = 2) {
  const ReadText read =
      read_text("scenario: s\ndevice: {base: tiny, cores: " + std::to_string(cores) + ", dispatch: {ports: unlimited" +
                dispatch + "}}\nkernels:\n" + kernels + "launches:\n" + launches);
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  const Scenario& scenario = read.scenario();
  std::map<std::string, std::int64_t> found;
  for (const IdleUse& use : run_fully(scenario.device, scenario.dispatch, scenario.workload).record.idle) {
    const std::string who =
        use.kernel ? scenario.workload.kernels[index_of(*use.kernel)].name + " " + std::string(name_of(*use.reason))
                   : "nobody";
    found[std::to_string(index_of(use.core)) + " " + who] += static_cast<std::int64_t>(use.context_time / 1'000);
  }
  std::string lines;
  for (const auto& [why, time] : found) lines += why + ": " + std::to_string(time) + "\n";
  return lines;
}

std::string kernel(const std::string& name, int groups, int threads, const std::string& time) {
  return "  " + name + ": {global: " + std::to_string(groups * threads * 8) +
         ", local: " + std::to_string(threads * 8) + ", sub_group: 8, program: [compute: " + time + "]}\n";
}

}  // namespace

TEST_CASE("when another launch of the same kernel waits, the reason changes on cores that did not, too") {
  // Cores have 8 contexts and 4 slots. The long kernel fills the slots of core 1 for 100 ns. Of k, five work-groups may
  // be on core 0 alone: the last one waits for 10 ns. Then those that may be on core 1 alone wait for 90 ns.
  CHECK(idle_of("", kernel("long", 4, 1, "100 ns") + kernel("k", 5, 1, "10 ns"),
                "  - {kernel: long, cores: 1}\n  - {kernel: k, cores: 0}\n  - {kernel: k, name: other, cores: 1}\n") ==
        "0 k work_group_slots: 40\n"   // 4 free for 10 ns
        "0 nobody: 870\n"              // 7 for 10 ns, then 8 for 100 ns
        "1 k work_group_slots: 400\n"  // 4 for 90 ns, and for 10 ns while the fifth waits
        "1 nobody: 110\n");            // 4 for 10 ns; 7 for 10 ns at the end
}

TEST_CASE("what keeps the next work-group from a core is what is short on it") {
  CHECK(idle_of("", kernel("k", 8, 1, "10 ns"), "  - kernel: k\n") == "0 nobody: 40\n1 nobody: 40\n");
  CHECK(idle_of(", admission: whole", kernel("wide", 3, 5, "10 ns"), "  - kernel: wide\n") ==
        "0 nobody: 30\n0 wide contexts: 30\n1 nobody: 80\n1 wide contexts: 30\n");
}

TEST_CASE("a core for which a launch waited in vain has nobody who waits for it once the next one may not be there") {
  // k may be on cores 0 and 2, and waits for both for 10 ns. Then the next launch waits, for core 1 alone.
  CHECK(idle_of(
            "", kernel("long", 8, 1, "100 ns") + kernel("k", 5, 1, "10 ns"),
            "  - {kernel: long, cores: 1-2}\n  - {kernel: k, cores: [0, 2]}\n  - {kernel: k, name: other, cores: 1}\n",
            3) ==
        "0 k work_group_slots: 40\n"
        "0 nobody: 870\n"
        "1 k work_group_slots: 400\n"
        "1 nobody: 110\n"
        "2 k work_group_slots: 40\n"  // 4 for 10 ns
        "2 nobody: 520\n");           // 4 for 90 ns, and 8 for 20 ns
}

TEST_CASE("a core for which a launch waits is not free for nobody because a later one had its last work-group placed") {
  // For 100 ns, long holds 4 of the 8 contexts, and big needs all of them. The only work-group of small, which is
  // evaluated after big, takes one for 10 ns.
  for (const std::string choice : {"skip_blocked", "round_robin"}) {
    INFO(choice);
    CHECK(idle_of(", admission: whole, kernel_choice: " + choice,
                  kernel("long", 1, 4, "100 ns") + kernel("big", 1, 8, "10 ns") + kernel("small", 1, 1, "10 ns"),
                  "  - kernel: long\n  - kernel: big\n  - kernel: small\n",
                  1) == "0 big contexts: 390\n");  // 3 free for 10 ns, then 4 for 90 ns
  }
}

TEST_CASE("a partition across one group of all cores changes nothing of what was free, and why") {
  int compared = 0;
  rc::prop("for any run without clusters and spread work-groups", [&] {
    RandomRun run = draw_run();
    const auto& rules = run.device.dispatch;
    const bool has_clusters = std::any_of(run.workload.kernels.begin(), run.workload.kernels.end(),
                                          [](const Kernel& kernel) { return kernel.cluster_size() > 1; });
    if (rules.partition || rules.admission == Admission::spread || has_clusters) return;
    RandomRun in_parts = run;
    in_parts.device.core_groups.insert(in_parts.device.core_groups.begin(), {"all", 1, {}});
    in_parts.device.dispatch.partition = PartitionRule{"all", PartitionShare::contiguous};
    const auto settled = run_fully(run.device, run.device.dispatch, run.workload).record.idle;
    const auto of_parts = run_fully(in_parts.device, in_parts.device.dispatch, in_parts.workload).record.idle;
    INFO(describe(run));
    RC_ASSERT(settled == of_parts);
    ++compared;
  });
  CHECK(compared > 20);
}
