#include <gdsim/counterfactual/counterfactual.hpp>
#include <gdsim/counterfactual/program_change.hpp>
#include <gdsim/fit/limits.hpp>
#include <gdsim/points/run_point.hpp>
#include "support/scenarios.hpp"
#include "support/texts.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace gdsim;
using namespace gdsim::testing;

// Which things are taken away from a scenario, and what is said of each.

namespace {

Scenario scenario_of(const std::string& device, const std::string& kernels, const std::string& launches) {
  const bool has_queue = launches.find("queue: q") != std::string::npos;
  const ReadText read =
      read_text("scenario: S\ndevice: " + device + "\nkernels: {" + kernels + "}\n" +
                (has_queue ? "queues: {q: {order: in_order}}\n" : "") + "launches: [" + launches + "]\n");
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  return read.scenario();
}

std::vector<Counterfactual> changes_of(const Scenario& scenario) {
  return counterfactuals(scenario, run_for_study(scenario, {}).record);
}

/// A line for each change, `WHAT: SUBJECT`, but for those of sizes and placements, which have tests of their own.
std::string changes(const std::string& device, const std::string& kernels,
                    const std::string& launches = "{kernel: k}") {
  std::string lines;
  for (const Counterfactual& one : changes_of(scenario_of(device, kernels, launches)))
    if (one.what.find(':') == std::string::npos || one.what.starts_with("level_unlimited:"))
      lines += one.what + ": " + one.subject + "\n";
  return lines;
}

/// The names of the same changes, with spaces between them.
std::string names(const std::string& device, const std::string& kernels, const std::string& launches = "{kernel: k}") {
  std::string text;
  for (const std::string& line : lines_of(changes(device, kernels, launches)))
    text += (text.empty() ? "" : " ") + line.substr(0, line.find(": "));
  return text;
}

/// The sentence about the change `what`; empty if there is none.
std::string subject_of(const std::string& device, const std::string& kernels, const std::string& what,
                       const std::string& launches = "{kernel: k}") {
  std::string subject;
  for (const Counterfactual& one : changes_of(scenario_of(device, kernels, launches)))
    if (one.what == what) subject += one.subject;
  return subject;
}

/// One core that takes as many work-groups at once as it has contexts, with these keys.
std::string with_key(const std::string& key, const std::string& ports = "unlimited") {
  return "{base: tiny, cores: 1, work_groups_per_core: unlimited, dispatch: {ports: " + ports + "}" +
         (key.empty() ? "" : ", " + key) + "}";
}
const std::string kPlain = with_key("");

std::string kernel(const std::string& more = {}, const std::string& program = "[compute: 1 us]", int groups = 1) {
  return "k: {global: " + std::to_string(8 * groups) + ", local: 8, sub_group: 8, program: " + program + more + "}";
}

}  // namespace

TEST_CASE("of a scenario in which nothing costs anything, nothing is taken away") {
  CHECK(changes(kPlain, kernel()).empty());
}

TEST_CASE("both parts of a launch's cost are taken away, and named") {
  CHECK(changes(with_key("launch_cost: {serial: 0 s, overlapping: 1 us}"), kernel()) ==
        "launch_overheads_zero: Launch overheads: launch cost 0 s (and 1 us while a predecessor runs)\n");
}

TEST_CASE("any overhead of launches alone is taken away, with all others") {
  for (const auto& [keys, said] : std::vector<std::pair<std::string, std::string>>{
           {"submit_overhead: 1 us", "submission 1 us"},
           {"launch_latency: 2 us", "latency 2 us"},
           {"dependency_gap: 3 us", "gap after a dependency 3 us"},
           {"submit_overhead: 1 us, launch_latency: 2 us", "submission 1 us, latency 2 us"}}) {
    CHECK(changes(with_key(keys), kernel()) == "launch_overheads_zero: Launch overheads: " + said + "\n");
    const auto all = changes_of(scenario_of(with_key(keys), kernel(), "{kernel: k}"));
    const DeviceSpec& device = all.at(0).scenario.device;
    CHECK(device.submit_overhead.count + device.launch_latency.count + device.dependency_gap.count == 0);
  }
}

TEST_CASE("batches of the host are taken away, and named") {
  CHECK(changes(with_key("submission: {batch: 4, flush: 1 us}"), kernel()) ==
        "launch_overheads_zero: Launch overheads: submission in batches of 4\n");
  CHECK_FALSE(changes_of(scenario_of(with_key("submission: {batch: 4}"), kernel(), "{kernel: k}"))
                  .at(0)
                  .scenario.device.submission);
}

TEST_CASE("ports are taken away, one or several, and so is placement in part where work-groups leave contexts free") {
  CHECK(changes(with_key("", "1"), kernel()) ==
        "dispatch_instantaneous: Dispatch: the dispatcher has 1 port for work-groups placed in part\n");
  CHECK(changes(with_key("", "2"), kernel()) ==
        "dispatch_instantaneous: Dispatch: the dispatcher has 2 ports for work-groups placed in part\n");
  // 3 threads of a work-group on 8 contexts.
  const std::string three = "k: {global: 24, local: 24, sub_group: 8, program: [compute: 1 us]}";
  for (const auto& [ports, said] : {std::pair("1", " has 1 port for "), std::pair("2", " has 2 ports for ")}) {
    CHECK(names(with_key("", ports), three) == "dispatch_instantaneous whole_work_groups ports_unlimited");
    CHECK_THAT(subject_of(with_key("", ports), three, "dispatch_instantaneous"), Catch::Contains(said));
  }
  CHECK_THAT(changes(with_key("", "1"), three),
             Catch::EndsWith("ports_unlimited: Ports: the dispatcher stops while 1 work-group is placed in part\n"));
  CHECK_THAT(changes(with_key("", "2"), three),
             Catch::EndsWith("ports_unlimited: Ports: the dispatcher stops while 2 work-groups are placed in part\n"));
  CHECK(changes(with_key("", "unlimited"), three) ==
        "whole_work_groups: Placement in part: the dispatcher places part of a work-group when the whole work-group "
        "does not fit on the core\n");
  for (const Counterfactual& one : changes_of(scenario_of(with_key("", "2"), three, "{kernel: k}"))) {
    if (one.what == "whole_work_groups") CHECK(one.scenario.dispatch.admission == Admission::whole);
    if (one.what == "ports_unlimited") CHECK(one.scenario.dispatch.admission == Admission::partial);
    if (one.what == "whole_work_groups" || one.what == "ports_unlimited") CHECK_FALSE(one.scenario.dispatch.ports);
  }
}

