#include "oracle/scenario_yaml.hpp"
#include <gdsim/yaml/yaml_node.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <sstream>
#include <type_traits>

namespace gdsim::oracle {
namespace {

template <class Items, class Text>
std::string joined(const Items& items, Text text) {
  std::string line;
  for (const auto& item : items) line += (line.empty() ? "" : ", ") + text(item);
  return line;
}

template <class Items, class Text>
std::string list(const Items& items, Text text) {
  return "[" + joined(items, text) + "]";
}

std::string number(std::uint64_t value) { return std::to_string(value); }
std::string limit(std::optional<std::uint64_t> value) { return value ? number(*value) : "unlimited"; }
std::string bytes(Bytes value) { return std::to_string(value.count) + " B"; }
std::string time(Duration value) { return std::to_string(value.count) + " ps"; }
std::string time(const StepTime& value) {
  return to_text(value.amount) + (value.unit == StepTime::Unit::cycles ? " cycles" : " ps");
}
std::string bandwidth(BytesPerSecond value) { return std::to_string(value.count) + " B/s"; }
std::string cores(const CoreSelection& selection) {
  return list(selection, [](const CoreRange& range) {
    return number(index_of(range.first)) + "-" + number(index_of(range.last));
  });
}

std::string preemption(const PreemptionRule& rule) {
  const auto move = [](const ContextMove& one) {
    std::string text = "{per_work_group: " + time(one.per_work_group);
    if (one.moves == ContextBytes::context) text += ", bytes: context";
    if (one.moves == ContextBytes::given) text += ", bytes: " + bytes(one.bytes);
    return text + "}";
  };
  return std::string("{of: ") + (rule.of == PreemptionOf::thread ? "thread" : "work_group") +
         (rule.quantum ? ", quantum: " + time(*rule.quantum) : "") + ", save: " + move(rule.save) +
         ", restore: " + move(rule.restore) + "}";
}

std::string timing(const DispatchRules& rules) {
  const auto per_core = [](const PerCoreCount& count) {
    return "{per_core: " + number(count.per_core) + ", plus: " + number(count.plus) + "}";
  };
  std::string text;
  if (const auto& interval = rules.interval)
    text += ", interval: {per_work_group: " + time(interval->per_work_group) +
            ", per_thread: " + time(interval->per_thread) + ", dispatchers: " + interval->dispatchers + "}";
  if (rules.recovery) text += ", recovery: " + time(*rules.recovery);
  if (const auto& batch = rules.batch)
    text += ", batch: {work_groups: " + number(batch->work_groups) +
            ", grid_at_least: " + per_core(batch->grid_at_least) +
            ", left_at_least: " + per_core(batch->left_at_least) + "}";
  if (rules.partition)
    text += ", partition: {across: " + rules.partition->across +
            ", share: " + (rules.partition->share == PartitionShare::cyclic ? "cyclic}" : "contiguous}");
  if (rules.tie_order && rules.tie_order->kind == TieOrder::Pattern::evens_then_odds)
    text += ", tie_order: evens_then_odds";
  if (rules.preemption) text += ", preemption: " + preemption(*rules.preemption);
  return text;
}

std::string dispatch(const DispatchRules& rules) {
  constexpr std::array admissions{"whole", "partial", "spread"};
  constexpr std::array handovers{"never", "barrier_or_slm", "always"};
  constexpr std::array choices{"head_only", "skip_blocked", "round_robin", "priority", "time_sliced"};
  return "{placement: " + rules.placement + ", admission: " + admissions[static_cast<std::size_t>(rules.admission)] +
         ", ports: " + limit(rules.ports) + ", handover: " + handovers[static_cast<std::size_t>(rules.handover)] +
         ", kernel_choice: " + choices[static_cast<std::size_t>(rules.kernel_choice)] +
         ", concurrent_kernels: " + limit(rules.concurrent_kernels) +
         ", core_sharing: " + (rules.core_sharing == CoreSharing::exclusive ? "exclusive" : "shared") +
         ", slm_reconfiguration: " +
         (rules.slm_reconfiguration == SlmReconfiguration::drains_core ? "drains_core" : "free") + timing(rules) + "}";
}

void write_files(std::ostream& text, const DeviceSpec& device) {
  if (const auto& rule = device.registers) {
    constexpr std::array accumulations{"none", "unified", "separate"};
    text << "  registers: {per_engine: " << rule->per_engine << ", granule: " << rule->granule;
    if (rule->per_work_item) text << ", per_work_item: " << *rule->per_work_item;
    if (rule->per_work_group) text << ", per_work_group: " << *rule->per_work_group;
    text << ", work_group_count: "
         << (rule->work_group_basis == WorkGroupRegisterBasis::threads ? "threads" : "full_engines")
         << ", accumulation: " << accumulations[static_cast<std::size_t>(rule->accumulation)]
         << ", accumulation_alignment: " << rule->accumulation_alignment
         << ", count: " << (rule->thread_limit == RegisterThreadLimit::uncapped ? "all" : "at_most_contexts") << "}\n";
  }
  if (const auto& rule = device.scalar_registers)
    text << "  scalar_registers: {per_engine: " << rule->per_engine << ", granule: " << rule->granule
         << ", reserve: " << rule->reserve
         << ", count: " << (rule->thread_limit == RegisterThreadLimit::uncapped ? "all" : "at_most_contexts") << "}\n";
  const SlmRule& slm = device.slm;
  text << "  slm: {per_core: " << bytes(slm.per_core) << ", per_work_group: " << bytes(slm.per_work_group);
  if (!slm.sizes.empty()) text << ", sizes: " << list(slm.sizes, bytes);
  if (slm.sizes.empty()) text << ", granule: " << bytes(slm.granule);
  if (slm.reserve.count > 0) text << ", reserve: " << bytes(slm.reserve);
  if (!slm.pools.empty()) text << ", pools: " << list(slm.pools, bytes);
  text << "}\n";
}

/// Returns the kinds of each pipe that the device names, separated by commas.
std::map<std::string, std::string> shared_pipes(const DeviceSpec& device) {
  std::map<std::string, std::string> pipes;
  for (const ArithmeticRate& rate : device.arithmetic)
    if (!rate.pipe.empty()) pipes[rate.pipe] += (pipes[rate.pipe].empty() ? "" : ", ") + rate.kind;
  return pipes;
}

void write_sharing(std::ostream& text, const DeviceSpec& device) {
  text << "  fused_engines: " << device.fused_engines << "\n";
  if (!device.arithmetic.empty()) {
    text << "  arithmetic: {";
    const char* between = "";
    for (const ArithmeticRate& rate : device.arithmetic) {
      text << between << rate.kind << ": " << to_text(rate.per_cycle);
      between = ", ";
    }
    text << "}\n  instruction_latency: {";
    between = "";
    for (const ArithmeticRate& rate : device.arithmetic) {
      if (!rate.latency) continue;
      text << between << rate.kind << ": " << to_text(*rate.latency) << " cycles";
      between = ", ";
    }
    text << "}\n";
    const auto pipes = shared_pipes(device);
    if (!pipes.empty()) text << "  pipes:\n";
    for (const auto& [pipe, kinds] : pipes) text << "    " << pipe << ": [" << kinds << "]\n";
  }
  if (const auto& slm = device.slm_access)
    text << "  slm_access: {banks: " << slm->banks << ", bank_width: " << bytes(slm->bank_width)
         << ", latency: " << time(slm->latency) << ", accesses_per_cycle: " << slm->accesses_per_cycle << "}\n";
  if (const auto& l1 = device.l1)
    text << "  l1: {lines_per_cycle: " << to_text(l1->lines_per_cycle) << ", latency: " << time(l1->latency)
         << (l1->slm == SlmPlace::separate ? ", slm: separate" : "") << "}\n";
  if (const auto& sector = device.written_sector)
    text << "  written_sector: {whole: " << bytes(sector->whole) << ", partial: " << bytes(sector->partial)
         << (sector->is_merged ? "}\n" : ", merged: false}\n");
  if (device.atomics.slm && device.atomics.global) {
    text << "  atomics: {slm: " << to_text(*device.atomics.slm) << ", global: " << to_text(*device.atomics.global);
    if (device.atomics.global_float) text << ", global_float: " << to_text(*device.atomics.global_float);
    if (device.atomics.global_total) text << ", global_total: " << to_text(*device.atomics.global_total);
    text << "}\n";
  }
  text << "  barrier_cost: {base: " << time(device.barrier_cost.base)
       << ", per_thread: " << time(device.barrier_cost.per_thread) << "}\n";
  if (const auto& memory = device.memory) {
    text << "  memory: {";
    if (memory->in_flight) text << "in_flight: " << bytes(*memory->in_flight) << ", ";
    if (memory->core_in_flight) text << "core_in_flight: " << bytes(*memory->core_in_flight) << ", ";
    if (memory->core_bandwidth) text << "core_bandwidth: " << bandwidth(*memory->core_bandwidth) << ", ";
    if (!memory->store_drain.amount.is_zero()) text << "store_drain: " << time(memory->store_drain) << ", ";
    text << "levels: " << list(memory->levels, [](const MemoryLevel& level) {
      std::string one = "{name: " + level.name;
      if (level.capacity) one += ", capacity: " + bytes(*level.capacity);
      if (level.bandwidth) one += ", bandwidth: " + bandwidth(*level.bandwidth);
      if (level.latency) one += ", latency: " + time(*level.latency);
      if (level.scope != "device") one += ", scope: " + level.scope;
      return one + "}";
    }) << "}\n";
  }
}

void write_device(std::ostream& text, const DeviceSpec& device) {
  text << "  device: drawn\n  name: Drawn\n  vendor: none\n  terms: neutral\n";
  if (device.clock && device.clock_changes.empty()) text << "  clock: " << device.clock->count << " Hz\n";
  if (device.power) {
    const auto microwatts = [](Power power) { return std::to_string(power.count) + " uW"; };
    text << "  power: {limit: " << microwatts(device.power->limit) << ", idle: " << microwatts(device.power->idle)
         << ", period: " << device.power->period.count << " ps, per_busy_context: {";
    for (const PowerRule::Level& level : device.power->levels)
      text << (level.clock == device.power->levels.front().clock ? "" : ", ") << level.clock.count
           << " Hz: " << microwatts(level.per_busy_context);
    text << "}}\n";
  }
  if (!device.clock_changes.empty()) {
    text << "  clock: {at: {0 s: " << device.clock->count << " Hz";
    for (const ClockChange& change : device.clock_changes)
      text << ", " << change.at.count << " ps: " << change.clock.count << " Hz";
    text << "}}\n";
  }
  text << "  cores: " << device.cores << "\n  engines_per_core: " << device.engines_per_core
       << "\n  contexts_per_engine: " << device.contexts_per_engine
       << "\n  sub_group_sizes: " << list(device.sub_group_sizes, number)
       << "\n  max_work_group_size: " << device.max_work_group_size
       << "\n  work_groups_per_core: " << limit(device.work_groups_per_core)
       << "\n  work_groups_with_barrier_or_slm: " << limit(device.work_groups_with_barrier_or_slm)
       << "\n  barriers_per_core: " << limit(device.barriers_per_core)
       << "\n  barrier_use: " << (device.barrier_use == BarrierUse::program ? "program" : "multi_thread")
       << "\n  release: " << (device.release == Release::thread ? "thread" : "work_group") << "\n";
  if (!device.core_groups.empty())
    text << "  core_groups: " << list(device.core_groups, [](const CoreGroupLevel& level) {
      if (level.sizes.empty()) return "{name: " + level.name + ", count: " + number(level.count) + "}";
      return "{name: " + level.name + ", sizes: " + list(level.sizes, number) + "}";
    }) << "\n";
  if (device.context_allocation == ContextAllocation::aligned_ranges)
    text << "  contexts: {allocation: aligned_ranges}\n";
  if (device.clusters) {
    text << "  clusters: {within: " << device.clusters->within << ", max: " << device.clusters->max;
    if (const auto more = device.clusters->non_portable_max) text << ", non_portable_max: " << *more;
    text << (device.clusters->preferred ? ", preferred: true" : "") << "}\n";
  }
  if (const auto order = device.tie_order.cores_of(device.cores); !order.empty())
    text << "  tie_order: " << list(order, [](CoreId core) { return number(index_of(core)); }) << "\n";
  if (device.grf_per_context) text << "  grf_per_context: " << bytes(*device.grf_per_context) << "\n";
  if (device.large_grf_contexts) text << "  large_grf: {contexts_per_thread: " << *device.large_grf_contexts << "}\n";
  write_files(text, device);
  write_sharing(text, device);
  if (device.launch_cost)
    text << "  launch_cost: {serial: " << time(device.launch_cost->serial)
         << ", overlapping: " << time(device.launch_cost->overlapping) << "}\n";
  text << "  submit_overhead: " << time(device.submit_overhead) << "\n  launch_latency: " << time(device.launch_latency)
       << "\n  dependency_gap: " << time(device.dependency_gap) << "\n";
  if (device.graph_gap) text << "  graph: {dependency_gap: " << time(*device.graph_gap) << "}\n";
  if (const auto& submission = device.submission)
    text << "  submission: {batch: " << submission->batch
         << (submission->flush ? ", flush: " + time(*submission->flush) : std::string())
         << (submission->sends_first_at_once ? ", first: at_once" : "") << "}\n";
  if (const auto& queues = device.hardware_queues)
    text << "  hardware_queues: {count: " << limit(queues->count)
         << ", starts: " << (queues->starts == HardwareQueueStart::after_end ? "after_end" : "in_order") << "}\n";
  if (const auto& copy = device.copy)
    text << "  copy: {engines: " << copy->engines << ", bandwidth: " << bandwidth(copy->bandwidth)
         << ", latency: " << time(copy->latency) << "}\n";
  text << "  dispatch: " << dispatch(device.dispatch) << "\n";
}

std::string barrier_step(const char* kind, const std::string& name) { return kind + (name.empty() ? "" : ": " + name); }

/// One step in each program of a kernel, by work-group, or in each body of a list, by tile.
struct SameSteps : std::vector<const Step*> {
  const char* number = "group";
};
/// One body in each of them.
struct Bodies : std::vector<const Program*> {
  const char* number = "group";
};

/// Returns the number of texts after which they repeat.
std::size_t period_of(const std::vector<std::string>& texts) {
  std::size_t period = 1;
  const auto repeats = [&] {
    for (std::size_t i = period; i < texts.size(); ++i)
      if (texts[i] != texts[i - period]) return false;
    return texts.size() % period == 0;
  };
  while (!repeats()) ++period;
  return period;
}

/// Returns the text of all of them: one word, or an expression of the number of the work-group or the tile.
template <class Text>
std::string of_each(const SameSteps& steps, const std::string& unit, Text text) {
  std::vector<std::string> texts;
  for (const Step* step : steps) texts.push_back(text(*step));
  if (std::all_of(texts.begin(), texts.end(), [&](const std::string& one) { return one == texts.front(); }))
    return texts.front() + unit;
  texts.resize(period_of(texts));
  const std::string place = "mod(" + std::string(steps.number) + ", " + number(texts.size()) + ")";
  std::string expression = texts.back();
  for (std::size_t i = texts.size(); i-- > 1;)
    if (texts[i - 1] != texts[i])
      expression = "if(" + place + " < " + number(i) + ", " + texts[i - 1] + ", " + expression + ")";
  return "\"= " + expression + unit + "\"";
}

template <class Kind>
std::string time_of_each(const SameSteps& steps, StepTime Kind::*time) {
  const auto unit = (std::get<Kind>(*steps.front()).*time).unit;
  return of_each(steps, unit == StepTime::Unit::cycles ? " cycles" : " ps",
                 [time](const Step& step) { return to_text((std::get<Kind>(step).*time).amount); });
}

/// Of a signal or a wait.
template <class Kind>
std::string signal_step(const std::string& key, const SameSteps& steps) {
  const auto& step = std::get<Kind>(*steps.front());
  std::string more;
  if constexpr (std::is_same_v<Kind, Signal>)
    if (step.initially > 0) more = ", initially: " + number(step.initially);
  if (step.index)
    more = ", scope: launch, index: " +
           of_each(steps, "", [](const Step& one) { return std::to_string(*std::get<Kind>(one).index); });
  return more.empty() ? barrier_step(key.c_str(), step.name) : key + ": {name: " + step.name + more + "}";
}

std::string issue_text(const SameSteps& steps) {
  const auto& issue = std::get<IssueSlots>(*steps.front());
  if (issue.by_kind.empty()) return time_of_each(steps, &IssueSlots::slots);
  std::string text;
  for (const InstructionCount& own : issue.by_kind)
    text += (text.empty() ? "{" : ", ") + own.kind + ": " + number(own.count);
  for (std::size_t i = 0; i < issue.l1.size(); ++i)
    text += std::string(i == 0 ? ", l1: [" : ", ") + "{source_line: " + number(issue.l1[i].source_line) + ", lines: " +
            of_each(steps, "", [i](const Step& one) { return number(std::get<IssueSlots>(one).l1[i].lines); }) + "}";
  return text + (issue.l1.empty() ? "}" : "]}");
}

std::string program(const Bodies& bodies, const std::vector<Kernel>& kernels);

/// Returns each of `count` bodies once, if work-groups or tiles have them cyclically; else the body of each.
std::vector<std::size_t> cyclic_or_each(const std::vector<std::uint32_t>& of_each, std::size_t count) {
  std::vector<std::size_t> bodies(of_each.begin(), of_each.end());
  bool are_cyclic = true;
  for (std::size_t i = 0; i < bodies.size(); ++i) are_cyclic = are_cyclic && bodies[i] == i % count;
  if (!are_cyclic) return bodies;
  bodies.resize(count);
  std::iota(bodies.begin(), bodies.end(), std::size_t{0});
  return bodies;
}

/// Programs of work-groups all have the same tiles.
std::string tiles_text(const Tiles& tiles, const std::vector<Kernel>& kernels) {
  Bodies bodies;
  bodies.number = "tile";
  for (const std::size_t i : cyclic_or_each(tiles.of_tile, tiles.body_count())) bodies.push_back(&tiles.body_of(i));
  return "tiles: {list: " + tiles.list + ", count: " + number(tiles.count) +
         ", take: " + (tiles.take == TileTake::by_number ? "static" : "atomic") +
         ", per: " + (tiles.per == TileTaker::work_group ? "work_group" : "thread") + ", cost: " + time(tiles.cost) +
         ", body: " + program(bodies, kernels) + "}";
}

std::string step_text(const SameSteps& steps, const std::vector<Kernel>& kernels) {
  const Step& step = *steps.front();
  const auto body_text = [&](auto body_of) {
    Bodies bodies;
    bodies.number = steps.number;
    for (const Step* one : steps) bodies.push_back(body_of(*one));
    return program(bodies, kernels);
  };
  if (std::holds_alternative<Compute>(step)) return "compute: " + time_of_each(steps, &Compute::time);
  if (std::holds_alternative<IssueSlots>(step)) return "issue: " + issue_text(steps);
  if (const auto* memory = std::get_if<Memory>(&step)) {
    const std::string moved =
        of_each(steps, " B", [](const Step& one) { return std::to_string(std::get<Memory>(one).bytes.count); });
    const std::string key = memory->is_posted ? "store: " : "memory: ";
    if (!memory->is_asynchronous && !memory->written && memory->multicast == 1) return key + moved;
    std::string text = key + "{bytes: " + moved;
    if (memory->is_asynchronous) text += ", asynchronous: true";
    if (memory->multicast > 1) text += ", multicast: " + number(memory->multicast);
    if (memory->written)
      text += ", written: {whole: " + number(memory->written->whole) +
              ", partial: " + number(memory->written->partial) + "}";
    return text + "}";
  }
  if (std::holds_alternative<Fence>(step)) return "fence";
  if (std::holds_alternative<Trigger>(step)) return "trigger";
  if (std::holds_alternative<WaitDependencies>(step)) return "wait_dependencies";
  if (const auto* grid = std::get_if<GridBarrier>(&step))
    return grid->cost.amount.is_zero() ? "grid_barrier" : "grid_barrier: " + time(grid->cost);
  if (const auto* wait = std::get_if<WaitMemory>(&step))
    return wait->outstanding == 0 ? "wait_memory" : "wait_memory: {outstanding: " + number(wait->outstanding) + "}";
  if (const auto* slm = std::get_if<Slm>(&step))
    return "slm: {accesses: " +
           of_each(steps, "", [](const Step& one) { return number(std::get<Slm>(one).accesses); }) +
           ", stride: " + number(slm->stride) + ", bytes: " + number(slm->bytes) + "}";
  if (const auto* atomic = std::get_if<Atomic>(&step))
    return "atomic: {accesses: " + number(atomic->accesses) + ", addresses: " + number(atomic->addresses) +
           ", space: " + (atomic->space == AtomicSpace::slm ? "slm" : "global") +
           (atomic->type == AtomicType::floating ? ", type: float}" : "}");
  if (const auto* barrier = std::get_if<Barrier>(&step)) return barrier_step("barrier", barrier->name);
  if (std::holds_alternative<Signal>(step)) return signal_step<Signal>("signal", steps);
  if (std::holds_alternative<Wait>(step)) return signal_step<Wait>("wait", steps);
  if (const auto* child = std::get_if<LaunchChild>(&step))
    return "launch: {kernel: " + double_quoted(kernels[index_of(child->kernel)].name) +
           (child->wait == ChildWait::yes ? ", wait: true}" : "}");
  if (std::holds_alternative<Loop>(step))
    return "loop: {count: " + of_each(steps, "", [](const Step& one) { return number(std::get<Loop>(one).count); }) +
           ", body: " + body_text([](const Step& one) { return &std::get<Loop>(one).body; }) + "}";
  if (const auto* tiles = std::get_if<Tiles>(&step)) return tiles_text(*tiles, kernels);
  return "only: {threads: " +
         list(std::get<Only>(step).threads,
              [](const ThreadRange& r) { return number(r.first) + "-" + number(r.last); }) +
         ", body: " + body_text([](const Step& one) { return &std::get<Only>(one).body; }) + "}";
}

std::string program(const Bodies& bodies, const std::vector<Kernel>& kernels) {
  std::vector<SameSteps> steps(bodies.front()->size());
  for (SameSteps& same : steps) same.number = bodies.number;
  for (const Program* body : bodies)
    for (std::size_t i = 0; i < steps.size(); ++i) steps[i].push_back(&(*body)[i]);
  return list(steps, [&](const SameSteps& same) { return step_text(same, kernels); });
}

std::string factor(const WorkGroupFactor& own) {
  return number(number_of(own.work_group)) + ": " + (own.duration ? time(*own.duration) : to_text(own.factor));
}

/// Returns the line of a kernel's `variation:`; empty: nothing is declared.
std::string variation(const Variation& own) {
  constexpr std::array distributions{"normal", "lognormal", "uniform"};
  constexpr std::array of{"work_group", "thread", "launch"};
  std::vector<std::string> parts;
  if (own.first_wave) parts.push_back("first_wave: " + to_text(*own.first_wave));
  if (own.draw) {
    parts.push_back(std::string("distribution: ") + distributions[static_cast<std::size_t>(own.draw->distribution)]);
    parts.push_back("cv: " + to_text(own.draw->cv));
    parts.push_back(std::string("per: ") + of[static_cast<std::size_t>(own.draw->per)]);
    parts.push_back("seed: " + number(own.draw->seed));
  } else if (own.is_lock_step) {
    parts.emplace_back("distribution: none");
  }
  if (!own.factors.empty()) parts.push_back("work_groups: {" + joined(own.factors, factor) + "}");
  if (parts.empty()) return {};
  return "    variation: {" + joined(parts, [](const std::string& part) { return part; }) + "}\n";
}

void write_kernel(std::ostream& text, const Kernel& kernel, const std::vector<Kernel>& kernels) {
  const KernelNeeds& needs = kernel.needs;
  text << "  " << double_quoted(kernel.name) << ":\n    global: " << list(kernel.range.global, number)
       << "\n    local: " << list(kernel.range.local, number) << "\n    sub_group: " << kernel.sub_group << "\n";
  if (kernel.edge_groups == EdgeGroups::smaller) text << "    non_uniform: true\n";
  if (!kernel.preferred_cluster.empty())
    text << "    cluster: {size: " << list(kernel.cluster, number)
         << ", preferred: " << list(kernel.preferred_cluster, number) << "}\n";
  else if (!kernel.cluster.empty())
    text << "    cluster: " << list(kernel.cluster, number) << "\n";
  if (needs.slm.total.count > 0) text << "    slm: " << bytes(needs.slm.total) << "\n";
  if (needs.slm.carveout_percent) text << "    carveout_percent: " << *needs.slm.carveout_percent << "\n";
  if (needs.registers > 0) text << "    registers: " << needs.registers << "\n";
  if (needs.accumulation_registers > 0) text << "    accumulation_registers: " << needs.accumulation_registers << "\n";
  if (needs.scalar_registers > 0) text << "    scalar_registers: " << needs.scalar_registers << "\n";
  if (needs.barriers) text << "    barriers: " << *needs.barriers << "\n";
  if (needs.grf == GrfMode::large) text << "    large_grf: true\n";
  if (kernel.jit.count > 0) text << "    jit: " << time(kernel.jit) << "\n";
  if (kernel.children_begin == ChildrenBegin::after_parent) text << "    children: {begins: after_parent}\n";
  if (kernel.in_flight) text << "    in_flight: " << bytes(*kernel.in_flight) << "\n";
  if (kernel.dependence) text << "    dependence: " << *kernel.dependence << "\n";
  if (kernel.working_set) text << "    working_set: " << bytes(*kernel.working_set) << "\n";
  if (kernel.shared_working_set) text << "    shared_working_set: " << bytes(*kernel.shared_working_set) << "\n";
  Bodies programs;
  for (const std::size_t i : cyclic_or_each(kernel.group_programs.of_group, kernel.program_count()))
    programs.push_back(&kernel.program_of(i));
  text << "    program: " << program(programs, kernels) << "\n";
  text << variation(kernel.variation);
}

}  // namespace

std::string program_yaml(const Kernel& kernel, std::uint64_t work_group, const std::vector<Kernel>& kernels) {
  Bodies one;
  one.push_back(&kernel.program_of(kernel.program_number(WorkGroupId{work_group})));
  return program(one, kernels);
}

std::string device_yaml(const DeviceSpec& device) {
  std::ostringstream text;
  write_device(text, device);
  return text.str();
}

std::string launch_keys(const Launch& launch, const Workload& workload) {
  std::ostringstream text;
  const auto names = [&](const LazyVector<LaunchId>& ids) {
    return list(ids, [&](LaunchId id) { return double_quoted(workload.launches[index_of(id)].name); });
  };
  const auto buffers = [&](const LazyVector<BufferId>& ids) {
    return list(ids, [&](BufferId id) { return workload.buffers[index_of(id)]; });
  };
  if (launch.at.count > 0) text << ", at: " << time(since_start(launch.at));
  std::vector<std::string> after;
  for (const LaunchId id : launch.after) after.push_back(double_quoted(workload.launches[index_of(id)].name));
  for (const LaunchId id : launch.after_triggers)
    after.push_back("{launch: " + double_quoted(workload.launches[index_of(id)].name) + ", when: triggered}");
  if (!after.empty()) text << ", after: " << list(after, [](const std::string& one) { return one; });
  if (launch.is_kernel() && launch.as_kernel().is_cooperative) text << ", cooperative: true";
  if (!launch.host_waits.empty()) text << ", wait: " << names(launch.host_waits);
  if (launch.queue) text << ", queue: " << workload.queues[index_of(*launch.queue)].name;
  if (!launch.reads.empty()) text << ", reads: " << buffers(launch.reads);
  if (!launch.writes.empty()) text << ", writes: " << buffers(launch.writes);
  if (launch.is_kernel() && launch.as_kernel().priority) text << ", priority: " << *launch.as_kernel().priority;
  if (launch.is_kernel() && !launch.as_kernel().cores.empty()) text << ", cores: " << cores(launch.as_kernel().cores);
  return text.str();
}

std::string work_yaml(const Launch& launch, const Workload& workload) {
  if (launch.is_kernel()) return "kernel: " + double_quoted(workload.kernels[index_of(launch.as_kernel().kernel)].name);
  return "copy: {bytes: " + bytes(launch.as_copy().bytes) + ", direction: " +
         (launch.as_copy().direction == CopyDirection::host_to_device ? "host_to_device" : "device_to_host") + "}";
}

std::string kernels_yaml(const Workload& workload) {
  std::ostringstream text;
  text << "kernels:\n";
  for (const Kernel& kernel : workload.kernels) write_kernel(text, kernel, workload.kernels);
  if (!workload.queues.empty()) text << "queues:\n";
  for (const Queue& queue : workload.queues) {
    text << "  " << queue.name << ": {order: " << (queue.order == QueueOrder::in_order ? "in_order" : "out_of_order");
    if (!queue.cores.empty()) text << ", cores: " << cores(queue.cores);
    if (queue.waits_for_triggers) text << ", next: triggered";
    if (queue.is_graph) text << ", graph: true";
    if (queue.hardware) text << ", hardware: " << *queue.hardware;
    if (queue.priority > 0) text << ", priority: " << queue.priority;
    text << "}\n";
  }
  return text.str();
}

std::string scenario_yaml(const testing::RandomRun& run) {
  std::string text =
      "scenario: drawn\ndevice:\n" + device_yaml(run.device) + kernels_yaml(run.workload) + "launches:\n";
  for (const Launch& launch : run.workload.launches)
    if (launch.parent() == nullptr)
      text += "  - {name: " + double_quoted(launch.name) + ", " + work_yaml(launch, run.workload) +
              launch_keys(launch, run.workload) + "}\n";
  return text;
}

}  // namespace gdsim::oracle
