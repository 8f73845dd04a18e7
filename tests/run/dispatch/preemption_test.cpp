#include "support/builders.hpp"

#include <gdsim/analysis/notes/device_notes.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/compile/compile.hpp>

#include <catch2/catch.hpp>

#include <string>
#include <vector>

// Processes that have the device one at a time: when each runs, what a switch costs, and what is refused. Times were
// computed by hand.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// Two kernels of these, each launched once at 0 in a queue of its own.
Workload two_queues(const Kernel& first, const Kernel& second) {
  Workload workload = workload_of({first, second});
  workload.queues = {{"a", QueueOrder::in_order, {}}, {"b", QueueOrder::in_order, {}}};
  workload.launches[0].queue = QueueId{0};
  workload.launches[1].queue = QueueId{1};
  return workload;
}

/// two_queues(), but the second kernel has a priority and is submitted at `time`.
Workload two_priorities(const Kernel& low, const Kernel& high, Duration time) {
  Workload workload = workload_of({low, high});
  workload.launches[1].as_kernel().priority = 1;
  workload.launches[1].at = at(time);
  return workload;
}

DeviceSpec with_slices(DeviceSpec device, PreemptionOf of, Duration quantum) {
  device.dispatch.kernel_choice = KernelChoice::time_sliced;
  device.dispatch.preemption = PreemptionRule{of, {}, {}, quantum};
  return device;
}

DeviceSpec with_priorities(DeviceSpec device) {
  device.dispatch.kernel_choice = KernelChoice::priority;
  device.dispatch.preemption = PreemptionRule{PreemptionOf::thread, {}, {}, {}};
  return device;
}

std::vector<SimTime> ends_of(const RunRecord& record) {
  std::vector<SimTime> ends;
  for (const LaunchRecord& launch : record.launches) ends.push_back(launch.ended.value());
  return ends;
}

RunRecord run(const DeviceSpec& device, const Workload& workload) {
  return simulate(device, device.dispatch, workload).record;
}

std::vector<std::string> problems_of(const DeviceSpec& device, const Workload& workload) {
  std::vector<std::string> texts;
  for (const Issue& issue : compile(device, device.dispatch, workload).issues()) texts.push_back(to_text(issue));
  return texts;
}

const auto kOneThread = [](Duration time) { return kernel_of(1, 1, {compute(time)}); };

/// Checks that there is one problem and that it contains `text`.
void check_refused(const DeviceSpec& device, const Workload& workload, const std::string& text) {
  const std::vector<std::string> problems = problems_of(device, workload);
  CAPTURE(problems);
  REQUIRE(problems.size() == 1);
  CHECK_THAT(problems.front(), Catch::Contains(text));
}

}  // namespace

TEST_CASE("preemption: queues have the device one at a time, for a quantum each, and go on where they were") {
  const RunRecord record =
      run(with_slices(one_core(), PreemptionOf::thread, us(4)), two_queues(kOneThread(us(10)), kOneThread(us(10))));
  // a 0-4, b 4-8, a 8-12, b 12-16, a 16-18, b 18-20
  CHECK(ends_of(record) == std::vector{at(us(18)), at(us(20))});
  CHECK(record.resident_time == Int128{20} * 1'000'000);  // one thread at a time
  REQUIRE(record.preemption);
  CHECK(record.preemption->spans.size() == 6);
  const std::vector<ProcessRecord>& processes = record.preemption->processes;
  CHECK(processes[0].name == "a");
  CHECK(processes[0].spent_on(DeviceUse::running) == us(10));
  CHECK(processes[0].spent_on(DeviceUse::waiting) == us(8));
  CHECK(processes[0].preemptions == 2);
  CHECK(processes[1].spent_on(DeviceUse::waiting) == us(10));
}

