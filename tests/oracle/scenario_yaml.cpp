#include "oracle/scenario_yaml.hpp"
#include <gdsim/base/mapping_keys.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <algorithm>
#include <array>
#include <concepts>
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

/// Returns whether a value stands in a file: it is not left out for its default.
template <class Value>
bool is_there(const Value& value) {
  if constexpr (requires { value.has_value(); }) return value.has_value();
  if constexpr (requires { value.empty(); }) return !value.empty();
  return true;
}

template <HasKeys Rule>
std::string keys_of(const Rule& rule);

std::string text_of(const std::string& value) { return value; }
std::string text_of(bool value) { return value ? "true" : "false"; }
std::string text_of(Bytes value) { return bytes(value); }
std::string text_of(BytesPerSecond value) { return bandwidth(value); }
std::string text_of(Duration value) { return time(value); }
std::string text_of(SimTime value) { return time(since_start(value)); }
std::string text_of(const StepTime& value) { return time(value); }
std::string text_of(const Decimal& value) { return to_text(value); }
std::string text_of(Power value) { return std::to_string(value.count) + " uW"; }
std::string text_of(std::unsigned_integral auto value) { return number(value); }
std::string text_of(HasWords auto value) { return std::string(words_of(value)[static_cast<std::size_t>(value)]); }
template <HasKeys Rule>
std::string text_of(const Rule& rule) {
  return "{" + keys_of(rule) + "}";
}
template <class Item>
std::string text_of(const std::vector<Item>& items) {
  return list(items, [](const Item& item) { return text_of(item); });
}
template <class Value>
std::string text_of(const std::optional<Value>& value) {
  return text_of(*value);
}

/// Returns `per_core: 4 B, reserve: 1 B` of the plain keys of a struct.
template <HasKeys Rule>
std::string keys_of(const Rule& rule) {
  std::string line;
  visit_keys(rule, [&line](std::string_view key, const auto& value) {
    if (is_there(value)) line += (line.empty() ? "" : ", ") + std::string(key) + ": " + text_of(value);
  });
  return line;
}

std::string preemption(const PreemptionRule& rule) {
  const auto move = [](const ContextMove& one) {
    std::string text = "{per_work_group: " + time(one.per_work_group);
    if (one.moves == ContextBytes::context) text += ", bytes: context";
    if (one.moves == ContextBytes::given) text += ", bytes: " + bytes(one.bytes);
    return text + "}";
  };
  return "{" + keys_of(rule) + ", save: " + move(rule.save) + ", restore: " + move(rule.restore) + "}";
}

std::string dispatch(const DispatchRules& rules) {
  constexpr std::array choices{"head_only", "skip_blocked", "round_robin", "priority", "time_sliced"};
  std::string text =
      "{" + keys_of(rules) + ", kernel_choice: " + choices[static_cast<std::size_t>(rules.kernel_choice)];
  if (rules.tie_order && rules.tie_order->kind == TieOrder::Pattern::evens_then_odds)
    text += ", tie_order: evens_then_odds";
  if (rules.preemption) text += ", preemption: " + preemption(*rules.preemption);
  return text + "}";
}

/// Returns what a part of a device has besides its plain keys.
std::string more_of(const auto&) { return {}; }
std::string more_of(const PowerRule& power) {
  return ", per_busy_context: {" +
         joined(power.levels,
                [](const PowerRule::Level& level) {
                  return std::to_string(level.clock.count) + " Hz: " + text_of(level.per_busy_context);
                }) +
         "}";
}
std::string more_of(const ClusterRule& clusters) { return clusters.preferred ? ", preferred: true" : ""; }
std::string more_of(const SubmissionRule& submission) {
  return submission.sends_first_at_once ? ", first: at_once" : "";
}
std::string more_of(const MemoryRule& memory) {
  return memory.core_bandwidth ? ", core_bandwidth: " + bandwidth(*memory.core_bandwidth) : "";
}

