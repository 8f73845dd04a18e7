#include "oracle/random_scenarios.hpp"
#include "support/builders.hpp"
#include "support/random_values.hpp"
#include <gdsim/compile/compile.hpp>
#include <gdsim/host/host_costs.hpp>
#include <gdsim/workload/launch_graph.hpp>
#include <gdsim/workload/launched_kernels.hpp>

#include <rapidcheck.h>

#include <algorithm>
#include <set>
#include <utility>

namespace gdsim::oracle {
namespace {

using namespace gdsim::testing;

/// Draws few picoseconds, or many more, or cycles.
StepTime draw_time() {
  switch (between(0, 7)) {
    case 0: return {Decimal::whole(between<std::uint64_t>(500, 5000)), StepTime::Unit::picoseconds};
    case 1: return {Decimal{between<std::uint64_t>(10, 99), -1}, StepTime::Unit::cycles};
    default: return {Decimal::whole(between<std::uint64_t>(1, 9)), StepTime::Unit::picoseconds};
  }
}

std::string draw_name() { return one_of<std::string>({"", "a", "b"}); }
std::string draw_split_name() { return one_of<std::string>({"a", "b", "s"}); }

Program draw_steps(int depth, std::uint32_t threads);

Step draw_signal() {
  Signal signal{draw_split_name()};
  if (one_in(4)) signal.initially = 2;
  return signal;
}

Step draw_step(int depth, std::uint32_t threads) {
  switch (between(0, depth > 0 ? 14 : 10)) {
    case 0: return one_in(2) ? Step(IssueSlots{draw_time()}) : draw_instructions();
    case 1: return draw_memory_step(60);
    case 2: return Slm{between<std::uint64_t>(1, 4), between<std::uint64_t>(0, 5), one_of<std::uint64_t>({1, 4, 8})};
    case 3: return one_in(2) ? Barrier{} : Barrier{draw_name()};
    case 4: return draw_signal();
    case 5: return one_in(3) ? Step(Wait{draw_split_name()}) : Step(Compute{draw_time()});
    case 6: {
      Atomic atomic{between<std::uint64_t>(1, 3), between<std::uint64_t>(1, 12),
                    one_of({AtomicSpace::slm, AtomicSpace::global})};
      if (atomic.space == AtomicSpace::global && one_in(2)) atomic.type = AtomicType::floating;
      return atomic;
    }
    case 7: {
      Memory load = draw_memory_step(60);
      load.is_asynchronous = true;
      return load;
    }
    case 8:
      if (one_in(4)) return Fence{};
      if (one_in(8)) return one_in(3) ? Step(GridBarrier{draw_time()}) : Step(GridBarrier{});
      if (one_in(4)) return one_in(2) ? Step(Trigger{}) : Step(WaitDependencies{});
      return one_in(2) ? Step(WaitMemory{between<std::uint64_t>(0, 3)}) : Step(Compute{draw_time()});
    case 11:
    case 12: {
      const std::uint64_t count = depth == 1 ? one_of<std::uint64_t>({1, 2, 3, 7, 50}) : between<std::uint64_t>(1, 4);
      return Loop{count, draw_steps(depth - 1, threads)};
    }
    case 13: {
      const auto first = between(0U, threads - 1);
      Only only{{{first, between(first, threads - 1)}}, draw_steps(depth - 1, threads)};
      if (one_in(3)) only.threads.push_back({threads - 1, threads - 1});
      return only;
    }
    default: return Compute{draw_time()};
  }
}

/// Draws some steps of which at least one takes time.
Program draw_steps(int depth, std::uint32_t threads) {
  Program program{Compute{draw_time()}};
  for (int i = between(0, 3); i > 0; --i)
    program.insert(program.begin() + between<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(program.size())),
                   draw_step(depth, threads));
  // A producer and its consumers, one iteration after the other.
  if (depth > 0 && one_in(6)) {
    program.push_back(Only{{{0, 0}}, {Loop{6, {IssueSlots{draw_time()}, Signal{"s"}}}}});
    program.push_back(Loop{6, {Wait{"s"}, Compute{draw_time()}}});
  }
  if (depth > 0 && one_in(8)) program.push_back(Loop{between<std::uint64_t>(1, 4), {Signal{"a"}}});
  // A producer that waits for free buffers, and consumers that free them.
  if (depth > 0 && one_in(6)) {
    const std::uint64_t stages = between<std::uint64_t>(1, 3);
    program.push_back(Only{{{0, 0}}, {Loop{6, {Wait{"e"}, IssueSlots{draw_time()}, Signal{"f"}}}}});
    program.push_back(Loop{6, {Wait{"f"}, Compute{draw_time()}, Signal{"e", {}, stages}}});
  }
  // A prefetch, or two loads at once.
  if (depth > 0 && one_in(6)) {
    const Step load = Memory{Bytes{between<std::int64_t>(1, 60)}, true};
    program.push_back(load);
    program.push_back(Loop{9, {load, WaitMemory{1}, one_in(2) ? Step(IssueSlots{draw_time()}) : Compute{draw_time()}}});
  }
  return program;
}

/// Adds waits for loads if too many would be outstanding.
void make_synchronous(Program& program) {
  for (Step& step : program) {
    if (auto* memory = std::get_if<Memory>(&step)) memory->is_asynchronous = false;
    if (auto* loop = std::get_if<Loop>(&step)) make_synchronous(loop->body);
    if (auto* only = std::get_if<Only>(&step)) make_synchronous(only->body);
    if (auto* tiles = std::get_if<Tiles>(&step))
      for (std::size_t i = 0; i < tiles->body_count(); ++i) make_synchronous(tiles->body_of(i));
  }
}

void draw_memory(DeviceSpec& device) {
  MemoryRule memory;
  for (int i = between(1, 3); i > 0; --i) {
    MemoryLevel level{"L" + std::to_string(i), {}, {}, {}};
    if (one_in(3)) level.scope = "core";
    if (!device.core_groups.empty() && one_in(3)) level.scope = device.core_groups.back().name;
    if (!memory.levels.empty() || one_in(2)) level.latency = draw_time();
    if (i == 1 || one_in(2)) level.bandwidth = BytesPerSecond{between<std::int64_t>(1, 60) * 333'000'000'000};
    if (i > 1) level.capacity = Bytes{between<std::int64_t>(1, 40) * (4 - i)};
    memory.levels.push_back(level);
  }
  for (std::size_t i = 1; i + 1 < memory.levels.size(); ++i)
    memory.levels[i].capacity = std::max(memory.levels[i].capacity, memory.levels[i - 1].capacity);
  if (one_in(2)) memory.core_bandwidth = BytesPerSecond{between<std::int64_t>(1, 9) * 700'000'000'000};
  if (one_in(4)) memory.core_in_flight = Bytes{between<std::int64_t>(1, 60)};
  if (one_in(3)) memory.store_drain = draw_time();
  if (!one_in(3)) memory.in_flight = Bytes{between<std::int64_t>(1, 30)};
  for (MemoryLevel& level : memory.levels)  // something must limit it
    if (!memory.core_bandwidth && !(level.latency && memory.in_flight) && !level.bandwidth)
      level.bandwidth = BytesPerSecond{between<std::int64_t>(1, 9) * 1'000'000'000'000};
  device.memory = memory;
}

/// Draws dispatch that takes time, on some devices.
void draw_timing(DeviceSpec& device) {
  DispatchRules& rules = device.dispatch;
  if (one_in(2)) {
    DispatchInterval& interval = rules.interval.emplace();
    if (!one_in(4)) interval.per_work_group = draw_time();
    if (one_in(2)) interval.per_thread = draw_time();
    std::vector<std::string> words{"device", "core"};
    for (const CoreGroupLevel& level : device.core_groups) words.push_back(level.name);
    if (device.core_groups.size() == 1) words.push_back("core_group");
    interval.dispatchers = words[between<std::size_t>(0, words.size() - 1)];
  }
  if (one_in(2)) rules.recovery = draw_time();
  if (one_in(3)) {
    device.launch_cost = LaunchCost(draw_time());
    if (one_in(2)) device.launch_cost->overlapping = draw_time();
    if (one_in(5)) device.launch_cost->serial = {};
  }
  if (one_in(3)) {
    BatchRule& batch = rules.batch.emplace();
    batch.work_groups = between(1U, 4U);
    if (one_in(2)) batch.grid_at_least = {between<std::uint64_t>(0, 2), between<std::uint64_t>(0, 3)};
    if (one_in(2)) batch.left_at_least = {between<std::uint64_t>(0, 2), between<std::uint64_t>(0, 3)};
  }
  if (one_in(4)) rules.tie_order = TieOrder{TieOrder::Pattern::evens_then_odds, {}};
}

/// Draws cores in groups, of unequal sizes on some devices; work-groups dealt out to them; contexts in runs.
void draw_hierarchy(DeviceSpec& device) {
  DispatchRules& rules = device.dispatch;
  if (one_in(2)) device.core_groups.push_back({"outer", between(1U, std::min(3U, device.cores)), {}});
  if (!device.core_groups.empty() && device.cores / device.core_groups[0].count > 1 && one_in(2))
    device.core_groups.push_back({"inner", between(1U, device.cores / device.core_groups[0].count), {}});
  if (device.core_groups.size() == 1 && one_in(2)) {
    CoreGroupLevel& level = device.core_groups.front();
    std::uint32_t left = device.cores;
    for (std::uint32_t i = level.count; i > 0; --i) {
      level.sizes.push_back(i == 1 ? left : between(1U, left - (i - 1)));
      left -= level.sizes.back();
    }
    level.count = 0;
  }
  if (!device.core_groups.empty() && rules.admission != Admission::spread && one_in(2))
    rules.partition = PartitionRule{device.core_groups[between<std::size_t>(0, device.core_groups.size() - 1)].name,
                                    one_of({PartitionShare::contiguous, PartitionShare::cyclic})};
  if (!device.core_groups.empty() && rules.admission == Admission::whole && one_in(2))
    device.clusters = ClusterRule{
        device.core_groups[between<std::size_t>(0, device.core_groups.size() - 1)].name, 8, {}, !rules.partition};
  if (rules.admission == Admission::whole && one_in(3)) device.context_allocation = ContextAllocation::aligned_ranges;
}

/// Draws clocks that are slower or faster than the first, or equal, by turns.
void draw_clocks(DeviceSpec& device) {
  SimTime at;
  const auto step = one_of<std::int64_t>({1, 3, 10, 100, 2000});
  for (int i = one_of({1, 3, 40}); i > 0; --i) {
    at = at + Duration{step * between<std::int64_t>(1, 9)};
    device.clock_changes.push_back(
        {at, Hertz{one_of<std::int64_t>({1'000'000'000'000, 700'000'000'000, 300'000'000'000, 90'000'000'000})}});
  }
}

/// Draws a power limit that some of the contexts reach.
void draw_power(DeviceSpec& device) {
  PowerRule& power = device.power.emplace();
  power.period = Duration{one_of<std::int64_t>({1'000, 3'000, 10'000, 100'000}) * between<std::int64_t>(1, 3)};
  power.idle = Power{between<std::int64_t>(0, 50)};
  const auto contexts = static_cast<std::int64_t>(device.contexts_total());
  power.limit = Power{power.idle.count + between<std::int64_t>(1, 4 * contexts)};
  for (const std::int64_t clock : {90'000'000'000, 300'000'000'000, 700'000'000'000, 1'000'000'000'000})
    if (Hertz{clock} == device.clock || one_in(2))
      power.levels.push_back({Hertz{clock}, Power{between<std::int64_t>(1, 9)}});
}

void draw_more_of_the_device(DeviceSpec& device) {
  device.cores = between(1U, 7U);
  if (one_in(3)) device.dispatch.placement = "group_round_robin";
  draw_hierarchy(device);
  if (one_in(3)) {
    device.tie_order = {TieOrder::Pattern::listed, {}};
    std::vector<CoreId>& cores = device.tie_order.cores;
    for (std::uint32_t core = 0; core < device.cores; ++core) cores.push_back(CoreId{core});
    std::rotate(cores.begin(), cores.begin() + between(0U, device.cores - 1), cores.end());
  }
  if (one_in(2)) draw_timing(device);
  if (one_in(2)) draw_memory(device);
  if (one_in(2))
    device.written_sector =
        WrittenSectorRule{Bytes{between<std::int64_t>(1, 9)}, Bytes{between<std::int64_t>(1, 30)}, one_in(2)};
  if (one_in(3)) device.barrier_cost = {draw_time(), draw_time()};
  if (one_in(3)) device.slm_access = SlmAccess{between(1U, 4U), Bytes{one_of<std::int64_t>({4, 8})}, draw_time()};
  if (device.slm_access && one_in(3)) device.slm_access->accesses_per_cycle = between(1U, 4U);
  if (device.l1 && one_in(3)) device.l1->slm = SlmPlace::separate;
  if (device.slm_access && device.slm_access->accesses_per_cycle > 1 && device.l1)
    device.l1->slm = SlmPlace::separate;
  if (one_in(3)) device.atomics.global_float = Decimal{between<std::uint64_t>(1, 40), -1};
  if (one_in(3)) device.atomics.global_total = Decimal{between<std::uint64_t>(1, 90), -1};
  if (one_in(2)) device.atomics.slm = device.atomics.global = Decimal{between<std::uint64_t>(1, 40), -1};
  if (one_in(3)) device.engines_per_core = between(1U, 3U);
  device.fused_engines = between(1U, device.engines_per_core);
  if (one_in(3)) {
    draw_clocks(device);
  } else if (device.clock && one_in(3)) {
    draw_power(device);
  }
  device.max_work_group_size = 8 * device.contexts_per_core();
}

/// Keeps the numbers of work-groups and threads, but gives the last thread of each work-group fewer work-items.
void leave_lanes_empty(NdRange& range, std::uint32_t sub_group) {
  if (sub_group == 1 || range.global[2] % range.local[2] != 0) return;
  const std::uint64_t groups = range.global[2] / range.local[2];
  range.local[2] -= std::min<std::uint64_t>(between(1U, sub_group - 1), range.local[2] - 1);
  range.global[2] = groups * range.local[2];
}

/// Draws the same number of work-items in more dimensions, or a few more.
void draw_range(Kernel& kernel) {
  if (one_in(4)) leave_lanes_empty(kernel.range, kernel.sub_group);
  if (one_in(3)) {
    kernel.range.global[1] = kernel.range.local[1] = between<std::uint64_t>(1, 2);
    kernel.range.global[1] *= between<std::uint64_t>(1, 3);
    kernel.range.local[2] = std::max<std::uint64_t>(kernel.range.local[2] / kernel.range.local[1], 1);
  }
  if (one_in(3) || kernel.range.global[2] % kernel.range.local[2] != 0) {
    kernel.edge_groups = EdgeGroups::smaller;
    kernel.range.global[1] += between<std::uint64_t>(0, 1);
    kernel.range.global[0] = between<std::uint64_t>(1, 2);
  }
  if (one_in(4)) kernel.range.global[2] *= between<std::uint64_t>(1, 8);
  if (one_in(6)) {  // long enough to have periods
    kernel.range.global[2] *= between<std::uint64_t>(3, 10);
    kernel.variation.factors.clear();
  }
}

/// Removes accesses to L1 from `issue` steps.
void leave_out_l1(Program& program) {
  for (Step& step : program) {
    if (auto* issue = std::get_if<IssueSlots>(&step)) issue->l1.clear();
    if (auto* loop = std::get_if<Loop>(&step)) leave_out_l1(loop->body);
    if (auto* only = std::get_if<Only>(&step)) leave_out_l1(only->body);
    if (auto* tiles = std::get_if<Tiles>(&step))
      for (std::size_t i = 0; i < tiles->body_count(); ++i) leave_out_l1(tiles->body_of(i));
  }
}

/// The same steps, of which some go round more or less often, or do more, by the number of the work-group.
void vary(Program& program, std::uint64_t group, std::uint64_t modulus) {
  for (Step& step : program) {
    const std::uint64_t more = group % modulus;
    if (auto* loop = std::get_if<Loop>(&step)) {
      loop->count = loop->count + more - std::min<std::uint64_t>(loop->count, 2);  // of some, none at all
      vary(loop->body, group, modulus);
    }
    if (auto* only = std::get_if<Only>(&step)) vary(only->body, group, modulus);
    if (auto* memory = std::get_if<Memory>(&step)) memory->bytes.count += static_cast<std::int64_t>(more);
    if (auto* busy = std::get_if<Compute>(&step)) busy->time.amount.digits += 2 * more;
    if (auto* slm = std::get_if<Slm>(&step)) slm->accesses += more;
    if (auto* issue = std::get_if<IssueSlots>(&step))
      for (L1Access& access : issue->l1) access.lines += more;
  }
}

/// Removes steps that the body of a tile may not have.
void make_body(Program& body, TileTaker per) {
  std::erase_if(body, [per](const Step& step) {
    const bool waits = std::holds_alternative<Barrier>(step) || std::holds_alternative<Signal>(step) ||
                       std::holds_alternative<Wait>(step) || std::holds_alternative<Only>(step);
    return std::holds_alternative<GridBarrier>(step) || (per == TileTaker::thread && waits);
  });
  for (Step& step : body) {
    if (auto* loop = std::get_if<Loop>(&step)) make_body(loop->body, per);
    if (auto* only = std::get_if<Only>(&step)) make_body(only->body, per);
  }
}

/// Lets the program take tiles somewhere: of a list of its own, or of one that all kernels share.
void draw_tiles(Kernel& kernel, std::uint32_t threads) {
  Tiles tiles;
  const bool is_shared = one_in(4) && !has_step<Tiles>(kernel.program);
  tiles.list = is_shared ? "all" : kernel.name + std::to_string(kernel.program.size());
  tiles.count = is_shared ? 9 : between<std::uint64_t>(1, 30);
  tiles.take = is_shared || one_in(2) ? TileTake::on_demand : TileTake::by_number;
  if (one_in(3) && !kernel.has_smaller_groups()) tiles.per = TileTaker::thread;
  if (one_in(2)) tiles.cost = draw_time();
  tiles.body = draw_steps(1, threads);
  make_body(tiles.body, tiles.per);
  if (one_in(2)) {
    const Program plain = tiles.body;
    const std::uint64_t modulus = std::min<std::uint64_t>(between<std::uint64_t>(2, 4), tiles.count);
    vary(tiles.body, 0, modulus);
    for (std::uint64_t body = 1; body < modulus; ++body) vary(tiles.others.emplace_back(plain), body, modulus);
    for (std::uint64_t tile = 0; modulus > 1 && tile < tiles.count; ++tile)
      tiles.of_tile.push_back(static_cast<std::uint32_t>(tile % modulus));
  }
  const auto place = between<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(kernel.program.size()));
  kernel.program.insert(kernel.program.begin() + place, std::move(tiles));
}

/// Draws a program for each work-group; equal ones are stored once.
void draw_group_programs(Kernel& kernel) {
  const auto modulus = between<std::uint64_t>(2, 4);
  Program plain = std::move(kernel.program);
  plain.insert(plain.begin(), Compute{draw_time()});
  std::vector<Program> programs;
  for (std::uint64_t group = 0; group < modulus; ++group) vary(programs.emplace_back(plain), group, modulus);
  for (std::uint64_t group = 0; group < kernel.range.group_count(); ++group)
    kernel.group_programs.of_group.push_back(static_cast<std::uint32_t>(group % modulus));
  kernel.program = std::move(programs.front());
  programs.erase(programs.begin());
  kernel.group_programs.others = std::move(programs);
}

/// Lets work-groups wait for each other's flags: each for the one before it, or all for the first of some.
void draw_flags(Kernel& kernel, std::uint32_t threads) {
  const std::uint64_t groups = kernel.range.group_count();
  const std::int64_t before = between<std::int64_t>(1, 3);
  const std::int64_t together = between<std::int64_t>(1, 3);
  const bool signals_first = one_in(2);
  const std::uint64_t times = between<std::uint64_t>(1, 3);
  const Step work = Compute{draw_time()};
  const bool is_by_some = one_in(2);
  const Program plain = kernel.program;
  kernel.group_programs = {};
  for (std::uint64_t group = 0; group < groups; ++group) {
    const std::int64_t own = static_cast<std::int64_t>(group) / together;
    Program signal{Signal{"flag", own}};
    if (is_by_some) signal = {Only{{{0, 0}}, std::move(signal)}};
    Program body{work};
    body.insert(signals_first ? body.begin() : body.end(), signal.begin(), signal.end());
    body.insert(signals_first ? body.end() : body.begin(), Wait{"flag", own - before});
    Program& program = group == 0 ? kernel.program : kernel.group_programs.others.emplace_back(plain);
    const auto place = static_cast<std::ptrdiff_t>(threads % (plain.size() + 1));
    program.insert(program.begin() + place, Loop{times, body});
    kernel.group_programs.of_group.push_back(static_cast<std::uint32_t>(group));
  }
}

void draw_more_of_a_kernel(Kernel& kernel) {
  draw_range(kernel);
  const auto threads = static_cast<std::uint32_t>(kernel.threads_per_work_group());
  if (!one_in(3)) kernel.program = draw_steps(2, threads);
  if (one_in(4)) draw_tiles(kernel, threads);
  if (one_in(8) && has_step<Tiles>(kernel.program)) draw_tiles(kernel, threads);
  if (one_in(4))
    draw_group_programs(kernel);
  else if (one_in(4) && kernel.range.group_count() < 60)
    draw_flags(kernel, threads);
  for (std::uint32_t thread = 0; thread < threads; ++thread)
    for (std::size_t i = 0; i < kernel.program_count(); ++i)
      if (max_outstanding(kernel.program_of(i), thread) > kMaxOutstanding)
        for (std::size_t all = 0; all < kernel.program_count(); ++all) make_synchronous(kernel.program_of(all));
  if (one_in(3)) kernel.in_flight = Bytes{between<std::int64_t>(1, 60)};
  if (one_in(3)) kernel.dependence = between(1U, 5U);
  if (one_in(3)) kernel.shared_working_set = Bytes{between<std::int64_t>(0, 90)};
  if (one_in(8)) kernel.needs.barriers = between(0U, 2U);
  std::erase_if(kernel.variation.factors, [&](const WorkGroupFactor& entry) {
    return number_of(entry.work_group) >= kernel.range.group_count();
  });
  for (WorkGroupFactor& entry : kernel.variation.factors)
    if (one_in(2)) entry.factor = Decimal{between<std::uint64_t>(500, 3000), -3};
  const bool is_one_compute = !kernel.differs_by_group() && kernel.program.size() == 1 &&
                              std::holds_alternative<Compute>(kernel.program.front());
  for (WorkGroupFactor& entry : kernel.variation.factors)
    if (is_one_compute && one_in(2)) entry.duration = draw_time();
  if (kernel.variation.first_wave && one_in(2))
    kernel.variation.first_wave = Decimal{between<std::uint64_t>(10, 150), -1};
  if (kernel.variation.draw && one_in(2)) kernel.variation.draw->cv = Decimal{between<std::uint64_t>(1, 30), -2};
}

/// Places some consecutive work-groups together: whole clusters only.
void draw_cluster(const DeviceSpec& device, Kernel& kernel) {
  if (!device.clusters || one_in(3)) return;
  const std::uint64_t least = between<std::uint64_t>(device.clusters->preferred ? 1 : 2, 3);
  if (kernel.differs_by_group()) return;
  const auto sizes = [](std::uint64_t size) {
    return one_in(2) ? std::vector<std::uint64_t>{size} : std::vector<std::uint64_t>{1, size};
  };
  kernel.cluster = sizes(least);
  const std::uint64_t size = device.clusters->preferred && one_in(2) ? 2 * least : least;
  if (size > least) {
    kernel.preferred_cluster = kernel.cluster;
    kernel.preferred_cluster.back() = size;
  }
  for (Step& step : kernel.program)
    if (auto* memory = std::get_if<Memory>(&step);
        memory != nullptr && memory->is_asynchronous && !memory->written && !is_store(*memory) && one_in(2))
      memory->multicast = static_cast<std::uint32_t>(least);
  kernel.edge_groups = EdgeGroups::refused;
  kernel.range.global = kernel.range.local;
  kernel.range.global[2] *= size * between<std::uint64_t>(1, 6);
  std::erase_if(kernel.variation.factors, [&](const WorkGroupFactor& entry) {
    return number_of(entry.work_group) >= kernel.range.group_count();
  });
}

/// Lets each kernel launch later ones.
void draw_children(std::vector<Kernel>& kernels) {
  for (std::size_t i = 0; i + 1 < kernels.size(); ++i)
    for (int count = between(0, 6) - 4; count > 0; --count) {
      const auto place = between<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(kernels[i].program.size()));
      const LaunchChild child{static_cast<KernelId>(between(i + 1, kernels.size() - 1)),
                              one_in(2) ? ChildWait::yes : ChildWait::no};
      for (std::size_t j = 0; j < kernels[i].program_count(); ++j) {
        Program& program = kernels[i].program_of(j);
        program.insert(program.begin() + place, child);
      }
    }
}

/// Lets children of some kernels begin when their work-group waits, or, if none waits, after all work-groups of their
/// parents.
void draw_late_children(std::vector<Kernel>& kernels) {
  for (Kernel& kernel : kernels) {
    bool waits = false;
    for (std::size_t i = 0; i < kernel.program_count(); ++i)
      for (const Step& step : kernel.program_of(i))
        if (const auto* child = std::get_if<LaunchChild>(&step)) waits = waits || child->wait == ChildWait::yes;
    if (child_count(kernel) == 0 || !one_in(2)) continue;
    kernel.children_begin = waits || one_in(3) ? ChildrenBegin::at_wait : ChildrenBegin::after_parent;
  }
}

void draw_more_of_a_launch(const RandomRun& run, Launch& launch, std::size_t number) {
  if (number > 0 && one_in(4)) {
    const auto before = static_cast<LaunchId>(between<std::size_t>(0, number - 1));
    std::set<LaunchId> after(launch.after.begin(), launch.after.end());
    after.insert(before);
    launch.after = std::vector<LaunchId>(after.begin(), after.end());
  }
  if (!launch.host_waits.empty() && one_in(2)) launch.at = {};
  for (std::size_t before = 0; before < number; ++before)
    if (one_in(6) && run.workload.launches[before].is_kernel())
      launch.after_triggers.push_back(static_cast<LaunchId>(before));
  if (run.device.copy && one_in(8)) {
    launch.work = Copy{Bytes{between(1, 5000)}, one_of({CopyDirection::host_to_device, CopyDirection::device_to_host})};
  }
  if (!launch.is_kernel()) return;
  CoreSelection& cores = launch.as_kernel().cores;
  cores.clear();
  if (one_in(3)) {
    for (std::uint32_t core = 0; core < run.device.cores; ++core)
      if (one_in(2)) cores.push_back({CoreId{core}, CoreId{core}});
    cores = normalized(cores);
  }
}

void draw_more_of_a_queue(const DeviceSpec& device, Queue& queue) {
  if (one_in(4)) {
    const std::uint32_t first = between(0U, device.cores - 1);
    queue.cores = {{CoreId{first}, CoreId{between(first, device.cores - 1)}}};
  }
  if (device.dispatch.kernel_choice == KernelChoice::priority && one_in(2)) queue.priority = between(0U, 3U);
}

/// Makes graphs of some queues, of which only the first launch may have a time or a wait.
void draw_graphs(RandomRun& run) {
  if (one_in(4)) run.device.graph_gap = Duration{between(0, 3)};
  if (one_in(4)) {
    SubmissionRule& rule = run.device.submission.emplace();
    rule.batch = between(1U, 5U);
    if (one_in(2)) rule.flush = Duration{between(0, 3000)};
    rule.sends_first_at_once = one_in(2);
  }
  for (Kernel& kernel : run.workload.kernels)
    if (one_in(8)) kernel.jit = Duration{between(1, 2000)};
  for (Queue& queue : run.workload.queues) queue.waits_for_triggers = queue.order == QueueOrder::in_order && one_in(3);
  for (std::size_t i = 0; i < run.workload.queues.size(); ++i) {
    if (!one_in(4)) continue;
    bool is_first = true;
    run.workload.queues[i].is_graph = true;
    for (Launch& launch : run.workload.launches) {
      if (launch.queue != static_cast<QueueId>(i)) continue;
      if (!std::exchange(is_first, false)) launch.at = {}, launch.host_waits = {};
    }
  }
  if (!make_launch_graph(run.workload).cycles.empty())
    for (Queue& queue : run.workload.queues) queue.is_graph = false;
}

/// Makes some launches cooperative, if they can be.
void draw_cooperative(RandomRun& run) {
  if (!one_in(3)) return;
  for (Launch& launch : run.workload.launches)
    if (launch.is_kernel() && launch.parent() == nullptr) launch.as_kernel().is_cooperative = one_in(2);
  if (compile(run.device, run.device.dispatch, run.workload)) return;
  for (Launch& launch : run.workload.launches)
    if (launch.is_kernel()) launch.as_kernel().is_cooperative = false;
}

/// Lets some devices start launches in order, if the launches allow that.
void draw_hardware_queues(RandomRun& run) {
  if (!one_in(2)) return;
  HardwareQueueRule rule;
  if (one_in(2)) rule.count = between<std::uint64_t>(1, 3);
  if (one_in(2)) rule.starts = HardwareQueueStart::after_end;
  run.device.hardware_queues = rule;
  for (Queue& queue : run.workload.queues)
    if (one_in(4)) queue.hardware = between(0U, static_cast<std::uint32_t>(rule.count.value_or(3)) - 1);
  if (make_launch_graph(run.workload, hardware_queues_of(run.workload, run.device, run.device.dispatch)).cycles.empty())
    return;
  run.device.hardware_queues.reset();
  for (Queue& queue : run.workload.queues) queue.hardware.reset();
}

/// Removes a launch's cores if they are not all among those of its queue, and perhaps its priority.
void leave_cores_to_queue(const Workload& workload, Launch& launch) {
  if (!launch.is_kernel() || !launch.queue) return;
  KernelLaunch& work = launch.as_kernel();
  if (!lies_within(work.cores, workload.queues[index_of(*launch.queue)].cores)) work.cores.clear();
  if (one_in(2)) work.priority.reset();
}

}  // namespace

RandomRun draw_any_run() {
  RandomRun run{draw_device(), {}};
  draw_more_of_the_device(run.device);
  Workload& workload = run.workload;
  const RandomRun drawn = draw_run();
  workload.queues = drawn.workload.queues;
  for (Queue& queue : workload.queues) draw_more_of_a_queue(run.device, queue);
  workload.buffers = drawn.workload.buffers;
  for (int i = between(1, 4); i > 0; --i) {
    workload.kernels.push_back(draw_kernel(run.device));
    workload.kernels.back().name = "k" + std::to_string(workload.kernels.size());
    draw_more_of_a_kernel(workload.kernels.back());
    for (std::size_t program = 0; !run.device.l1 && program < workload.kernels.back().program_count(); ++program)
      leave_out_l1(workload.kernels.back().program_of(program));
    draw_cluster(run.device, workload.kernels.back());
  }
  draw_children(workload.kernels);
  for (const Launch& from : drawn.workload.launches) {
    if (from.parent() != nullptr) break;
    Launch launch = from;
    if (!launch.is_kernel() && !run.device.copy) launch.work = KernelLaunch{};
    if (launch.is_kernel()) {
      KernelLaunch& work = launch.as_kernel();
      work.first_child.reset();
      work.kernel = static_cast<KernelId>(index_of(work.kernel) % workload.kernels.size());
      if (run.device.dispatch.kernel_choice != KernelChoice::priority) work.priority.reset();
    }
    draw_more_of_a_launch(run, launch, workload.launches.size());
    leave_cores_to_queue(workload, launch);
    workload.launches.push_back(launch);
  }
  if (launches_with_children(workload) > 60) {  // the oracle is slow
    for (Kernel& kernel : workload.kernels)
      for (std::size_t i = 0; i < kernel.program_count(); ++i)
        std::erase_if(kernel.program_of(i), [](const Step& step) { return std::holds_alternative<LaunchChild>(step); });
  }
  draw_graphs(run);
  draw_late_children(workload.kernels);
  add_child_launches(workload);
  draw_hardware_queues(run);
  draw_cooperative(run);
  return run;
}

RandomRun draw_chain_of_launches() {
  RandomRun run = one_in(2) ? draw_run() : draw_any_run();
  std::vector<Launch> kinds;
  for (const Launch& launch : run.workload.launches)
    if (launch.parent() == nullptr) kinds.push_back(launch);
  for (Launch& kind : kinds) {
    kind.after = {};
    kind.after_triggers = {};
    kind.host_waits = {};
    if (!one_in(4)) kind.queue.reset();
    if (kind.is_kernel()) kind.as_kernel().first_child.reset();
    if (kind.is_kernel() && !one_in(8)) kind.as_kernel().cores = {};
  }
  run.workload.launches.clear();
  for (Queue& queue : run.workload.queues) queue.is_graph = false;
  if (one_in(3)) kinds.resize(1);  // of which all may request the same
  const bool come_at_once = one_in(3);
  SimTime time;
  for (int i = between(6, 30); i > 0; --i) {
    Launch next = kinds[between<std::size_t>(0, kinds.size() - 1)];
    next.name = "l" + std::to_string(run.workload.launches.size());
    if (!come_at_once) time = time + Duration{one_of<std::int64_t>({0, 7, 200, 200, 1'000, 3'000})};
    if (come_at_once && one_in(2)) next.reads = next.writes = {};
    next.at = time;
    leave_cores_to_queue(run.workload, next);
    run.workload.launches.push_back(next);
  }
  add_child_launches(run.workload);
  return run;
}

}  // namespace gdsim::oracle