namespace {
const std::string kSlots = "{base: tiny, cores: 1, dispatch: {ports: unlimited}}";
}  // namespace

TEST_CASE(
    "each kind of limit on work-groups is taken away from kernels and devices that have it, with what it allows") {
  CHECK(changes(kSlots, kernel()) == "slots_unlimited: Slots for work-groups: 4 work-groups of k fit on one core\n");
  const std::string large = "k: {global: 64, local: 64, sub_group: 8, program: [compute: 1 us]}";
  CHECK(changes(kSlots, large) ==
        "slots_unlimited: Slots for work-groups: they do not limit how many work-groups fit\n");
  const std::string one_slot = with_key("work_groups_with_barrier_or_slm: 1");
  CHECK(names(one_slot, kernel(", slm: 4 KiB")) == "slm_allocation_zero slots_unlimited");
  CHECK(subject_of(one_slot, kernel(", slm: 4 KiB"), "slots_unlimited") ==
        "Slots for work-groups: 1 work-group of k fits on one core");
  CHECK_THAT(changes(one_slot, kernel(", slm: 4 KiB")),
             Catch::StartsWith("slm_allocation_zero: Allocation of SLM: it does not limit how many work-groups fit\n"));
  const std::string two =
      kernel(", slm: 2 KiB") + ", l: {global: 8, local: 8, sub_group: 8, slm: 4 KiB, program: [compute: 2 us]}";
  CHECK(changes(kPlain, two, "{kernel: k}, {kernel: l}") ==
        "slm_allocation_zero: Allocation of SLM: 2 work-groups of l fit on one core\n");
  const std::string registers =
      "{base: a100-80gb, cores: 1, work_groups_per_core: unlimited, dispatch: {recovery: 0 cycles}}";
  CHECK(changes(registers, "k: {global: 256, local: 256, sub_group: 32, registers: 72, program: [compute: 1 us]}")
            .starts_with("registers_unlimited: Registers: 3 blocks of k fit on one SM\n"));
}

TEST_CASE("dependencies of every kind are taken away, and those launches are counted that wait for others") {
  const std::string two = "{kernel: k}, {kernel: k, name: second";
  CHECK(changes(kPlain, kernel(), two + ", after: [k]}") ==
        "no_dependencies: Dependencies: 1 of 2 launches waits for other launches\n");
  const auto waiting = [](const std::string& launches) {
    CHECK(names(kPlain, kernel(), launches) == "no_dependencies");
    return subject_of(kPlain, kernel(), "no_dependencies", launches);
  };
  const auto one_of_two = Catch::StartsWith("Dependencies: 1 of 2 launches waits ");
  CHECK_THAT(waiting(two + ", wait: [k]}"), one_of_two);
  CHECK_THAT(waiting("{kernel: k, writes: [b]}, {kernel: k, name: second, reads: [b]}"), one_of_two);
  CHECK_THAT(waiting("{kernel: k, queue: q}, {kernel: k, name: second, queue: q}"), one_of_two);
  CHECK_THAT(waiting(two + "}, {kernel: k, name: third, after: [k, second]}"),
             Catch::StartsWith("Dependencies: 1 of 3 launches waits "));
  CHECK_THAT(waiting(two + ", after: [k]}, {kernel: k, name: third, wait: [k], after: [second]}"),
             Catch::StartsWith("Dependencies: 2 of 3 launches wait "));
  for (const Counterfactual& one : changes_of(scenario_of(
           kPlain, kernel(),
           "{kernel: k, writes: [b], queue: q}, {kernel: k, name: second, reads: [b], after: [k], queue: q}"))) {
    if (one.what != "no_dependencies") continue;
    for (const Launch& launch : one.scenario.workload.launches) {
      CHECK(launch.after.empty());
      CHECK(launch.reads.empty());
      CHECK(launch.writes.empty());
      CHECK(launch.host_waits.empty());
    }
    for (const Queue& queue : one.scenario.workload.queues) CHECK(queue.order == QueueOrder::out_of_order);
  }
}

TEST_CASE("where no launch waits for another, no dependencies are taken away") {
  CHECK(changes(kPlain, kernel(), "{kernel: k}, {kernel: k, name: second}").empty());
  CHECK(changes(kPlain, kernel(), "{kernel: k, reads: [a]}").empty());
  CHECK(changes(kPlain, kernel(), "{kernel: k, reads: [a], writes: [a]}").empty());
  CHECK(changes(kPlain, kernel(), "{kernel: k, queue: q}").empty());
  CHECK(changes(kPlain, kernel(), "{kernel: k, queue: q}, {kernel: k, name: second}").empty());
  CHECK(changes(kPlain, kernel(), "{kernel: k, reads: [a]}, {kernel: k, name: second, reads: [a]}").empty());
}

TEST_CASE("uneven work-groups are made equal, unless their durations were measured or nothing was said of them") {
  const auto varied = [](const std::string& variation) {
    return names(kPlain, kernel(", variation: " + variation, "[compute: 1 us]", 2));
  };
  CHECK(changes(kPlain, kernel(", variation: {work_groups: {1: 2}}", "[compute: 1 us]", 2)) ==
        "equal_work_groups: Uneven work-groups: their durations vary\n"
        "longest_first: Order: work-groups of k differ, and are dispatched by number\n");
  CHECK(varied("{first_wave: 1.5}") == "equal_work_groups");
  CHECK(varied("{distribution: uniform, cv: 0.1, seed: 1}") == "equal_work_groups");
  CHECK(varied("none").empty());
  CHECK(varied("{distribution: uniform, cv: 0.1, seed: 1, per: launch}").empty());  // of one launch, all are equal
  CHECK(varied("{work_groups: {1: 2 us}}") == "longest_first");
}