template <class Part>
std::string part_text(const Part& part) {
  return "{" + keys_of(part) + more_of(part) + "}";
}
template <class Part>
std::string part_text(const std::optional<Part>& part) {
  return part_text(*part);
}

/// Returns the kinds of each pipe that the device names, separated by commas.
std::map<std::string, std::string> shared_pipes(const DeviceSpec& device) {
  std::map<std::string, std::string> pipes;
  for (const ArithmeticRate& rate : device.arithmetic)
    if (!rate.pipe.empty()) pipes[rate.pipe] += (pipes[rate.pipe].empty() ? "" : ", ") + rate.kind;
  return pipes;
}

void write_sharing(std::ostream& text, const DeviceSpec& device) {
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
  if (device.atomics.slm && device.atomics.global) {
    text << "  atomics: {slm: " << to_text(*device.atomics.slm) << ", global: " << to_text(*device.atomics.global);
    if (device.atomics.global_float) text << ", global_float: " << to_text(*device.atomics.global_float);
    if (device.atomics.global_total) text << ", global_total: " << to_text(*device.atomics.global_total);
    text << "}\n";
  }
}

void write_device(std::ostream& text, const DeviceSpec& device) {
  text << "  device: drawn\n  name: Drawn\n  terms: neutral\n";
  if (device.clock && device.clock_changes.empty()) text << "  clock: " << device.clock->count << " Hz\n";
  if (!device.clock_changes.empty()) {
    text << "  clock: {at: {0 s: " << device.clock->count << " Hz";
    for (const ClockChange& change : device.clock_changes)
      text << ", " << change.at.count << " ps: " << change.clock.count << " Hz";
    text << "}}\n";
  }
  visit_keys(device, [&text](std::string_view key, const auto& value) {
    if (is_there(value)) text << "  " << key << ": " << text_of(value) << "\n";
  });
  if (!device.work_groups_per_core) text << "  work_groups_per_core: unlimited\n";
  if (!device.barriers_per_core) text << "  barriers_per_core: unlimited\n";
  visit_parts(device, [&text](std::string_view key, const auto& part) {
    if (is_there(part)) text << "  " << key << ": " << part_text(part) << "\n";
  });
  if (!device.core_groups.empty())
    text << "  core_groups: " << list(device.core_groups, [](const CoreGroupLevel& level) {
      if (level.sizes.empty()) return "{name: " + level.name + ", count: " + number(level.count) + "}";
      return "{name: " + level.name + ", sizes: " + list(level.sizes, number) + "}";
    }) << "\n";
  if (device.context_allocation == ContextAllocation::aligned_ranges)
    text << "  contexts: {allocation: aligned_ranges}\n";
  if (const auto order = device.tie_order.cores_of(device.cores); !order.empty())
    text << "  tie_order: " << list(order, [](CoreId core) { return number(index_of(core)); }) << "\n";
  if (device.large_grf_contexts) text << "  large_grf: {contexts_per_thread: " << *device.large_grf_contexts << "}\n";
  write_sharing(text, device);
  if (device.graph_gap) text << "  graph: {dependency_gap: " << time(*device.graph_gap) << "}\n";
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
  return "tiles: {" + keys_of(tiles) + ", body: " + program(bodies, kernels) + "}";
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
    if (memory->written) text += ", written: " + text_of(*memory->written);
    return text + "}";
  }
  if (std::holds_alternative<Fence>(step)) return "fence";
  if (std::holds_alternative<Trigger>(step)) return "trigger";
  if (std::holds_alternative<WaitDependencies>(step)) return "wait_dependencies";
  if (const auto* grid = std::get_if<GridBarrier>(&step))
    return grid->cost.amount.is_zero() ? "grid_barrier" : "grid_barrier: " + time(grid->cost);
  if (const auto* wait = std::get_if<WaitMemory>(&step))
    return wait->outstanding == 0 ? "wait_memory" : "wait_memory: " + text_of(*wait);
  if (const auto* slm = std::get_if<Slm>(&step))
    return "slm: {accesses: " +
           of_each(steps, "", [](const Step& one) { return number(std::get<Slm>(one).accesses); }) +
           ", stride: " + number(slm->stride) + ", bytes: " + number(slm->bytes) + "}";
  if (const auto* atomic = std::get_if<Atomic>(&step)) return "atomic: " + text_of(*atomic);
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
  std::vector<std::string> parts;
  if (own.first_wave) parts.push_back(keys_of(own));
  if (own.draw)
    parts.push_back(keys_of(*own.draw));
  else if (own.is_lock_step)
    parts.emplace_back("distribution: none");
  if (!own.factors.empty()) parts.push_back("work_groups: {" + joined(own.factors, factor) + "}");
  if (parts.empty()) return {};
  return "    variation: {" + joined(parts, [](const std::string& part) { return part; }) + "}\n";
}

