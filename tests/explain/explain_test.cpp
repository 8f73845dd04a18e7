#include "explain/explained.hpp"
#include "support/builders.hpp"
#include "support/scenarios.hpp"
#include <gdsim/counterfactual/program_change.hpp>
#include <gdsim/explain/explain.hpp>

#include <catch2/catch.hpp>

#include <algorithm>

using namespace gdsim;
using namespace gdsim::testing;

// Every number here was reckoned by hand, beside the scenario.

namespace {

ReadText one_kernel(const std::string& device, const std::string& kernel, const std::string& more = {}) {
  return read_text("scenario: S\ndevice: " + device + "\nkernels:\n  k: {" + kernel + "}\nlaunches: [kernel: k]\n" +
                   more);
}

/// Where a slot can be reused at once, waves take as long as their work-groups.
std::string without_dispatch_times(const std::string& device) {
  return "{base: " + device +
         ", launch_cost: 0 cycles, dispatch: {recovery: 0 cycles, interval: {per_work_group: 0 s, per_thread: 0 s}}}";
}

Explanation explained(const ReadText& read, Jobs jobs = {}) {
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  return explain(read.scenario(), {}, jobs);
}

bool has(const Explanation& explanation, const std::string& what) {
  return std::any_of(explanation.changed_runs.begin(), explanation.changed_runs.end(),
                     [&](const ChangedRun& run) { return run.what == what; });
}

}  // namespace