TEST_CASE("barriers of every kind, issue slots and accesses to SLM are taken away, with the time that threads wait") {
  CHECK(
      changes(kPlain,
              "k: {global: 16, local: 16, sub_group: 8, program: [only: {threads: 0, body: [compute: 3 us]}, barrier, "
              "compute: 1 us]}") == "barriers_free: Barriers: threads wait 37.5 % of their time at barriers\n");
  const std::string signals = kernel("", "[signal: a, compute: 1 us, wait: a]");
  CHECK(changes(kPlain, signals) == "barriers_free: Barriers: threads wait 0.0 % of their time at barriers\n");
  for (const auto& [device, step] :
       {std::pair(kPlain, "issue: 1000 cycles"),
        std::pair(with_key("clock: 1 GHz, arithmetic: {fp32: 4}"), "issue: {fp32: 1000}")}) {
    const std::string issuing = kernel(", variation: none", "[" + std::string(step) + "]", 4);
    CHECK(changes(device, issuing) ==
          "issue_unlimited: Issue slots: threads wait 50.0 % of their time for an issue slot\n");
  }
  const auto banks = [](const std::string& latency) {
    return with_key("clock: 1 GHz, slm_access: {banks: 4, bank_width: 4 B, latency: " + latency + "}");
  };
  const auto accesses = [](const std::string& stride) {
    return kernel(", slm: 1 KiB, variation: none", "[slm: {accesses: 10, stride: " + stride + "}]");
  };
  CHECK(changes(banks("0 cycles"), accesses("2")) ==
        "slm_conflict_free: Bank conflicts in SLM: with a stride of 2, an access takes 4 cycles\n"
        "slm_unlimited: Accesses to SLM: threads wait 0.0 % of their time for the banks of SLM\n"
        "slm_allocation_zero: Allocation of SLM: 8 work-groups of k fit on one core\n");
  CHECK(changes(banks("5 cycles"), accesses("1")) ==
        "slm_unlimited: Accesses to SLM: threads wait 0.0 % of their time for the banks of SLM\n"
        "slm_allocation_zero: Allocation of SLM: 8 work-groups of k fit on one core\n");
}

TEST_CASE("tiles are taken all the same, and cost as much, where nothing is left to do for them") {
  Tiles tiles;
  tiles.list = "work";
  tiles.cost = parse_step_time("1 us").value.value();
  tiles.body = {Slm{}, Barrier{}};
  Program program{tiles};
  const auto without_slm = [](Step& step) {
    return std::holds_alternative<Slm>(step) ? StepChange::removed : StepChange::none;
  };
  CHECK(change_program(program, without_slm));
  REQUIRE(program.size() == 1);
  const Program& body = std::get<Tiles>(program.front()).body;
  REQUIRE(body.size() == 2);
  CHECK(std::holds_alternative<Barrier>(body[0]));
  CHECK(std::get<Compute>(body[1]).time.amount.digits == 1);
}