void write_kernel(std::ostream& text, const Kernel& kernel, const std::vector<Kernel>& kernels) {
  text << "  " << double_quoted(kernel.name) << ":\n    global: " << list(kernel.range.global, number)
       << "\n    local: " << list(kernel.range.local, number) << "\n    sub_group: " << kernel.sub_group << "\n";
  if (kernel.edge_groups == EdgeGroups::smaller) text << "    non_uniform: true\n";
  if (!kernel.preferred_cluster.empty())
    text << "    cluster: {size: " << list(kernel.cluster, number)
         << ", preferred: " << list(kernel.preferred_cluster, number) << "}\n";
  else if (!kernel.cluster.empty())
    text << "    cluster: " << list(kernel.cluster, number) << "\n";
  visit_keys(kernel, [&text](std::string_view key, const auto& value) {
    if (is_there(value)) text << "    " << key << ": " << text_of(value) << "\n";
  });
  if (kernel.needs.registers > 0) text << "    registers: " << kernel.needs.registers << "\n";
  if (kernel.children_begin == ChildrenBegin::after_parent) text << "    children: {begins: after_parent}\n";
  if (kernel.children_begin == ChildrenBegin::at_wait) text << "    children: {begins: at_wait}\n";
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
  text << ", " << keys_of(launch);
  std::vector<std::string> after;
  for (const LaunchId id : launch.after) after.push_back(double_quoted(workload.launches[index_of(id)].name));
  for (const LaunchId id : launch.after_triggers)
    after.push_back("{launch: " + double_quoted(workload.launches[index_of(id)].name) + ", when: triggered}");
  if (!after.empty()) text << ", after: " << list(after, [](const std::string& one) { return one; });
  if (launch.is_kernel()) text << ", " << keys_of(launch.as_kernel());
  if (!launch.host_waits.empty()) text << ", wait: " << names(launch.host_waits);
  if (launch.queue) text << ", queue: " << workload.queues[index_of(*launch.queue)].name;
  if (!launch.reads.empty()) text << ", reads: " << buffers(launch.reads);
  if (!launch.writes.empty()) text << ", writes: " << buffers(launch.writes);
  if (launch.is_kernel() && !launch.as_kernel().cores.empty()) text << ", cores: " << cores(launch.as_kernel().cores);
  return text.str();
}

std::string work_yaml(const Launch& launch, const Workload& workload) {
  if (launch.is_kernel()) return "kernel: " + double_quoted(workload.kernels[index_of(launch.as_kernel().kernel)].name);
  return "copy: {bytes: " + bytes(launch.as_copy().bytes) + ", direction: " + text_of(launch.as_copy().direction) + "}";
}

std::string kernels_yaml(const Workload& workload) {
  std::ostringstream text;
  text << "kernels:\n";
  for (const Kernel& kernel : workload.kernels) write_kernel(text, kernel, workload.kernels);
  if (!workload.queues.empty()) text << "queues:\n";
  for (const Queue& queue : workload.queues) {
    text << "  " << queue.name << ": {" << keys_of(queue);
    if (!queue.cores.empty()) text << ", cores: " << cores(queue.cores);
    if (queue.waits_for_triggers) text << ", next: triggered";
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