TEST_CASE(
    "preemption: a process with nothing to run loses the device at once, and gets it when its next launch arrives") {
  Workload workload = two_queues(kOneThread(us(2)), kOneThread(us(9)));
  workload.launches.push_back(workload.launches[0]);
  workload.launches[2].name = "later";
  workload.launches[2].at = at(us(5));
  const RunRecord record = run(with_slices(one_core(), PreemptionOf::thread, us(4)), workload);
  // a 0-2, b 2-6, a 6-8, b 8-13
  CHECK(ends_of(record) == std::vector{at(us(2)), at(us(13)), at(us(8))});
  CHECK(record.launches[2].ready == at(us(5)));  // the host goes on meanwhile
  CHECK(record.launches[2].begun == at(us(6)));
  CHECK(record.launches[2].waited[WaitReason::other_launches] == us(1));
}

TEST_CASE("preemption: a process alone has one slice after the other, as without slices") {
  Workload workload = two_queues(kOneThread(us(10)), kOneThread(us(10)));
  workload.launches[1].at = at(us(30));
  const RunRecord record = run(with_slices(one_core(), PreemptionOf::thread, us(4)), workload);
  CHECK(ends_of(record) == std::vector{at(us(10)), at(us(40))});
  CHECK(record.preemption->processes[0].preemptions == 0);
}

TEST_CASE("preemption of work-groups: at the end of a slice no work-group begins, and those that are resident end") {
  const Kernel three_waves = kernel_of(24, 1, {compute(us(3))});  // eight fit
  const DeviceSpec device =
      with(one_core(), [](DeviceSpec& d) { d.work_groups_per_core = {}, d.barriers_per_core = {}; });
  const RunRecord record =
      run(with_slices(device, PreemptionOf::work_group, us(4)), two_queues(three_waves, three_waves));
  // a 0-3, 3-6; b 6-9, 9-12; a 12-15; b 15-18
  CHECK(ends_of(record) == std::vector{at(us(15)), at(us(18))});
  const std::vector<ProcessRecord>& processes = record.preemption->processes;
  CHECK(processes[0].spent_on(DeviceUse::running) == us(7));
  CHECK(processes[0].spent_on(DeviceUse::draining) == us(2));
  CHECK(processes[0].preemptions == 1);
  CHECK(processes[0].saved == 0);
  CHECK(record.preemption->spans[1].use == DeviceUse::draining);
  CHECK(record.preemption->spans[1].work_groups == 8);
}