TEST_CASE("the memory and each of its levels that has a bandwidth are taken away, from kernels that use it") {
  const std::string memory = with_key(
      "memory: {core_bandwidth: 2 GB/s, levels: [{name: L2, capacity: 1 KiB, latency: 5 ns}, {name: HBM, bandwidth: 1 "
      "GB/s}]}");
  CHECK(changes(memory, kernel()).empty());
  CHECK(changes(memory, kernel(", variation: none", "[memory: 1000 B]", 2)) ==
        "memory_unlimited: Memory: threads wait 50.0 % of their time behind the accesses of other threads and spend "
        "50.0 % in their own (latency included)\n"
        "level_unlimited:HBM: Memory level HBM: its bandwidth is 1 GB/s\n");
  const auto all = changes_of(scenario_of(memory, kernel(", variation: none", "[memory: 1000 B]", 2), "{kernel: k}"));
  CHECK(all.at(0).scenario.device.memory->core_bandwidth == BytesPerSecond{200'000'000'000'000});
  CHECK(all.at(0).scenario.device.memory->levels[1].bandwidth == BytesPerSecond{100'000'000'000'000});
  CHECK(all.at(1).scenario.device.memory->core_bandwidth == BytesPerSecond{2'000'000'000});
  CHECK(all.at(1).scenario.device.memory->levels[1].bandwidth == BytesPerSecond{100'000'000'000'000});
}

TEST_CASE("what is unlimited is no more than a device may have") {
  const auto memory_of = [](const std::string& in_flight) {
    const std::string device = with_key("memory: {in_flight: " + in_flight + ", core_in_flight: " + in_flight +
                                        ", levels: [{name: M, bandwidth: 100 TB/s, latency: 1 us}]}");
    return *changes_of(scenario_of(device, kernel(", variation: none", "[memory: 1000 B]"), "{kernel: k}"))
                .at(0)
                .scenario.device.memory;
  };
  constexpr std::int64_t tebibyte = std::int64_t{1} << 40;
  CHECK(memory_of("10 B").in_flight == Bytes{1'000'000});
  CHECK(memory_of("10 B").core_in_flight == Bytes{1'000'000});
  CHECK(memory_of("64 MiB").in_flight == Bytes{tebibyte});
  CHECK(memory_of("64 MiB").core_in_flight == Bytes{tebibyte});
  CHECK(memory_of("1024 GiB").core_in_flight == Bytes{tebibyte});
  CHECK(memory_of("10 B").levels[0].bandwidth == BytesPerSecond{1'000'000'000'000'000});
}

TEST_CASE("the tail is that of the launch that lasted longest among those that have one") {
  const auto tail = [](int of_k, int of_l, const std::string& time_of_l) {
    const std::string kernels = kernel("", "[compute: 10 us]", of_k) + ", l: {global: " + std::to_string(8 * of_l) +
                                ", local: 8, sub_group: 8, program: [compute: " + time_of_l + "]}";
    return subject_of(kPlain, kernels, "no_tail", "{kernel: k}, {kernel: l, at: 1 s}");
  };
  const auto tail_of_k = Catch::StartsWith("Tail: 1 of 9 work-groups of k is ");
  CHECK_THAT(tail(9, 10, "1 us"), tail_of_k);
  CHECK_THAT(tail(9, 10, "20 us"), Catch::StartsWith("Tail: 2 of 10 work-groups of l are "));
  CHECK_THAT(tail(9, 10, "10 us"), tail_of_k);
  CHECK_THAT(tail(9, 8, "20 us"), tail_of_k);
  CHECK(tail(8, 8, "20 us").empty());
  CHECK(changes(kPlain, kernel("", "[compute: 10 us]", 9)) ==
        "no_tail: Tail: 1 of 9 work-groups of k is left over for the last wave\n");
}

TEST_CASE("a tail of measured durations is spread if the clock changes behind the end of the run, and not before") {
  const auto said = [](const std::string& clock) {
    return changes(with_key("clock: {at: {0 s: 1 GHz, " + clock + ": 2 GHz}}"),
                   kernel(", variation: {work_groups: {1: 11 us}}", "[compute: 10 us]", 9));
  };
  CHECK_THAT(said("1 s"), Catch::Contains("no_tail: "));
  CHECK_THAT(said("5 us"), !Catch::Contains("no_tail: "));
}

TEST_CASE("start times are taken away, and those launches are counted that have one") {
  const std::string launches = "{kernel: k}, {kernel: k, name: second, at: 3 us}, {kernel: k, name: third, at: 9 us}";
  CHECK(changes(kPlain, kernel(), launches) ==
        "no_start_times: Start times: the host holds 2 of 3 launches back until their `at:`\n");
  for (const Counterfactual& one : changes_of(scenario_of(kPlain, kernel(), launches)))
    if (one.what == "no_start_times")
      for (const Launch& launch : one.scenario.workload.launches) CHECK(launch.at == SimTime{});
}

TEST_CASE("the work of a tail is spread over the work-groups that stay, whatever they do") {
  // 9 work-groups, of which 8 stay: each does 9/8 as much.
  const Scenario scenario = scenario_of(
      with_key("clock: 1 GHz, slm_access: {banks: 4, bank_width: 4 B, latency: 0 cycles}, memory: {levels: [{name: M, "
               "bandwidth: 1 GB/s}]}, atomics: {global: 1, slm: 1}"),
      kernel(
          ", slm: 64 B, variation: none",
          "[compute: 8 us, issue: 80 cycles, memory: 800 B, slm: {accesses: 16, stride: 1}, barrier, loop: {count: 3, "
          "body: [compute: 80 ns]}, only: {threads: 0, body: [compute: 16 ns]}]",
          9),
      "{kernel: k}");
  const Kernel& kernel = scenario.workload.kernels.at(0);
  const auto tail = tail_of(kernel, scenario.device);
  REQUIRE(tail);
  CHECK(tail->left_over == 1);
  CHECK(tail->work_groups == 9);
  const auto shorter = without_tail(kernel, *tail, scenario.device);
  REQUIRE(shorter);
  CHECK(shorter->range.groups() == Extent{1, 1, 8});
  const Program& program = shorter->program;
  const auto amount = [](const Decimal& value) { return to_text(value); };
  CHECK(amount(std::get<Compute>(program[0]).time.amount) == "9000000");
  CHECK(amount(std::get<IssueSlots>(program[1]).slots.amount) == "90");
  CHECK(std::get<Memory>(program[2]).bytes == Bytes{900});
  CHECK(std::get<Slm>(program[3]).accesses == 18);
  CHECK(std::holds_alternative<Barrier>(program[4]));
  CHECK(std::get<Loop>(program[5]).count == 3);
  CHECK(amount(std::get<Compute>(std::get<Loop>(program[5]).body[0]).time.amount) == "90000");
  CHECK(amount(std::get<Compute>(std::get<Only>(program[6]).body[0]).time.amount) == "18000");
}

TEST_CASE("accesses to L1 that lie apart can lie together, one line of the source at a time") {
  const std::string device = with_key("clock: 1 GHz, arithmetic: {fp32: 8}, l1: {lines_per_cycle: 1}");
  const std::string program =
      "[issue: {fp32: 2, l1: [{source_line: 7, instruction: ld, requests: 2, lines: 64, coalesced: 3}, {source_line: "
      "9, "
      "lines: 5, coalesced: 5}]}]";
  const auto find = [](const Scenario& scenario, const std::string& what) {
    for (Counterfactual& one : changes_of(scenario))
      if (one.what == what) return std::optional(std::move(one));
    return std::optional<Counterfactual>();
  };
  const auto coalesced = find(scenario_of(device, kernel(", variation: none", program), "{kernel: k}"), "coalesced:7");
  REQUIRE(coalesced);
  CHECK(coalesced->subject ==
        "Coalescing: source line 7 (ld) occupies 32 cache lines of L1 per request instead of 1.5");
  const auto& accesses = std::get<IssueSlots>(coalesced->scenario.workload.kernels[0].program[0]).l1;
  CHECK(accesses[0].lines == 3);
  CHECK(accesses[1].lines == 5);
  CHECK_FALSE(find(scenario_of(device, kernel(", variation: none", program), "{kernel: k}"), "coalesced:9"));
  CHECK_FALSE(find(scenario_of(device, kernel(", variation: none", program), "{kernel: k}"), "coalesced"));
  const std::string two =
      "[issue: {fp32: 2, l1: [{source_line: 7, lines: 64, coalesced: 3}, {source_line: 9, lines: 6, coalesced: 5}]}]";
  const auto all = find(scenario_of(device, kernel(", variation: none", two), "{kernel: k}"), "coalesced");
  REQUIRE(all);
  CHECK(all->subject == "Coalescing: source lines 7, 9 occupy 8.8 times as many cache lines of L1 as necessary");
  const auto& both = std::get<IssueSlots>(all->scenario.workload.kernels[0].program[0]).l1;
  CHECK(both[0].lines == 3);
  CHECK(both[1].lines == 5);
}

TEST_CASE("accesses that lie together move fewer sectors beyond L1, in the memory steps beside them") {
  const std::string device = with_key(
      "clock: 1 GHz, arithmetic: {fp32: 8}, l1: {lines_per_cycle: 1}, memory: {levels: [{name: L2, capacity: 1 MiB, "
      "bandwidth: 1 TB/s}, {name: M, bandwidth: 1 GB/s}]}");
  const std::string program =
      "[memory: 1 KiB, issue: {fp32: 2, l1: [{source_line: 7, instruction: ld.global.f32, lines: 32, coalesced: 1, "
      "sectors: 32, excess_sectors: 28}, {source_line: 9, instruction: st.global.f32, lines: 32, coalesced: 1, "
      "sectors: 32, excess_sectors: 28}]}, memory: {bytes: 1 KiB, asynchronous: true, written: {partial: 32}}]";
  const Scenario scenario =
      scenario_of(device, kernel(", shared_working_set: 8 MiB, variation: none", program), "{kernel: k}");
  const auto kernel_with = [&](const std::string& what) {
    for (const Counterfactual& one : changes_of(scenario))
      if (one.what == what) return one.scenario.workload.kernels[0];
    FAIL("there is no change " + what);
    return Kernel();
  };
  const Kernel load = kernel_with("coalesced:7");
  CHECK(std::get<Memory>(load.program[0]).bytes == Bytes{128});
  CHECK(std::get<Memory>(load.program[2]).bytes == Bytes{1024});
  CHECK(std::get<Memory>(load.program[2]).written == WrittenSectors{0, 32});
  const Kernel store = kernel_with("coalesced:9");
  CHECK(std::get<Memory>(store.program[0]).bytes == Bytes{1024});
  CHECK(std::get<Memory>(store.program[2]).bytes == Bytes{128});
  CHECK(std::get<Memory>(store.program[2]).written == WrittenSectors{4, 0});
  // 7/8 of 2 KiB came from M, which is more than the 1,152 bytes that are left.
  CHECK_FALSE(store.shared_working_set);
  CHECK_FALSE(kernel_with("coalesced").shared_working_set);
}

TEST_CASE("what a cache had served for one scattered access after the other is not taken from the last level") {
  const std::string device = with_key(
      "clock: 1 GHz, arithmetic: {fp32: 8}, l1: {lines_per_cycle: 1}, memory: {levels: [{name: L2, capacity: 1 MiB, "
      "bandwidth: 1 TB/s}, {name: M, bandwidth: 1 GB/s}]}");
  const std::string body =
      "count: 3, body: [memory: 1 KiB, issue: {fp32: 2, l1: [{source_line: 7, instruction: ld.global.f32, lines: 32, "
      "coalesced: 16, sectors: 32, excess_sectors: 16}]}]";
  const std::string set = ", shared_working_set: 1280 KiB, variation: none";  // a fifth comes from M
  const auto shared = [&](const std::string& program) {
    std::optional<Bytes> bytes;
    for (const Counterfactual& one : changes_of(scenario_of(device, kernel(set, program, 2), "{kernel: k}")))
      if (one.what == "coalesced:7") bytes = one.scenario.workload.kernels[0].shared_working_set;
    return bytes;
  };
  const Bytes after{(1 << 20) * 10 / 6};  // half as much is moved, of which two fifths come from M
  CHECK(shared("[loop: {" + body + "}]") == after);
  CHECK(shared("[tiles: {list: t, take: static, " + body + "}]") == after);
}

TEST_CASE("a store that its thread waits for moves fewer sectors, too, and a load behind a store is not its traffic") {
  const std::string device = with_key(
      "clock: 1 GHz, arithmetic: {fp32: 8}, l1: {lines_per_cycle: 1}, memory: {levels: [{name: M, bandwidth: 1 "
      "GB/s}]}");
  const std::string store =
      "issue: {fp32: 2, l1: [{source_line: 9, instruction: st.global.f32, lines: 32, coalesced: 1, sectors: 32, "
      "excess_sectors: 28}]}";
  const auto moved = [&](const std::string& behind) {
    const std::string program = "[" + store + ", memory: " + behind + "]";
    for (const Counterfactual& one :
         changes_of(scenario_of(device, kernel(", variation: none", program), "{kernel: k}")))
      if (one.what == "coalesced:9") return std::get<Memory>(one.scenario.workload.kernels[0].program[1]).bytes.count;
    return std::int64_t{0};
  };
  CHECK(moved("{bytes: 1 KiB, written: {partial: 32}}") == 128);
  CHECK(moved("1 KiB") == 1024);
}

TEST_CASE("lines of shared memory are bank conflicts, not a matter of coalescing") {
  const std::string device = with_key("clock: 1 GHz, arithmetic: {fp32: 8}, l1: {lines_per_cycle: 1}");
  const auto subject = [&](const std::string& accesses, const std::string& what) {
    const Scenario scenario =
        scenario_of(device, kernel(", variation: none", "[issue: {fp32: 2, l1: [" + accesses + "]}]"), "{kernel: k}");
    for (const Counterfactual& one : changes_of(scenario))
      if (one.what == what) return one.subject;
    return std::string("none");
  };
  const std::string shared = "{source_line: 7, instruction: ld.shared.f32, requests: 2, lines: 64, coalesced: 2}";
  const std::string other = "{source_line: 8, instruction: st.shared.f32, requests: 1, lines: 4, coalesced: 1}";
  const std::string global = "{source_line: 9, instruction: ld.global.f32, requests: 1, lines: 32, coalesced: 1}";
  CHECK(subject(shared, "coalesced:7") ==
        "Bank conflicts: source line 7 (ld.shared.f32) takes 32 cycles of the banks of shared memory per request "
        "instead of 1");
  CHECK(subject(shared + ", " + other, "coalesced") ==
        "Bank conflicts: source lines 7 (ld.shared.f32), 8 (st.shared.f32) take 22.7 times as many bank cycles of "
        "shared memory as necessary");
  CHECK(subject(shared + ", " + global, "coalesced") ==
        "Coalescing and bank conflicts: source lines 7 (ld.shared.f32), 9 (ld.global.f32) occupy L1 and shared memory "
        "32.0 times as long as necessary");
}

TEST_CASE("without others on its engine or pipe, a step that issues and accesses L1 lasts as long as it does alone") {
  const std::string device =
      with_key("clock: 1 GHz, arithmetic: {fp32: 8}, l1: {lines_per_cycle: 1, latency: 5 cycles}");
  for (const auto& [lines, issued, accessed] :
       {std::tuple("4", "6000 after it 1", "10"), std::tuple("16", "1", "10 and 11000 after it")}) {
    std::string slots;
    std::string pipe;
    const std::string program = std::string("[issue: {fp32: 10, l1: ") + lines + "}]";
    for (const Counterfactual& one :
         changes_of(scenario_of(device, kernel(", variation: none", program), "{kernel: k}"))) {
      const Step& step = one.scenario.workload.kernels[0].program[0];
      if (one.what == "issue_unlimited") {
        const auto* only = std::get_if<Only>(&step);
        const auto& last = std::get<IssueSlots>(only != nullptr ? only->body[1] : step);
        slots = (only != nullptr ? to_text(std::get<Compute>(only->body[0]).time.amount) + " after it " : "") +
                to_text(last.slots.amount);
        CHECK(last.l1.size() == 1);
      }
      if (one.what == "slm_unlimited") {
        const auto& body = std::get<Only>(step).body;
        CHECK(std::get<IssueSlots>(body[0]).l1.empty());
        pipe = std::to_string(std::get<IssueSlots>(body[0]).by_kind[0].count);
        const std::string rest = to_text(std::get<Compute>(body[1]).time.amount);
        if (rest != "5000") pipe += " and " + rest + " after it";
      }
    }
    CHECK(slots == issued);
    CHECK(pipe == accessed);
  }
}

TEST_CASE("with issue slots of its own, a thread still waits for results") {
  const std::string device = with_key("clock: 1 GHz, arithmetic: {fp32: 8}, instruction_latency: {fp32: 4 cycles}");
  const auto alone = [&](const std::string& key) {
    for (const Counterfactual& one :
         changes_of(scenario_of(device, kernel(", variation: none" + key, "[issue: {fp32: 100}]"), "{kernel: k}")))
      if (one.what == "issue_unlimited")
        return to_text(std::get<Compute>(one.scenario.workload.kernels[0].program[0]).time.amount);
    return std::string("unchanged");
  };
  CHECK(alone("") == "100");
  CHECK(alone(", dependence: 1") == "400");
}

TEST_CASE("the instructions of a tail are spread by kind, at least one of each stays") {
  const Scenario scenario =
      scenario_of(with_key("clock: 1 GHz, arithmetic: {fp32: 4, int32: 4}"),
                  kernel(", variation: none", "[issue: {fp32: 800, int32: 1}, compute: 8 us]", 9), "{kernel: k}");
  const Kernel& kernel = scenario.workload.kernels.at(0);
  const auto shorter = without_tail(kernel, tail_of(kernel, scenario.device).value(), scenario.device);
  REQUIRE(shorter);
  const auto& kinds = std::get<IssueSlots>(shorter->program[0]).by_kind;
  CHECK(kinds[0].count == 900);
  CHECK(kinds[1].count == 1);
}

TEST_CASE("each work-group that stays gets the same part of the tail's work, whatever factor or duration it has") {
  const auto shorter_of = [](const std::string& variation) {
    const Scenario scenario = scenario_of(
        kPlain, kernel(", variation: {work_groups: " + variation + "}", "[compute: 10 us]", 3), "{kernel: k}");
    const auto shorter = without_tail(scenario.workload.kernels.at(0), Tail{3, 2, 1}, scenario.device);
    REQUIRE(shorter);
    return *shorter;
  };
  const auto time_of = [](const Kernel& of, std::size_t own) {
    const StepTime& program = std::get<Compute>(of.program.at(0)).time;
    if (own >= of.variation.factors.size()) return resolve(program, {}, Decimal::whole(1))->count;
    const WorkGroupFactor& factor = of.variation.factors[own];
    return resolve(factor.duration.value_or(program), {}, factor.duration ? Decimal::whole(1) : factor.factor)->count;
  };
  // 30, 10 and 40 us: the first two do 20 us more each.
  for (const char* variation : {"{0: 3, 2: 4}", "{0: 30 us, 2: 40 us}", "{0: 3, 2: 40 us}", "{0: 30 us, 2: 4}",
                                "{0: 3.00000000000000000000000000000000001, 2: 4}"}) {
    INFO(variation);
    const Kernel shorter = shorter_of(variation);
    REQUIRE(shorter.variation.factors.size() == 1);
    CHECK(time_of(shorter, 0) == 50'000'000);
    CHECK(time_of(shorter, 1) == 30'000'000);
  }
  // 10, 5 and 10 us: each does 5 us more. Half of 1 ps is a ps more, for halves go up.
  CHECK(time_of(shorter_of("{1: 0.5}"), 0) == 10'000'000);
  CHECK(time_of(shorter_of("{1: 0.5}"), 1) == 15'000'000);
  CHECK(time_of(shorter_of("{0: 1 ps, 2: 1 ps}"), 0) == 2);
}

TEST_CASE("what a kernel may not have once the tail's work is spread is not cut to what it may have") {
  Scenario scenario = scenario_of(with_key("memory: {levels: [{name: M, bandwidth: 1 GB/s}]}"),
                                  kernel("", "[memory: 1 B]", 3), "{kernel: k}");
  Kernel& kernel = scenario.workload.kernels.at(0);
  std::get<Memory>(kernel.program.at(0)).bytes = Bytes{std::int64_t{7} << 60};
  const auto shorter = without_tail(kernel, Tail{3, 2, 1}, scenario.device);
  REQUIRE(shorter);
  CHECK(std::get<Memory>(shorter->program.at(0)).bytes == Bytes{INT64_MAX});  // 10.5 x 2^60: more than compile() takes
  std::get<Memory>(kernel.program.at(0)).bytes = Bytes{std::int64_t{1} << 60};
  CHECK(std::get<Memory>(without_tail(kernel, Tail{3, 2, 1}, scenario.device)->program.at(0)).bytes ==
        Bytes{std::int64_t{3} << 59});
}

TEST_CASE("work-groups that differ by default are made equal as well, and what lock step costs is called an artefact") {
  const auto all = changes_of(scenario_of(kPlain, kernel("", "[issue: 1000 cycles]", 4), "{kernel: k}"));
  const auto found =
      std::find_if(all.begin(), all.end(), [](const auto& one) { return one.what == "equal_work_groups"; });
  REQUIRE(found != all.end());
  CHECK_FALSE(draw_in_force(found->scenario.workload.kernels.at(0)));
  CHECK_THAT(found->artefact, Catch::Contains("at exactly the same time"));
}

namespace {

const Counterfactual* find(const std::vector<Counterfactual>& all, const std::string& what) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.what == what; });
  return found == all.end() ? nullptr : &*found;
}

/// `0: 4, 1: 2`: who has which factor with the longest first; empty: that changes nothing.
std::string longest_first(const std::string& factors) {
  const auto all = changes_of(
      scenario_of(kPlain, kernel(", variation: {work_groups: " + factors + "}", "[compute: 10 us]", 6), "{kernel: k}"));
  const Counterfactual* found = find(all, "longest_first");
  std::string text;
  if (found == nullptr) return text;
  for (const WorkGroupFactor& own : found->scenario.workload.kernels.at(0).variation.factors)
    text += (text.empty() ? "" : ", ") + std::to_string(number_of(own.work_group)) + ": " +
            (own.duration ? to_text(own.duration->amount) + " ps" : to_text(own.factor));
  return text;
}

}  // namespace

TEST_CASE("tiles that are assigned by number are taken on demand, those of kernels that are launched are named") {
  const auto tiles = [](const std::string& name, const std::string& take) {
    return name + ": {global: 16, local: 8, sub_group: 8, variation: none, program: [tiles: {list: " + name +
           ", count: 6, take: " + take + ", body: [compute: \"= if(mod(tile, 2) == 0, 3, 1) us\"]}]}";
  };
  const auto on_demand = [&](const std::string& take) {
    const auto all = changes_of(scenario_of(kPlain, tiles("k", take) + ", " + tiles("other", "static"), "{kernel: k}"));
    const Counterfactual* found = find(all, "tiles_on_demand");
    return found == nullptr ? std::string() : found->subject;
  };
  CHECK(on_demand("static") == "Tiles: the tiles of k are assigned by number");
  CHECK(on_demand("atomic").empty());
}

TEST_CASE("with the longest first, every factor stays, longer ones at the begin and shorter ones at the end") {
  CHECK(longest_first("{5: 4, 2: 2}") == "0: 4, 1: 2");
  CHECK(longest_first("{0: 0.5, 1: 3}") == "0: 3, 5: 0.5");
  CHECK(longest_first("{0: 2, 5: 0.5}").empty());  // that is the order already
  CHECK(longest_first("{0: 1 us, 3: 30 us}") == "0: 30000000 ps, 5: 1000000 ps");
  CHECK(longest_first("{0: 20 us, 3: 3}") == "0: 3, 1: 20000000 ps");
}

TEST_CASE("sizes of work-groups are tried only where all that a work-group has scales with it, and six at most") {
  const auto sizes = [](const std::string& keys, const std::string& program = "[compute: 1 us]") {
    std::string text;
    for (const Counterfactual& one : changes_of(scenario_of(
             "xe-lp-tgl", "k: {global: 12288, sub_group: 8, program: " + program + ", " + keys + "}", "{kernel: k}")))
      if (one.what.starts_with("local:")) text += (text.empty() ? "" : " ") + one.what.substr(6);
    return text;
  };
  CHECK(sizes("local: 64") == "8 16 32 128 256");
  CHECK(sizes("local: 256") == "8 16 32 64 128 512");
  CHECK(sizes("local: 64", "[compute: 1 us, barrier]") == "8 16 32 128 256");
  CHECK(sizes("local: 64, slm: 1 KiB").empty());
  CHECK(sizes("local: 64, variation: {work_groups: {1: 2}}").empty());
  CHECK(sizes("local: 64, working_set: 1 KiB").empty());
  CHECK(sizes("local: 64", "[only: {threads: 0, body: [compute: 1 us]}, compute: 1 us]").empty());
}

TEST_CASE("a sub-group of another size computes and reads in proportion, and its accesses to SLM stay") {
  const auto all = changes_of(scenario_of(
      "{base: tiny, clock: 1 GHz, sub_group_sizes: [8, 16], slm_access: {banks: 4, bank_width: 4 B, latency: 0 "
      "cycles}, "
      "memory: {levels: [{name: M, bandwidth: 1 GB/s}]}}",
      "k: {global: 64, local: 32, sub_group: 8, slm: 64 B, variation: none, program: [compute: 10 ns, loop: {count: 2, "
      "body: [memory: 100 B]}, slm: {accesses: 3, stride: 1}]}",
      "{kernel: k}"));
  CHECK(find(all, "sub_group:8") == nullptr);
  const Counterfactual* wide = find(all, "sub_group:16");
  REQUIRE(wide != nullptr);
  const Kernel& kernel = wide->scenario.workload.kernels.at(0);
  CHECK(kernel.sub_group == 16);
  CHECK(to_text(std::get<Compute>(kernel.program[0]).time.amount) == "20000");
  CHECK(std::get<Memory>(std::get<Loop>(kernel.program[1]).body[0]).bytes == Bytes{200});
  CHECK(std::get<Slm>(kernel.program[2]).accesses == 3);
  CHECK(wide->subject == "Sub-group size: 8");
}

TEST_CASE("a wider sub-group needs more GRFs on Intel, and is not tried where a thread does not have them") {
  const auto widened = [](const std::string& registers) {
    return changes_of(scenario_of(
        "arc-a770",
        "k: {global: 128, local: 64, sub_group: 16, program: [compute: 1 us], registers: " + registers + "}",
        "{kernel: k}"));
  };
  const auto all = widened("64");
  const Counterfactual* wide = find(all, "sub_group:32");
  REQUIRE(wide != nullptr);
  CHECK(wide->scenario.workload.kernels.at(0).needs.registers == 128);
  CHECK(find(widened("65"), "sub_group:32") == nullptr);
  CHECK(find(widened("128"), "sub_group:8") != nullptr);
}

TEST_CASE("the other register mode is tried where a device has one") {
  const std::string two_engines = "k: {global: 64, local: 16, sub_group: 16, program: [compute: 1 us]";
  const auto normal = changes_of(scenario_of("max-1550", two_engines + "}", "{kernel: k}"));
  REQUIRE(find(normal, "large_grf") != nullptr);
  CHECK(find(normal, "large_grf")->scenario.workload.kernels.at(0).needs.grf == GrfMode::large);
  CHECK_THAT(find(normal, "large_grf")->artefact, Catch::Contains("gdsim does not simulate"));
  CHECK(find(changes_of(scenario_of("max-1550", two_engines + ", large_grf: true}", "{kernel: k}")), "normal_grf") !=
        nullptr);
  CHECK(find(changes_of(scenario_of("tiny", kernel(), "{kernel: k}")), "large_grf") == nullptr);
}

TEST_CASE("every placement but the device's own is tried, where there are cores and work-groups to choose for") {
  const auto placements = [](const std::string& device, int groups) {
    std::string text;
    for (const Counterfactual& one :
         changes_of(scenario_of(device, kernel("", "[compute: 1 us]", groups), "{kernel: k}")))
      if (one.what.starts_with("placement:")) text += (text.empty() ? "" : " ") + one.what.substr(10);
    return text;
  };
  CHECK(placements("tiny", 4) == "round_robin least_loaded most_room");
  CHECK(placements("{base: tiny, dispatch: {placement: most_room}}", 4) == "fill_first round_robin least_loaded");
  CHECK(placements("tiny", 1).empty());
  CHECK(placements("{base: tiny, cores: 1}", 4).empty());
}

TEST_CASE("a clock that changes during the run stays what it is at first") {
  const auto changes = [](const std::string& clock) {
    return changes_of(
        scenario_of("{base: tiny, clock: " + clock + "}", kernel("", "[compute: 8000 cycles]"), "{kernel: k}"));
  };
  const auto all = changes("{at: {0 s: 2 GHz, 3 us: 1 GHz, 1 ms: 3 GHz}}");
  const Counterfactual* found = find(all, "initial_clock");
  REQUIRE(found != nullptr);
  CHECK(found->scenario.device.clock_changes.empty());
  CHECK(found->subject == "Clock: the clock changes (2 GHz, 1 GHz from 3 us on)");
  CHECK(find(changes("2 GHz"), "initial_clock") == nullptr);
  CHECK(find(changes("{at: {0 s: 2 GHz, 1 ms: 1 GHz}}"), "initial_clock") == nullptr);  // behind the end
}

TEST_CASE("recovery alone is taken away") {
  const auto all = changes_of(scenario_of("{base: tiny, dispatch: {recovery: 3 us}}", kernel(), "{kernel: k}"));
  const Counterfactual* found = find(all, "no_recovery");
  REQUIRE(found != nullptr);
  CHECK_FALSE(found->scenario.dispatch.recovery);
  CHECK(found->subject == "Recovery: the core reuses a work-group's resources 3 us after the work-group ends");
  CHECK(find(changes_of(scenario_of("tiny", kernel(), "{kernel: k}")), "no_recovery") == nullptr);
}

namespace {

/// What is changed about a scenario whose queue q has these keys, if anything is so called.
std::optional<Counterfactual> change_of_queue(const std::string& what, const std::string& device,
                                              const std::string& queue, const std::string& launches) {
  const ReadText read =
      read_text("scenario: S\ndevice: " + with_key(device) + "\nkernels:\n  k: {global: 8, local: 8, sub_group: 8, " +
                "program: [compute: 1 us]}\nqueues: {q: {" + queue + "}}\nlaunches: [" + launches + "]\n");
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  for (const Counterfactual& one : changes_of(read.scenario()))
    if (one.what == what) return one;
  return std::nullopt;
}

}  // namespace

TEST_CASE("the order in which hardware queues start launches is taken away where one waited for it") {
  const std::string launches =
      "{kernel: k, name: a, queue: q}, {kernel: k, name: b, queue: q, after: [a]}, {kernel: k, "
      "name: c, queue: q}";
  const auto change =
      change_of_queue("any_start_order", "hardware_queues: {count: 8}", "order: out_of_order", launches);
  REQUIRE(change);
  CHECK(change->subject ==
        "Hardware queues: 1 queue of the host shares 1 hardware queue, and a hardware queue starts its launches one "
        "after the other");
  CHECK_FALSE(change->scenario.device.hardware_queues);
  CHECK_FALSE(change_of_queue("any_start_order", "hardware_queues: {count: 8}", "order: in_order", launches));
  CHECK_FALSE(change_of_queue("any_start_order", "", "order: out_of_order", launches));
}

TEST_CASE("launches that the host submits one by one could be a graph, unless it waits among them") {
  const auto change = change_of_queue("as_graphs", "submit_overhead: 2 us", "order: in_order",
                                      "{kernel: k, queue: q, count: 5}, {kernel: k}");
  REQUIRE(change);
  CHECK(change->subject == "Submission: the host submits 5 launches one by one");
  CHECK(change->how == "as graphs");
  CHECK(change->scenario.workload.queues[0].is_graph);
  for (const auto& [device, queue, launches] : std::vector<std::array<std::string, 3>>{
           {"submit_overhead: 2 us", "order: in_order", "{kernel: k, queue: q}, {kernel: k}"},
           {"submit_overhead: 2 us", "graph: true", "{kernel: k, queue: q, count: 5}"},
           {"launch_latency: 2 us", "order: in_order", "{kernel: k, queue: q, count: 5}"},
           {"submit_overhead: 2 us", "order: in_order",
            "{kernel: k, queue: q, name: a}, {kernel: k, queue: q, wait: [a]}"}})
    CHECK_FALSE(change_of_queue("as_graphs", device, queue, launches));
}