TEST_CASE("a tail of one block of 529 on an H100 costs half of the time") {
  // 132 SMs hold 4 blocks of 16 warps each: a wave of 528. Spread over 528 blocks, each lasts 10 us x 529 / 528.
  const Explanation explanation = explained(one_kernel(
      without_dispatch_times("h100-sxm"), "global: 270848, local: 512, sub_group: 32, program: [compute: 10 us]"));
  CHECK(explanation.baseline == Duration{20'000'000});
  const ChangedRun& tail = explanation.changed_runs.front();
  CHECK(tail.what == "no_tail");
  CHECK(tail.duration == Duration{10'018'939});
  CHECK(tail.saves == 499'053);  // 1 - 10018939 / 20000000
  CHECK(tail.sentence ==
        "Tail: 1 of 529 blocks of k is left over for the last wave. That wave costs 49.9 % of the time. With all the "
        "work in 528 blocks, the run takes 10.019 us.");
}

TEST_CASE("a tail that is nearly a wave costs little, for its work must be done all the same") {
  // 2 cores x 4 slots: a wave of 8. 15 work-groups: 2 waves of 1 us; spread over 8 of them, each lasts 15/8 us.
  const Explanation explanation =
      explained(one_kernel("tiny", "global: 120, local: 8, sub_group: 8, program: [compute: 1 us]"));
  CHECK(changed_run(explanation, "no_tail").duration == Duration{1'875'000});
  CHECK(changed_run(explanation, "no_tail").saves == 62'500);
}

TEST_CASE("a tail is spread right however many digits the times of a program have") {
  // 131073 work-groups on 16 contexts, 8 of them at once: 16385 waves. Spread over 16384 waves, each work-group lasts
  // 10.12345678901234... us x 131073 / 131072 = 10123534.025... ps.
  const Explanation explanation = explained(one_kernel(
      "{base: tiny, cores: 2}",
      "global: 1048584, local: 8, sub_group: 8, program: [compute: 10.1234567890123456789012345678901234 us]"));
  CHECK(explanation.baseline == Duration{std::int64_t{16'385} * 10'123'457});
  CHECK(changed_run(explanation, "no_tail").duration == Duration{std::int64_t{16'384} * 10'123'534});
}

TEST_CASE("a tail keeps all of its work where work-groups differ") {
  // 17 work-groups, 8 at once: of 200 us of work, each of 16 has 12.5 us, in 2 waves.
  const std::string kernel =
      "global: 136, local: 8, sub_group: 8, program: [compute: 10 us], variation: {work_groups: ";
  const Explanation factor = explained(one_kernel("tiny", kernel + "{16: 4}}"));
  CHECK(factor.baseline == Duration{60'000'000});
  CHECK(changed_run(factor, "no_tail").duration == Duration{25'000'000});
  CHECK(changed_run(factor, "no_tail").sentence ==
        "Tail: 1 of 17 work-groups of k is left over for the last wave. That wave costs 58.3 % of the time. With all "
        "the work in 16 work-groups, the run takes 25 us.");
  const Explanation duration = explained(one_kernel("tiny", kernel + "{16: 40 us}}"));
  CHECK(duration.baseline == Duration{60'000'000});
  CHECK(changed_run(duration, "no_tail").duration == Duration{25'000'000});
  // All were measured, and the program's own time counts for nothing.
  std::string measured = "{16: 40 us";
  for (int i = 0; i < 16; ++i) measured += ", " + std::to_string(i) + (i % 2 == 0 ? ": 10 us" : ": 10000 cycles");
  const Explanation all = explained(one_kernel(
      "tiny",
      "global: 136, local: 8, sub_group: 8, program: [compute: 7 s], variation: {work_groups: " + measured + "}}"));
  CHECK(all.baseline == Duration{60'000'000});
  CHECK(changed_run(all, "no_tail").duration == Duration{25'000'000});
}

TEST_CASE("a tail that costs nothing is not said to cost something") {
  // Work-group 0 lasts 1 ms; the ninth, of 10 us, runs beside it. Spread over 8, it would make the first 1.25 us
  // longer.
  const std::string kernel =
      "global: 72, local: 8, sub_group: 8, program: [compute: 10 us], variation: {work_groups: {0: 100}}";
  const Explanation longer = explained(one_kernel("tiny", kernel));
  CHECK(changed_run(longer, "no_tail").duration == Duration{1'001'250'000});
  CHECK(changed_run(longer, "no_tail").sentence ==
        "Tail: 1 of 9 work-groups of k is left over for the last wave. To spread the work of that wave over the other "
        "waves does not help: the run takes 1.001 ms, 0.1 % more.");
}

TEST_CASE("of a scenario that is repeated, one run is explained, and that is said") {
  const std::string kernel = "global: 72, local: 8, sub_group: 8, program: [compute: 10 us]";
  const std::string said = "`repeat: 5` is left out: this is about one run, the first.\n";
  CHECK_THAT(explanation_text(explained(one_kernel("tiny", kernel, "repeat: 5\n"))), Catch::Contains("\n" + said));
  CHECK_THAT(explanation_text(explained(one_kernel("tiny", kernel, "repeat: 1\n"))), !Catch::Contains("repeat"));
}

TEST_CASE("memory is unlimited also where most of what a device may have in flight already is") {
  const Explanation explanation = explained(one_kernel("{base: a100-80gb, memory: {core_in_flight: 64 MiB}}",
                                                       "global: 4096, local: 256, sub_group: 32, program: [memory: 4 "
                                                       "KiB], variation: none"));
  CHECK(explanation.not_possible.empty());
  CHECK(has(explanation, "memory_unlimited"));
}

TEST_CASE("a strided tile in SLM costs what its bank conflicts cost") {
  // A stride of 16 words of 16 banks: every access of 16 lanes takes 16 cycles instead of 1.
  const Explanation explanation = explained(
      one_kernel("{base: arc-a770, clock: 1 GHz, slm_access: {banks: 16, bank_width: 4 B, latency: 0 cycles}}",
                 "global: 16, local: 16, sub_group: 16, slm: 4 KiB, program: [slm: {accesses: 1000, stride: 16}], "
                 "variation: none"));
  const ChangedRun& conflicts = changed_run(explanation, "slm_conflict_free");
  CHECK(explanation.baseline.count == 16 * conflicts.duration.count);
  CHECK(conflicts.saves == 937'500);  // 15 of 16
  CHECK_THAT(conflicts.sentence, Catch::Contains("with a stride of 16, an access takes 16 cycles"));
}

TEST_CASE("registers on an A100 cost what the waves that they add cost") {
  // 72 registers let 3 blocks of 256 fit instead of 8: 2592 blocks are 8 waves on 108 SMs instead of 3.
  const Explanation explanation =
      explained(one_kernel(without_dispatch_times("a100-80gb"),
                           "global: 663552, local: 256, sub_group: 32, registers: 72, program: [compute: 10 us]"));
  CHECK(explanation.baseline == Duration{80'000'000});
  const ChangedRun& registers = changed_run(explanation, "registers_unlimited");
  CHECK(registers.duration == Duration{30'000'000});
  CHECK(registers.saves == 625'000);
  CHECK(
      registers.sentence ==
      "Registers: 3 blocks of k fit on one SM. With unlimited registers, the run takes 30 us, 62.5 % less. On hardware "
      "the saving may be smaller: declared durations do not grow when more warps are resident at once.");
  CHECK(registers.is_declared);
}

TEST_CASE("SLM that is allocated costs what the waves that it adds cost") {
  // 4 KiB of 8 KiB: 2 work-groups fit on a core instead of 4, so 16 of them take 4 waves instead of 2.
  const Explanation explanation =
      explained(one_kernel("tiny", "global: 128, local: 8, sub_group: 8, slm: 4 KiB, program: [compute: 1 us]"));
  CHECK(explanation.baseline == Duration{4'000'000});
  CHECK(changed_run(explanation, "slm_allocation_zero").duration == Duration{2'000'000});
}

TEST_CASE("of a clock that drops, peak arithmetic is that of each clock as long as it is in force") {
  // 64 warps on each SM, 16 on each engine: 320,000 cycles. 141,000 of them pass in the first 100 us, the others at
  // half the clock.
  const Explanation drops =
      explained(one_kernel("{base: a100-80gb, clock: {at: {0 s: 1.41 GHz, 100 us: 705 MHz}}}",
                           "global: 221184, local: 1024, sub_group: 32, program: [issue: {fp32: 10000}], variation: "
                           "none"));
  const ChangedRun& unlimited = changed_run(drops, "issue_unlimited");
  CHECK(unlimited.is_at_peak);
  CHECK(unlimited.duration == Duration{100'000'000 + 253'900'710});
  CHECK(changed_run(drops, "initial_clock").duration < unlimited.duration);
  CHECK_FALSE(changed_run(drops, "initial_clock").is_at_peak);
}

TEST_CASE("issue_unlimited is limited to peak arithmetic, and the sentence says so") {
  // 64 warps on each SM, 16 on each engine: 16 x 10,000 instructions at 16 lanes a cycle are 320,000 cycles of 1.41
  // GHz.
  const Explanation full = explained(one_kernel(
      "a100-80gb", "global: 221184, local: 1024, sub_group: 32, program: [issue: {fp32: 10000}], variation: none"));
  const ChangedRun& unlimited = changed_run(full, "issue_unlimited");
  CHECK(unlimited.is_at_peak);
  CHECK(unlimited.duration == Duration{226'950'355});
  CHECK(unlimited.duration <= full.baseline);
  CHECK_THAT(unlimited.sentence,
             Catch::Contains("The run cannot be shorter: its arithmetic takes this long at the device's peak rate."));
  // Where instructions have no kind, no peak is known.
  const Explanation plain =
      explained(one_kernel("a100-80gb", "global: 221184, local: 1024, sub_group: 32, program: [issue: 20000 cycles]"));
  CHECK_FALSE(changed_run(plain, "issue_unlimited").is_at_peak);
}

TEST_CASE("slots, barriers, issue slots and uneven work-groups are taken away one at a time") {
  // 16 work-groups of a thread: 8 at once by the slots, 16 by the contexts.
  CHECK(changed_run(explained(one_kernel("tiny", "global: 128, local: 8, sub_group: 8, program: [compute: 1 us]")),
                    "slots_unlimited")
            .duration == Duration{1'000'000});
  // Of 4 threads, one computes 3 us before the barrier, where the others wait.
  const Explanation barrier = explained(one_kernel(
      "tiny",
      "global: 32, local: 32, sub_group: 8, program: [only: {threads: 0, body: [compute: 3 us]}, barrier, only: "
      "{threads: 1-3, body: [compute: 2 us]}]"));
  CHECK(barrier.baseline == Duration{5'000'000});
  CHECK(changed_run(barrier, "barriers_free").duration == Duration{3'000'000});
  // 4 threads share the slots of an engine, 2 on each of 2 engines.
  const Explanation issue = explained(
      one_kernel("tiny", "global: 32, local: 32, sub_group: 8, program: [issue: 1000 cycles], variation: none"));
  CHECK(changed_run(issue, "issue_unlimited").duration == Duration{1'000'000});
  CHECK(issue.baseline.count >= 2'000'000);
  const Explanation uneven = explained(one_kernel(
      "tiny", "global: 16, local: 8, sub_group: 8, program: [compute: 1 us], variation: {work_groups: {1: 4}}"));
  CHECK(uneven.baseline == Duration{4'000'000});
  CHECK(changed_run(uneven, "equal_work_groups").duration == Duration{2'500'000});  // the mean of 1 and 4
  CHECK(changed_run(uneven, "equal_work_groups").saves == 375'000);
}

TEST_CASE(
    "equal work-groups do what uneven ones do on average, and longest first is tried, for programs by group as well") {
  const std::string device = "{base: tiny, cores: 1, contexts_per_engine: 1}";
  // On 2 contexts, 1 + 2 + 3 + 4 us: in this order 3 begins behind 1, and 4 behind 2, in all 6 us; longest first, 5.
  const std::string program = "global: 32, local: 8, sub_group: 8, program: [loop: {count: = group + 1, body: [";
  for (const std::string body : {"compute: 1 us]}]", "compute: 600 ns, compute: 400 ns]}]"}) {
    const Explanation by_group = explained(one_kernel(device, program + body));
    CHECK(by_group.baseline == Duration{6'000'000});
    // Half a loop more is in the amounts of its body, which are rounded.
    CHECK(to_rounded_text(changed_run(by_group, "equal_work_groups").duration) == "5 us");
    CHECK(changed_run(by_group, "longest_first").duration == Duration{5'000'000});
    CHECK_THAT(changed_run(by_group, "longest_first").sentence,
               Catch::Contains("of k differ, and are dispatched by number. With the longest first"));
  }
  const Explanation by_factors = explained(one_kernel(
      device, "global: 32, local: 8, sub_group: 8, program: [compute: 1 us], variation: {work_groups: = group + 1}"));
  CHECK(changed_run(by_factors, "equal_work_groups").duration == Duration{5'000'000});
  // The same factor for all makes nothing uneven.
  CHECK_FALSE(
      has(explained(one_kernel(device,
                               "global: 32, local: 8, sub_group: 8, program: [compute: 1 us], variation: {work_groups: "
                               "= 2 + 0 * group}")),
          "equal_work_groups"));
}

TEST_CASE(
    "explain does not mention kernels that are not launched, and names the limit of the launch that lasted longest") {
  const auto explanation = [](const std::string& launches) {
    return explained(
        read_text("scenario: S\ndevice: a100-80gb\nkernels:\n"
                  "  small: {global: 27648, local: 256, sub_group: 32, registers: 255, program: [compute: 2 us]}\n"
                  "  big: {global: 2764800, local: 128, sub_group: 32, registers: 168, program: [compute: 20 us]}\n"
                  "launches: " +
                  launches + "\n"));
  };
  CHECK_THAT(changed_run(explanation("[kernel: big]"), "registers_unlimited").sentence,
             Catch::StartsWith("Registers: 3 blocks of big fit"));
  CHECK_THAT(changed_run(explanation("[kernel: small, {kernel: big, after: [small]}]"), "registers_unlimited").sentence,
             Catch::StartsWith("Registers: 3 blocks of big fit"));
  CHECK_THAT(changed_run(explanation("[kernel: small]"), "registers_unlimited").sentence,
             Catch::StartsWith("Registers: 1 block of small fits"));
}

TEST_CASE("loads under way and rates of atomics are tried by themselves") {
  const Explanation loads = explained(
      one_kernel("a100-80gb",
                 "global: 32, local: 32, sub_group: 32, in_flight: 256 B, program: [memory: 16 KiB], variation: none"));
  CHECK(changed_run(loads, "in_flight_unlimited").saves > 900'000);
  CHECK_THAT(changed_run(loads, "in_flight_unlimited").sentence,
             Catch::Contains("has at most 256 B of its loads in flight"));
  CHECK_FALSE(has(loads, "atomics_unlimited"));
  const Explanation atomics =
      explained(one_kernel("a100-80gb",
                           "global: 65536, local: 256, sub_group: 32, variation: none, program: [atomic: {accesses: "
                           "64, addresses: 1, space: global}]"));
  CHECK(changed_run(atomics, "atomics_unlimited").saves > 800'000);
  CHECK_THAT(changed_run(atomics, "memory_unlimited").sentence, Catch::StartsWith("Memory and atomics: "));
}

TEST_CASE("dependencies and what the host and the way cost are taken away") {
  const auto read = read_text(
      "scenario: S\ndevice: {base: tiny, submit_overhead: 1 us, launch_latency: 2 us, dependency_gap: 3 us}\n"
      "kernels:\n  k: {global: 8, local: 8, sub_group: 8, program: [compute: 10 us]}\n"
      "launches: [kernel: k, {kernel: k, name: second, after: [k]}]\n");
  const Explanation explanation = explained(read);
  CHECK(explanation.baseline == Duration{23'000'000});
  CHECK(changed_run(explanation, "launch_overheads_zero").duration == Duration{20'000'000});
  // The second is submitted 1 us after the first, and runs beside it.
  CHECK(changed_run(explanation, "no_dependencies").duration == Duration{11'000'000});
}

TEST_CASE("memory and each of its levels are unlimited in turn") {
  const Explanation explanation =
      explained(one_kernel("{base: tiny, memory: {levels: [{name: L2, capacity: 1 KiB, bandwidth: 4 GB/s}, {name: HBM, "
                           "bandwidth: 1 GB/s}]}}",
                           "global: 8, local: 8, sub_group: 8, program: [memory: 1000 B], variation: none"));
  CHECK(explanation.baseline == Duration{1'000'000});  // it streams: 1000 B at 1 GB/s
  CHECK(changed_run(explanation, "level_unlimited:HBM").saves >= 999'900);
  CHECK(changed_run(explanation, "level_unlimited:L2").saves == 0);
  CHECK(changed_run(explanation, "memory_unlimited").saves >= 999'900);
}

TEST_CASE(
    "only what could change something is tried, and the greatest saving of each list comes first, changes before "
    "bounds") {
  const Explanation explanation = explained(one_kernel(
      "tiny", "global: 120, local: 8, sub_group: 8, program: [compute: 1 us], variation: {work_groups: {1: 4}}"));
  CHECK_FALSE(has(explanation, "barriers_free"));
  CHECK_FALSE(has(explanation, "memory_unlimited"));
  CHECK_FALSE(has(explanation, "slm_allocation_zero"));
  CHECK_FALSE(has(explanation, "no_dependencies"));
  CHECK(std::is_sorted(
      explanation.changed_runs.begin(), explanation.changed_runs.end(),
      [](const ChangedRun& a, const ChangedRun& b) { return a.list != b.list ? a.list < b.list : a.saves > b.saves; }));
}

TEST_CASE("an explanation is the same with any number of jobs") {
  const auto read = one_kernel("tiny",
                               "global: 120, local: 8, sub_group: 8, slm: 1 KiB, program: [compute: 1 us, barrier, "
                               "issue: 10 cycles], variation: {distribution: uniform, cv: 0.2}");
  CHECK(explanation_text(explained(read, {1})) == explanation_text(explained(read, {4})));
}

TEST_CASE("steps that are removed take empty loops and parts with them, and a program keeps taking time") {
  Program program{Loop{3, {Barrier{}}}, Only{{{0, 1}}, {Barrier{}}}, Loop{2, {Only{{{0, 0}}, {Barrier{}}}}},
                  Compute{picoseconds(5)}};
  const auto remove_barriers = [](Step& step) {
    return std::holds_alternative<Barrier>(step) ? StepChange::removed : StepChange::none;
  };
  CHECK(change_program(program, remove_barriers));
  REQUIRE(program.size() == 1);
  CHECK(std::holds_alternative<Compute>(program.front()));
  CHECK_FALSE(change_program(program, remove_barriers));
  Program only_barriers{Barrier{}};
  CHECK(change_program(only_barriers, remove_barriers));
  CHECK(std::holds_alternative<Compute>(only_barriers.front()));
}

TEST_CASE("dispatch that is instantaneous takes no time to place work-groups, and none before a slot is used again") {
  // A work-group every 1 us, of 16 that last 1 us: each begins when the one before it ends. 8 of them fit at once.
  const std::string kernel = "global: 128, local: 8, sub_group: 8, program: [compute: 1 us]";
  const Explanation placed =
      explained(one_kernel("{base: tiny, dispatch: {interval: {per_work_group: 1 us}}}", kernel));
  CHECK(placed.baseline == Duration{16'000'000});
  CHECK(changed_run(placed, "dispatch_instantaneous").duration == Duration{2'000'000});
  CHECK(changed_run(placed, "dispatch_instantaneous").sentence ==
        "Dispatch: the dispatcher has 1 port for work-groups placed in part, needs 1 us per work-group. With immediate "
        "dispatch, the run takes 2 us, 87.5 % less. On hardware the saving may be smaller: declared durations do not "
        "grow when more threads are resident at once.");
  // The second wave waits 3 us for what the first one released.
  const Explanation reused = explained(one_kernel("{base: tiny, dispatch: {recovery: 3 us, ports: 1}}", kernel));
  CHECK(reused.baseline == Duration{5'000'000});
  CHECK(changed_run(reused, "dispatch_instantaneous").duration == Duration{2'000'000});
  CHECK_THAT(changed_run(reused, "dispatch_instantaneous").sentence,
             Catch::StartsWith(
                 "Dispatch: the dispatcher has 1 port for work-groups placed in part, reuses resources after 3 us. "));
  CHECK_FALSE(has(explained(one_kernel("{base: tiny, dispatch: {interval: {per_work_group: 0 s}, recovery: 0 s, "
                                       "ports: unlimited, batch: {work_groups: 2}}}",
                                       kernel)),
                  "dispatch_instantaneous"));
}

TEST_CASE("the cost of a launch is one of its overheads") {
  // Both launches pay it.
  const auto two = read_text(
      "scenario: S\ndevice: {base: tiny, launch_cost: 3 us}\n"
      "kernels:\n  k: {global: 8, local: 8, sub_group: 8, program: [compute: 10 us]}\n"
      "launches: [kernel: k, {kernel: k, name: second, after: [k]}]\n");
  const Explanation both = explained(two);
  CHECK(both.baseline == Duration{26'000'000});
  CHECK(changed_run(both, "launch_overheads_zero").duration == Duration{20'000'000});
  CHECK_THAT(changed_run(both, "launch_overheads_zero").sentence, Catch::Contains("launch cost 3 us"));
}

TEST_CASE("atomic accesses to one address in SLM cost what their conflicts cost") {
  // 8 work-items one after the other, 1000 times: 8 us. With an address for each, an access takes a cycle.
  const Explanation explanation = explained(
      one_kernel("{base: tiny, clock: 1 GHz, slm_access: {banks: 8, bank_width: 4 B, latency: 0 cycles}, "
                 "atomics: {slm: 1}}",
                 "global: 8, local: 8, sub_group: 8, slm: 4 KiB, program: [atomic: {accesses: 1000, addresses: 1, "
                 "space: slm}, compute: 1 us], variation: none"));
  CHECK(explanation.baseline == Duration{9'000'000});
  const ChangedRun& conflicts = changed_run(explanation, "slm_conflict_free");
  CHECK(conflicts.duration == Duration{2'000'000});
  CHECK_THAT(conflicts.sentence,
             Catch::Contains("Bank conflicts in SLM: with 1 address, an atomic access takes 8 cycles"));
  CHECK(changed_run(explanation, "slm_unlimited").duration == Duration{1'000'000});
  CHECK_FALSE(has(explanation, "memory_unlimited"));
}

TEST_CASE("atomic accesses that no neighbour disturbs have no conflicts, at whatever rate an address is served") {
  const Explanation explanation = explained(
      one_kernel("{base: tiny, clock: 1 GHz, slm_access: {banks: 8, bank_width: 4 B, latency: 0 cycles}, "
                 "atomics: {slm: 0.5}}",
                 "global: 8, local: 8, sub_group: 8, slm: 4 KiB, program: [atomic: {accesses: 1000, addresses: 8, "
                 "space: slm}], variation: none"));
  CHECK(explanation.baseline == Duration{2'000'000});  // two cycles each
  CHECK_FALSE(has(explanation, "slm_conflict_free"));
  CHECK(changed_run(explanation, "slm_unlimited").duration == Duration{1});
}

TEST_CASE("atomic accesses to one address in global memory are unlimited with the memory") {
  // 8 x 1000 accesses at one per cycle: 8 us, behind 4000 B at 4 GB/s.
  const Explanation explanation = explained(
      one_kernel("{base: tiny, clock: 1 GHz, atomics: {global: 1}, memory: {levels: [{name: HBM, bandwidth: 4 GB/s}]}}",
                 "global: 8, local: 8, sub_group: 8, program: [atomic: {accesses: 1000, addresses: 1, space: global}], "
                 "variation: none"));
  CHECK(explanation.baseline == Duration{9'000'000});
  CHECK(changed_run(explanation, "memory_unlimited").duration < Duration{10'000});
  CHECK(changed_run(explanation, "level_unlimited:HBM").duration < Duration{8'010'000});
  CHECK_FALSE(has(explanation, "slm_unlimited"));
}

TEST_CASE("a kernel in clusters of two dimensions has a tail that can be taken away") {
  // Of 1600 blocks of 1024, 132 SMs hold 264: 7 waves, the last of 16 blocks.
  const Explanation explanation = explained(
      one_kernel(without_dispatch_times("h100-sxm"),
                 "global: [200, 8192], local: [1, 1024], cluster: [2, 4], sub_group: 32, program: [compute: 10 us]"));
  CHECK(explanation.not_possible.empty());
  const ChangedRun& tail = changed_run(explanation, "no_tail");
  CHECK(tail.saves > 0);
  CHECK_THAT(tail.sentence, Catch::StartsWith("Tail: ") && Catch::Contains(" of 1600 blocks of k are left over"));
}