TEST_CASE("preemption: a process has the device until its stores are acknowledged") {
  Memory store{Bytes{100}};
  store.is_posted = true;
  DeviceSpec device = one_core();
  device.memory = MemoryRule{
      {}, {}, {}, {{"DRAM", {}, BytesPerSecond{1'000'000'000}, step_time(ns(500))}}, {}};  // 1 ns for each byte
  const Workload workload = two_queues(kernel_of(1, 1, {compute(us(4)), store}), kOneThread(us(10)));
  const auto ends = [&](PreemptionOf of) { return ends_of(run(with_slices(device, of, us(4)), workload)); };
  // At 4 us, the thread of `a` has ended, and its store begins: 100 ns, and 500 ns for its acknowledgement.
  CHECK(ends(PreemptionOf::work_group) == std::vector{at(ns(4'600)), at(ns(14'600))});
  CHECK(ends(PreemptionOf::thread) == std::vector{at(ns(8'600)), at(ns(14'600))});
}

TEST_CASE("preemption by priority: a higher one has the device at once, and the lower one ends later by that") {
  const RunRecord record =
      run(with_priorities(one_core()), two_priorities(kOneThread(us(10)), kOneThread(us(3)), us(4)));
  CHECK(ends_of(record) == std::vector{at(us(13)), at(us(7))});
  CHECK(record.preemption->processes[0].name == "priority 1");
  CHECK(record.preemption->processes[1].preemptions == 1);
}

TEST_CASE("preemption: saving takes its time by work-groups of a core, then by bytes at the bandwidth of the memory") {
  DeviceSpec device = with_priorities(one_core());
  device.memory = MemoryRule{{}, {}, {}, {{"DRAM", {}, BytesPerSecond{1'000'000'000}, {}}}, {}};
  device.dispatch.preemption->save = {{Decimal::whole(1'000'000)}, ContextBytes::given, Bytes{1'000}};
  device.dispatch.preemption->restore = {{Decimal::whole(500'000)}, ContextBytes::none, {}};
  const RunRecord record = run(device, two_priorities(kernel_of(2, 1, {compute(us(10))}), kOneThread(us(3)), us(4)));
  // Saved 4-6 and 6-8, the high one 8-11, restored 11-12, the rest of the low one 12-18.
  CHECK(ends_of(record) == std::vector{at(us(18)), at(us(11))});
  const ProcessRecord& low = record.preemption->processes[1];
  CHECK(low.saved == 2);
  CHECK(low.bytes_saved == Bytes{2'000});
  CHECK(low.bytes_restored == Bytes{0});
  CHECK(low.spent_on(DeviceUse::saving) == us(4));
  CHECK(low.spent_on(DeviceUse::restoring) == us(1));
  CHECK(low.spent_on(DeviceUse::waiting) == us(3));
}

TEST_CASE("preemption: a context is the registers of resident threads and the shared memory of their work-groups") {
  DeviceSpec device = with_priorities(one_core());
  device.memory = MemoryRule{{}, {}, {}, {{"DRAM", {}, BytesPerSecond{1'000'000'000}, {}}}, {}};
  device.grf_per_context = Bytes{4'096};
  device.dispatch.preemption->save = {{}, ContextBytes::context, {}};
  const Kernel low = with(kernel_of(1, 2, {compute(us(10))}), [](Kernel& k) { k.needs.slm.total = Bytes{1'024}; });
  const RunRecord record = run(device, two_priorities(low, kOneThread(us(3)), us(4)));
  const Bytes slm = *device.slm.allocated(Bytes{1'024});
  CHECK(record.preemption->processes[1].bytes_saved == Bytes{2 * 4'096} + slm);
}

TEST_CASE("preemption: what threads wait for over time leaves out the time in which their process is suspended") {
  Only first{{{0, 0}}, {compute(us(5))}};
  const Kernel low = kernel_of(1, 2, {first, barrier(), compute(us(1))});  // the other thread waits for 5 us
  const DeviceSpec device = with_priorities(one_core());
  WaitSeries waits(wait_column_count(0), us(1), 20);
  InternalRunOptions options;
  options.wait_series = {&waits};
  const RunRecord record =
      simulate(device, device.dispatch, two_priorities(low, kOneThread(us(3)), us(2)), options).record;
  CHECK(ends_of(record) == std::vector{at(us(9)), at(us(5))});
  std::vector<Int128> waited;
  for (std::uint64_t i = 0; i < 9; ++i) waited.push_back(waits.waited(i, column_of(Activity::barrier)) / 1'000'000);
  CHECK(waited == std::vector<Int128>{1, 1, 0, 0, 0, 1, 1, 1, 0});
}

TEST_CASE("preemption: with one process nothing changes") {
  DeviceSpec device = one_core();
  Workload workload = two_queues(kernel_of(90, 2, {compute(us(3))}), kernel_of(70, 1, {compute(us(2))}));
  workload.launches[1].queue = QueueId{0};
  const RunRecord alone = run(device, workload);
  device = with_slices(device, PreemptionOf::thread, us(4));
  const RunRecord record = run(device, workload);
  CHECK(ends_of(record) == ends_of(alone));
  CHECK(record.resident_time == alone.resident_time);
  CHECK(record.idle == alone.idle);
}

TEST_CASE("preemption: deadlocked processes stop switching, though another one's cores still recover") {
  Wait never;
  never.name = "never";
  const Kernel stuck = kernel_of(1, 1, {compute(us(1)), never});
  Workload workload = workload_of({kOneThread(us(1)), stuck, stuck});
  workload.queues = {{"a", QueueOrder::in_order, {}}, {"b", QueueOrder::in_order, {}}, {"c", QueueOrder::in_order, {}}};
  for (std::uint32_t i = 0; i < 3; ++i) workload.launches[i].queue = QueueId{i};
  DeviceSpec device = with_slices(one_core(), PreemptionOf::thread, us(4));
  device.dispatch.recovery = StepTime{Decimal::whole(100'000'000)};
  InternalRunOptions options;
  options.bounds.events = 1'000;
  CHECK(simulate(device, device.dispatch, workload, options).record.outcome == Outcome::deadlock);
}

TEST_CASE("preemption: a bound on events counts changes of hands, too") {
  const DeviceSpec device = with_slices(one_core(), PreemptionOf::thread, Duration{1});
  InternalRunOptions options;
  options.bounds.events = 50;
  const Workload workload = two_queues(kOneThread(us(9)), kOneThread(us(9)));
  const RunRecord record = simulate(device, device.dispatch, workload, options).record;
  CHECK(record.outcome == Outcome::bounded);
  CHECK(record.end < at(Duration{100}));
}

TEST_CASE("preemption: processes of which one deadlocks go on until nothing else can happen") {
  Kernel stuck = kernel_of(1, 2, {barrier()});
  Wait never;
  never.name = "never";
  stuck.program = {compute(us(1)), never};
  const RunRecord record =
      run(with_slices(one_core(), PreemptionOf::thread, us(4)), two_queues(stuck, kOneThread(us(9))));
  CHECK(record.outcome == Outcome::deadlock);
  CHECK(record.launches[1].ended);
  REQUIRE(record.deadlock.groups.size() == 1);
  CHECK(record.deadlock.groups[0].launch == launch(0));
}

TEST_CASE("preemption: a key that changes nothing is named in the record") {
  const Kernel kernel = kOneThread(us(1));
  const DeviceSpec drained = with(with_slices(one_core(), PreemptionOf::work_group, us(4)), [](DeviceSpec& d) {
    d.dispatch.kernel_choice = KernelChoice::priority;
    d.dispatch.preemption->save.per_work_group = {Decimal::whole(1)};
  });
  const auto unused = [&](const DeviceSpec& device) {
    return run_fully(device, two_queues(kernel, kernel)).record.preemption->unused_keys;
  };
  CHECK(unused(drained) == std::vector<std::string>{"save", "quantum"});
  CHECK(unused(with_slices(one_core(), PreemptionOf::thread, us(4))).empty());
}

TEST_CASE("preemption: a copy is of the process of its queue") {
  Workload workload = two_queues(kOneThread(us(1)), kOneThread(us(1)));
  workload.queues[0].priority = 1;
  workload.launches.insert(workload.launches.begin(),
                           Launch{"copy", Copy{Bytes{1'000}, CopyDirection::host_to_device}, {}});
  workload.launches[0].queue = QueueId{0};
  const DeviceSpec device = with(with_slices(one_core(), PreemptionOf::thread, us(4)), [](DeviceSpec& d) {
    d.dispatch.kernel_choice = KernelChoice::priority;
    d.copy = CopyRule{1, BytesPerSecond{1'000'000'000}, {}};
  });
  CHECK(problems_of(device, workload).empty());
}

TEST_CASE("preemption: a copy is suspended only while others have the device") {
  Workload workload = two_queues(kOneThread(us(4)), kOneThread(us(1)));
  workload.launches.push_back(Launch{"copy", Copy{Bytes{2'000}, CopyDirection::host_to_device}, {}});
  workload.launches[2].queue = QueueId{0};
  const DeviceSpec device = with(with_slices(one_core(), PreemptionOf::thread, us(4)), [](DeviceSpec& d) {
    d.copy = CopyRule{1, BytesPerSecond{1'000'000'000}, {}};
  });
  const RunRecord record = run(device, workload);
  // a 0-4, b 4-5, then nothing is to run; the copy, behind a, 4-6
  CHECK(record.launches[2].ended == at(us(6)));
  CHECK(suspended_of(record, launch(2)) == us(1));
}

TEST_CASE("preemption: the host of one process delays no launch of another, nor its slack") {
  Workload workload = two_queues(kOneThread(us(4)), kOneThread(us(20)));
  Launch second = workload.launches[0];
  second.name = "second";
  second.host_waits = {launch(0)};
  workload.launches.insert(workload.launches.begin() + 1, second);
  const RunRecord record = run(with_slices(one_core(), PreemptionOf::thread, us(4)), workload);
  // first 0-4, b 4-8, second 8-12, b 12-28: second, submitted at 4, could have been so at 20
  CHECK(ends_of(record) == std::vector{at(us(4)), at(us(12)), at(us(28))});
  CHECK(record.launches[0].slack == us(16));
  CHECK(record.launches[1].slack == us(16));
  CHECK(record.launches[2].is_critical());
}

TEST_CASE("preemption: a hardware queue starts launches of one process behind each other, which others do not delay") {
  const DeviceSpec device = with(with_slices(one_core(), PreemptionOf::thread, us(4)),
                                 [](DeviceSpec& d) { d.hardware_queues.emplace().count = 1; });
  const RunRecord record = run(device, two_queues(kOneThread(us(4)), kOneThread(us(20))));
  // a 0-4, b 4-24
  CHECK(record.launches[0].slack == us(20));
  CHECK(record.launches[1].is_critical());
}

TEST_CASE("preemption: each process compiles the kernels that it launches, which is no slack") {
  Workload workload = two_queues(kOneThread(us(20)), kOneThread(us(4)));
  workload.kernels[0].jit = us(3);
  workload.launches.push_back(workload.launches[1]);
  workload.launches[2].name = "behind";
  workload.launches[2].work = KernelId{0};
  workload.launches[2].host_waits = {launch(1)};
  const RunRecord record = run(with_slices(one_core(), PreemptionOf::thread, us(100)), workload);
  // b 0-4, a, compiled until 3, 4-24; behind, compiled 4-7, 24-44
  CHECK(ends_of(record) == std::vector{at(us(24)), at(us(4)), at(us(44))});
  CHECK(record.launches[2].is_critical());
  CHECK(record.launches[1].is_critical());
}

TEST_CASE("preemption: what is not simulated is refused, each with what to write instead") {
  const Kernel kernel = kOneThread(us(1));
  const Workload workload = two_queues(kernel, kernel);
  const DeviceSpec sliced = with_slices(one_core(), PreemptionOf::thread, us(4));
  CHECK(problems_of(sliced, workload).empty());
  check_refused(with(sliced, [](DeviceSpec& d) { d.dispatch.preemption.reset(); }), workload,
                "which needs preemption, as in `preemption: {of: thread, quantum: 2 ms}`");
  check_refused(with(sliced, [](DeviceSpec& d) { d.dispatch.preemption->quantum.reset(); }), workload,
                "time slices need one, as in `quantum: 2 ms`");
  check_refused(with(sliced, [](DeviceSpec& d) { d.dispatch.preemption->quantum = us(0); }), workload, "must be above");
  check_refused(with(sliced, [](DeviceSpec& d) { d.dispatch.kernel_choice = KernelChoice::head_only; }), workload,
                "needs `kernel_choice: time_sliced`");
  check_refused(with(sliced, [](DeviceSpec& d) { d.dispatch.admission = Admission::partial; }), workload,
                "`dispatch: {admission: whole}`");
  check_refused(with(sliced, [](DeviceSpec& d) { d.dispatch.preemption->save.moves = ContextBytes::given; }), workload,
                "bandwidth");
  check_refused(sliced, with(workload, [](Workload& w) { w.launches[1].after = {launch(0)}; }),
                "put both in one queue");
  check_refused(with_slices(one_core(), PreemptionOf::work_group, us(4)),
                with(workload,
                     [](Workload& w) {
                       w.kernels[0].program.push_back(GridBarrier{});
                       w.launches[0].as_kernel().is_cooperative = true;
                     }),
                "waits for `grid_barrier`");
}
