#include "builders.hpp"
#include "random_runs.hpp"
#include "random_values.hpp"
#include <gdsim/fit/limits.hpp>
#include <gdsim/workload/launched_kernels.hpp>

#include <rapidcheck.h>

#include <array>
#include <sstream>

namespace gdsim::testing {
namespace {

/// Register files, SLM pools and large GRF, on some devices.
void draw_files(DeviceSpec& device) {
  if (between(0, 1) == 1) {
    RegisterRule& rule = device.registers.emplace();
    rule.granule = one_of<std::uint64_t>({1, 64, 256});
    rule.per_engine = 256 * between<std::uint64_t>(4, 16);
    rule.accumulation = one_of({Accumulation::none, Accumulation::unified, Accumulation::separate});
    rule.accumulation_alignment = 4;
    if (between(0, 2) == 0) rule.thread_limit = RegisterThreadLimit::capped_at_contexts;
    if (between(0, 2) == 0) rule.work_group_basis = WorkGroupRegisterBasis::full_engines;
    if (between(0, 2) == 0) rule.per_work_group = rule.per_engine * between<std::uint64_t>(1, 2);
  } else if (between(0, 2) == 0) {
    device.grf_per_context = Bytes{between<std::int64_t>(1, 2'000)};
  }
  if (between(0, 2) == 0)
    device.scalar_registers = ScalarRegisterRule{100, 8, 4, RegisterThreadLimit::capped_at_contexts};
  if (between(0, 2) == 0) device.large_grf_contexts = 2;
  if (between(0, 2) == 0) device.slm.reserve = Bytes{512};
  if (between(0, 2) == 0) device.slm.pools = {Bytes{0}, Bytes{2048}, Bytes{4096}, Bytes{8192}};
}

/// The rates of a device with a slow kind and one whose rate is not a whole number. Some kinds may share a pipe.
ArithmeticRule draw_arithmetic() {
  ArithmeticRule rates{{"fp32", Decimal::whole(between<std::uint64_t>(1, 16))},
                       {"fp64", Decimal{between<std::uint64_t>(1, 40), -1}},
                       {"tensor_fp16", Decimal{between<std::uint64_t>(100, 700), -2}}};
  if (between(0, 2) == 0) rates[1].pipe = rates[2].pipe = "slow";
  if (between(0, 2) == 0) rates[0].pipe = rates[1].pipe = "vector";
  for (std::size_t i = 0; i < 2; ++i)
    if (between(0, 1) == 0) rates[i].latency = Decimal{between<std::uint64_t>(1, 900), -2};
  return rates;
}

}  // namespace

Step draw_instructions() {
  IssueSlots issue;
  for (const char* kind : {"fp32", "fp64", "tensor_fp16"})
    if (between(0, 1) == 0) issue.by_kind.push_back({kind, between<std::uint64_t>(1, 9)});
  if (issue.by_kind.empty()) issue.by_kind.push_back({"fp32", 1});
  for (std::uint32_t access = 0; between(0, 1) == 0 && access < 3; ++access)
    issue.l1.push_back({between<std::uint64_t>(1, 9), {}, 1, {}, access + 1, {}});
  return issue;
}

Memory draw_memory_step(std::int64_t max_bytes) {
  Memory step{Bytes{between<std::int64_t>(1, max_bytes)}};
  if (between(0, 2) == 0) step.written = WrittenSectors{between<std::uint64_t>(0, 3), between<std::uint64_t>(1, 3)};
  step.is_posted = between(0, 4) == 0;
  return step;
}

namespace {

StepTime draw_time() { return {Decimal::whole(between<std::uint64_t>(1, 8)), {}}; }

/// Draws a loop in a loop: an iteration of the inner loop that was observed cannot be reused in its next execution.
Step draw_nested_loop() {
  const Loop inner{between<std::uint64_t>(1, 5), {IssueSlots{draw_time()}, Compute{draw_time()}}};
  return Loop{between<std::uint64_t>(1, 4), {inner, Compute{draw_time()}, Memory{Bytes{between<std::int64_t>(1, 9)}}}};
}

/// Draws a step that shares a resource, or a short program inside a step.
Step draw_sharing_step() {
  switch (between(0, 11)) {
    case 11: return draw_instructions();
    case 9: {
      Memory load = draw_memory_step(50);
      load.is_asynchronous = true;
      return load;
    }
    case 10: {
      const Memory load{Bytes{between<std::int64_t>(1, 30)}, true};
      return Loop{between<std::uint64_t>(1, 9), {load, Compute{draw_time()}, WaitMemory{between<std::uint64_t>(0, 2)}}};
    }
    case 7: {
      const auto space = one_of({AtomicSpace::slm, AtomicSpace::global});
      // A factor of a half leaves at least 1 of every amount.
      const std::uint64_t addresses = space == AtomicSpace::slm ? between<std::uint64_t>(1, 9) : 1;
      return Atomic{between<std::uint64_t>(1, 3), addresses, space};
    }
    case 0: return IssueSlots{draw_time()};
    case 1: return draw_memory_step(50);
    case 2: return Slm{between<std::uint64_t>(1, 3), between<std::uint64_t>(0, 4), 4};
    case 3: return Loop{between<std::uint64_t>(1, 9), {compute(ps(between(1, 8))), barrier()}};
    case 4: return Loop{between<std::uint64_t>(1, 9), {draw_memory_step(9), Compute{draw_time()}}};
    case 5: return draw_nested_loop();
    case 6: return Only{{{0, 0}}, {IssueSlots{draw_time()}, Memory{Bytes{3}}}};
    default: return Loop{between<std::uint64_t>(1, 4), {Signal{"s"}, IssueSlots{draw_time()}, Wait{"s"}}};
  }
}

void draw_sharing(DeviceSpec& device) {
  device.clock = Hertz{one_of<std::int64_t>({1'000'000'000'000, 300'000'000'000})};
  device.fused_engines = between(1U, device.engines_per_core);
  device.arithmetic = draw_arithmetic();
  device.slm_access = SlmAccess{between(1U, 4U), Bytes{4}, draw_time()};
  device.l1 = L1Rule{Decimal{between<std::uint64_t>(5, 30), -1}, {}};
  if (one_in(3)) device.l1->slm = SlmPlace::separate;
  if (between(0, 2) == 0) device.l1->latency = draw_time();
  device.atomics = {Decimal{between<std::uint64_t>(3, 40), -1}, Decimal{between<std::uint64_t>(3, 10), -1}};
  if (between(0, 1) == 1) device.barrier_cost = {draw_time(), draw_time()};
  MemoryRule memory;
  memory.levels.push_back({"DRAM", {}, BytesPerSecond{between<std::int64_t>(1, 9) * 1'000'000'000'000}, draw_time()});
  if (between(0, 1) == 1) {
    memory.levels.insert(memory.levels.begin(), {"L2", Bytes{100}, {}, draw_time()});
    if (between(0, 1) == 1)
      memory.levels.front().bandwidth = BytesPerSecond{between<std::int64_t>(5, 30) * 1'000'000'000'000};
  }
  device.written_sector =
      WrittenSectorRule{Bytes{between<std::int64_t>(1, 9)}, Bytes{between<std::int64_t>(1, 30)}, between(0, 1) == 1};
  if (between(0, 1) == 1) memory.core_bandwidth = BytesPerSecond{between<std::int64_t>(1, 9) * 700'000'000'000};
  memory.in_flight = Bytes{between<std::int64_t>(1, 20)};
  device.memory = memory;
}

/// Draws the properties for concurrent launches, on some devices.
void draw_concurrency(DeviceSpec& device) {
  DispatchRules& rules = device.dispatch;
  rules.kernel_choice = one_of({KernelChoice::head_only, KernelChoice::head_only, KernelChoice::skip_blocked,
                                KernelChoice::round_robin, KernelChoice::priority});
  if (between(0, 3) == 0) rules.concurrent_kernels = between<std::uint64_t>(1, 3);
  if (between(0, 3) == 0) rules.core_sharing = CoreSharing::exclusive;
  if (between(0, 3) == 0) rules.slm_reconfiguration = SlmReconfiguration::drains_core;
  if (between(0, 2) == 0) device.copy = CopyRule{between(1U, 3U), {1'000'000'000'000}, ps(between(1, 5))};
  if (between(0, 3) == 0) device.submit_overhead = ps(between(1, 4));
  if (between(0, 3) == 0) device.launch_latency = ps(between(1, 4));
  if (between(0, 3) == 0) device.dependency_gap = ps(between(1, 4));
}

}  // namespace

DeviceSpec draw_device() {
  DeviceSpec device = small_device();
  device.cores = between(1U, 4U);
  device.engines_per_core = between(1U, 2U);
  device.contexts_per_engine = between(2U, 5U);
  device.max_work_group_size = 8 * device.contexts_per_core();
  device.work_groups_per_core = between<std::uint64_t>(1, 6);
  device.barriers_per_core = between<std::uint64_t>(1, 4);
  if (between(0, 3) == 0) device.work_groups_with_barrier_or_slm = between<std::uint64_t>(1, 3);
  if (between(0, 3) == 0) device.barrier_use = BarrierUse::multi_thread;
  draw_files(device);
  draw_sharing(device);
  if (between(0, 1) == 1) device.slm.sizes = {Bytes{0}, Bytes{2048}, Bytes{4096}, Bytes{8192}};
  device.release = one_of({Release::thread, Release::work_group});
  device.dispatch.placement = one_of<std::string>({"fill_first", "round_robin", "least_loaded", "most_room"});
  device.dispatch.admission = one_of({Admission::whole, Admission::partial, Admission::spread});
  device.dispatch.handover = one_of({Handover::never, Handover::barrier_or_slm, Handover::always});
  if (between(0, 2) > 0) device.dispatch.ports = between<std::uint64_t>(1, 3);
  draw_concurrency(device);
  return device;
}

namespace {

Program draw_program() {
  Program program{compute(ps(between(1, 8)))};
  for (int i = between(0, 3); i > 0; --i)
    program.insert(program.begin() + between<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(program.size())),
                   between(0, 1) == 1 ? barrier() : compute(ps(between(1, 8))));
  for (int i = between(0, 5) - 2; i > 0; --i)
    program.insert(program.begin() + between<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(program.size())),
                   draw_sharing_step());
  return program;
}

void draw_needs(const DeviceSpec& device, KernelNeeds& needs) {
  needs.slm.total = Bytes{one_of<std::int64_t>({0, 0, 1000, 3000, 7500})};
  if (between(0, 2) == 0) needs.slm.carveout_percent = between(0U, 100U);
  if (device.registers) needs.registers = between(0U, 40U);
  if (device.grf_per_context) needs.registers = between(0U, 280U);  // some beyond 128, some beyond 256
  if (device.registers && between(0, 1) == 1) needs.accumulation_registers = between(0U, 30U);
  if (device.scalar_registers) needs.scalar_registers = between(0U, 60U);
  if (device.large_grf_contexts && between(0, 2) == 0) needs.grf = GrfMode::large;
}

/// Shrinks the kernel until the device accepts it: work-groups of one thread without needs are always accepted.
void make_acceptable(Kernel& kernel, const DeviceSpec& device) {
  if (refusals(kernel, device).empty()) return;
  kernel.needs = {};
  if (refusals(kernel, device).empty()) return;
  kernel.range = kernel_of(kernel.range.group_count(), 1, {}).range;
  if (!refusals(kernel, device).empty()) kernel.program = {compute(ps(5)), barrier()};
}

}  // namespace

Kernel draw_kernel(const DeviceSpec& device) {
  const auto threads = between<std::uint64_t>(1, device.contexts_per_core());
  Kernel kernel = kernel_of(between<std::uint64_t>(1, 12), threads, draw_program());
  draw_needs(device, kernel.needs);
  if (between(0, 3) == 0) {
    kernel.edge_groups = EdgeGroups::smaller;
    kernel.range.global[2] += between<std::uint64_t>(1, 8 * threads);
  }
  make_acceptable(kernel, device);
  if (between(0, 2) == 0) kernel.in_flight = Bytes{between<std::int64_t>(1, 60)};
  if (between(0, 2) == 0) kernel.dependence = between(1U, 5U);
  if (between(0, 2) == 0) kernel.working_set = Bytes{between<std::int64_t>(1, 90)};
  if (between(0, 3) == 0) kernel.shared_working_set = Bytes{between<std::int64_t>(1, 90)};
  kernel.variation.is_lock_step = between(0, 3) > 0;
  if (between(0, 3) == 0)
    kernel.variation.draw =
        Draw{one_of({Distribution::normal, Distribution::lognormal, Distribution::uniform}), Decimal{2, -1},
             one_of({DrawPer::work_group, DrawPer::thread, DrawPer::launch}), between<std::uint64_t>(0, 9)};
  if (between(0, 4) == 0) kernel.variation.first_wave = Decimal{between<std::uint64_t>(10, 60), -1};
  for (std::uint64_t number = 0; number < kernel.range.group_count(); ++number)
    if (between(0, 5) == 0)
      kernel.variation.factors.push_back({group(number), Decimal{between<std::uint64_t>(5, 30), -1}});
  return kernel;
}

namespace {

std::vector<BufferId> draw_buffers() {
  std::vector<BufferId> buffers;
  for (std::uint32_t i = 0; i < 3; ++i)
    if (between(0, 4) == 0) buffers.push_back(BufferId{i});
  return buffers;
}

/// Draws the waits of a launch, its cores and its priority. It may become a copy.
void draw_circumstances(const RandomRun& run, Launch& launch) {
  const auto before = run.workload.launches.size();
  const auto earlier = [&] { return static_cast<LaunchId>(between<std::size_t>(0, before - 1)); };
  if (before > 0 && between(0, 2) == 0) launch.after = {earlier()};
  // The host submits by time, then by the file: an earlier launch with a later time cannot be waited for.
  if (before > 0 && between(0, 5) == 0) launch.host_waits = {earlier()};
  if (!launch.host_waits.empty())
    for (const Launch& other : run.workload.launches) launch.at = std::max(launch.at, other.at);
  if (between(0, 2) == 0) launch.queue = QueueId{between(0U, 1U)};
  launch.reads = draw_buffers();
  launch.writes = draw_buffers();
  if (run.device.copy && between(0, 3) == 0) {
    launch.work = Copy{Bytes{between(1, 20)}, one_of({CopyDirection::host_to_device, CopyDirection::device_to_host})};
    return;
  }
  if (run.device.dispatch.kernel_choice == KernelChoice::priority) launch.as_kernel().priority = between(0U, 2U);
  if (between(0, 3) == 0) {
    const auto first = between(0U, run.device.cores - 1);
    launch.as_kernel().cores = {{core(first), core(between(first, run.device.cores - 1))}};
  }
}

/// Lets the first kernel launch the last one. It does not wait for it, so that parents cannot fill the device for ever.
void draw_child(std::vector<Kernel>& kernels) {
  if (kernels.size() < 2 || between(0, 2) > 0) return;
  Program& program = kernels.front().program;
  const auto place = between<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(program.size()));
  const LaunchChild child{static_cast<KernelId>(kernels.size() - 1), ChildWait::no};
  program.insert(program.begin() + place, child);
}

}  // namespace

RandomRun draw_run() {
  RandomRun run{draw_device(), {}};
  run.workload.queues = {{"in", QueueOrder::in_order, {}}, {"out", QueueOrder::out_of_order, {}}};
  run.workload.buffers = {"x", "y", "z"};
  for (int i = between(1, 3); i > 0; --i) {
    run.workload.kernels.push_back(draw_kernel(run.device));
    run.workload.kernels.back().name = "k" + std::to_string(run.workload.kernels.size());
  }
  draw_child(run.workload.kernels);
  for (int i = between(1, 4); i > 0; --i) {
    Launch next;
    next.name = "l" + std::to_string(run.workload.launches.size());
    next.work = static_cast<KernelId>(between<std::size_t>(0, run.workload.kernels.size() - 1));
    next.at = at(ps(one_of({0, 0, 5, 40})));
    draw_circumstances(run, next);
    run.workload.launches.push_back(next);
  }
  add_child_launches(run.workload);
  return run;
}

std::uint64_t threads_of(const Workload& workload) {
  std::uint64_t threads = 0;
  for (const Launch& launch : workload.launches)
    if (launch.is_kernel()) threads += workload.kernel_of(launch).threads_total();
  return threads;
}

std::string describe(const RandomRun& run) {
  std::ostringstream text;
  const DeviceSpec& d = run.device;
  text << d.cores << " cores x " << d.contexts_per_core() << " contexts, " << d.work_groups_per_core.value_or(0)
       << " slots, " << d.barriers_per_core.value_or(0) << " barriers; " << d.dispatch.placement
       << (d.dispatch.admission == Admission::whole     ? " whole"
           : d.dispatch.admission == Admission::partial ? " partial"
                                                        : " spread")
       << " ports " << d.dispatch.ports.value_or(0) << " handover " << static_cast<int>(d.dispatch.handover)
       << (d.release == Release::thread ? " by thread" : " by work-group") << "; choice "
       << static_cast<int>(d.dispatch.kernel_choice) << " of " << d.dispatch.concurrent_kernels.value_or(0)
       << (d.dispatch.core_sharing == CoreSharing::exclusive ? " exclusive" : "")
       << (d.dispatch.slm_reconfiguration == SlmReconfiguration::drains_core ? " drains" : "") << " host "
       << d.submit_overhead.count << "+" << d.launch_latency.count << "+" << d.dependency_gap.count << '\n';
  for (const Kernel& kernel : run.workload.kernels) {
    text << kernel.name << ": " << kernel.range.group_count() << " x " << kernel.threads_per_work_group()
         << " threads, slm " << kernel.needs.slm.total.count << ", registers " << kernel.needs.registers << "+"
         << kernel.needs.accumulation_registers << "/" << kernel.needs.scalar_registers
         << (kernel.needs.grf == GrfMode::large ? " large" : "") << ", " << kernel.variation.factors.size()
         << " factors" << (kernel.variation.first_wave ? " and a first wave" : "") << ", program";
    for_each_step(kernel.program, [&](const Step& step) {
      constexpr std::array names{
          "compute", "issue",        "memory",  "wait_memory",       "fence", "slm",   "atomic", "barrier", "signal",
          "wait",    "grid_barrier", "trigger", "wait_dependencies", "child", "tiles", "loop",   "only"};
      static_assert(names.size() == std::variant_size_v<Step::variant>);
      text << ' ' << names[step.index()];
      if (const auto* busy = std::get_if<Compute>(&step)) text << ' ' << to_text(busy->time.amount);
      if (const auto* memory = std::get_if<Memory>(&step); memory && memory->is_asynchronous) text << " asynchronous";
      if (const auto* memory = std::get_if<Memory>(&step); memory && memory->is_posted) text << " posted";
      if (const auto* memory = std::get_if<Memory>(&step); memory && memory->written)
        text << " written " << memory->written->whole << "+" << memory->written->partial;
      if (const auto* wait = std::get_if<WaitMemory>(&step)) text << ' ' << wait->outstanding;
      if (const auto* loop = std::get_if<Loop>(&step)) text << ' ' << loop->count;
    });
    text << '\n';
  }
  for (const Launch& next : run.workload.launches) {
    text << next.name << " at " << next.at.count;
    for (const LaunchId before : next.after) text << " after l" << index_of(before);
    for (const LaunchId before : next.host_waits) text << " waits l" << index_of(before);
    if (next.queue) text << " queue " << index_of(*next.queue);
    for (const BufferId buffer : next.reads) text << " reads " << index_of(buffer);
    for (const BufferId buffer : next.writes) text << " writes " << index_of(buffer);
    if (!next.is_kernel()) {
      text << " copy\n";
      continue;
    }
    const KernelLaunch& work = next.as_kernel();
    text << " of k" << index_of(work.kernel) + 1;
    for (const CoreRange& range : work.cores) text << " cores " << index_of(range.first) << "-" << index_of(range.last);
    text << " priority " << run.workload.priority_of(next) << '\n';
  }
  return text.str();
}

}  // namespace gdsim::testing
