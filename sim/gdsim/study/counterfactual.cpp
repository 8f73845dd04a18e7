#include <gdsim/study/counterfactual.hpp>

#include <gdsim/device/device_limits.hpp>

#include <gdsim/fit/limits.hpp>
#include <gdsim/program/program_plan.hpp>
#include <gdsim/study/program_change.hpp>
#include <gdsim/study/slm_conflicts.hpp>
#include <gdsim/study/without_tail.hpp>
#include <gdsim/workload/launch_graph.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace gdsim {
namespace {

constexpr std::int64_t kUnlimitedTimes = 100'000;
/// Accesses of one address per cycle: no device may have more.
constexpr Decimal kMaxAtomicRate = Decimal::whole(1'000);

std::string percent(Int128 part, Int128 whole) {
  return to_fixed({static_cast<UInt128>(part) * 100, static_cast<UInt128>(std::max<Int128>(whole, 1))}, 1) + " %";
}

/// Raises what there is a limit of to 100,000 times as much, or to the most that any device may have (`max`).
template <class Amount>
void raise(std::optional<Amount>& amount, Amount max) {
  if (amount) amount->count = amount->count > max.count / kUnlimitedTimes ? max.count : amount->count * kUnlimitedTimes;
}

/// Makes the changes one by one, each from the scenario as it is.
class Changes {
 public:
  Changes(const Scenario& scenario, const RunRecord& baseline) : scenario_(scenario), record_(baseline) {
    for (const CoreTimeUse& one : baseline.time_use) use_ += one.use;
  }

  std::vector<Counterfactual> all() {
    no_tail();
    barriers();
    memory();
    issue();
    slm();
    residency();
    dispatch();
    host();
    workload();
    return std::move(found_);
  }

 private:
  const Terms& terms() const { return scenario_.device.terms; }

  /// `change` says whether it changed anything.
  template <class Change>
  void add(const std::string& what, const std::string& subject, Change change) {
    Counterfactual one{what, scenario_, subject};
    if (change(one.scenario)) found_.push_back(std::move(one));
  }

  /// `Barriers: threads wait 17.0 % of their time at them`.
  std::string waits(const std::string& name, TimeKind kind, const std::string& where) const {
    return fmt::format("{}: {}s wait {} of their time {}", name, terms().thread, percent(use_.of(kind), use_.sum()),
                       where);
  }

  /// The launch that lasted longest and has a tail of its own, if there is one.
  void no_tail() {
    const Kernel* longest = nullptr;
    Tail tail;
    Duration max{-1};
    for (std::size_t i = 0; i < scenario_.workload.launches.size(); ++i) {
      const Launch& launch = scenario_.workload.launches[i];
      const LaunchRecord& life = record_.launches[i];
      if (launch.is_copy() || !life.first_dispatched || !life.ended) continue;
      const Kernel& kernel = scenario_.workload.kernel_of(launch);
      const auto found = tail_of(kernel, scenario_.device);
      if (!found || *life.ended - *life.first_dispatched <= max) continue;
      max = *life.ended - *life.first_dispatched;
      longest = &kernel;
      tail = *found;
    }
    if (longest == nullptr) return;
    const std::string group = terms().work_group;
    add("no_tail",
        fmt::format("Tail: {} of {} {}s of {} {} left over for the last wave", tail.left_over, tail.work_groups, group,
                    longest->name, tail.left_over == 1 ? "is" : "are"),
        [](Scenario& changed) {
          bool is_changed = false;
          for (Kernel& kernel : changed.workload.kernels)
            if (const auto of_kernel = tail_of(kernel, changed.device))
              if (auto shorter = without_tail(kernel, *of_kernel, changed.device)) {
                kernel = std::move(*shorter);
                is_changed = true;
              }
          return is_changed;
        });
  }

  void barriers() {
    add("barriers_free", waits("Barriers", TimeKind::barrier, "at them"), [](Scenario& changed) {
      return change_programs(changed, [](Step& step) {
        const bool is_met = std::holds_alternative<Barrier>(step) || std::holds_alternative<Signal>(step) ||
                            std::holds_alternative<Wait>(step);
        return is_met ? StepChange::removed : StepChange::none;
      });
    });
  }

  template <class Matches>
  bool has_some_step(Matches matches) const {
    bool found = false;
    for (const Kernel& kernel : scenario_.workload.kernels)
      for_each_step(kernel.program, [&](const Step& step) { found = found || matches(step); });
    return found;
  }

  static bool is_memory_access(const Step& step) {
    const auto* atomic = std::get_if<Atomic>(&step);
    return std::holds_alternative<Memory>(step) || (atomic != nullptr && atomic->space == AtomicSpace::global);
  }

  void memory() {
    if (!scenario_.device.memory || !has_some_step(is_memory_access)) return;
    add("memory_unlimited", waits("Memory", TimeKind::memory, "behind others, and for its latency besides"),
        [&](Scenario& changed) {
          MemoryRule& memory = *changed.device.memory;
          for (MemoryLevel& level : memory.levels) raise(level.bandwidth, device_limits::kBandwidth);
          raise(memory.core_bandwidth, device_limits::kBandwidth);
          raise(memory.in_flight, device_limits::kMemory);
          raise(memory.core_in_flight, device_limits::kMemory);
          if (changed.device.atomics.global) changed.device.atomics.global = kMaxAtomicRate;
          return true;
        });
    for (std::size_t i = 0; i < scenario_.device.memory->levels.size(); ++i) {
      const MemoryLevel& level = scenario_.device.memory->levels[i];
      if (!level.bandwidth) continue;
      add("level_unlimited:" + level.name,
          fmt::format("Memory level {}: its bandwidth is {}", level.name, to_text(*level.bandwidth)),
          [&](Scenario& changed) {
            raise(changed.device.memory->levels[i].bandwidth, device_limits::kBandwidth);
            return true;
          });
    }
  }

  void issue() {
    add("issue_unlimited", waits("Issue slots", TimeKind::issue, "for them"), [](Scenario& changed) {
      return change_programs(changed, [](Step& step) {
        const auto* issue = std::get_if<IssueSlots>(&step);
        if (issue == nullptr) return StepChange::none;
        step = Compute{issue->slots};
        return StepChange::changed;
      });
    });
  }

  void slm() {
    if (!scenario_.device.slm_access || !has_some_step(is_slm_access)) return;
    add("slm_conflict_free", "Bank conflicts of " + terms().slm + ": " + worst_slm_conflict(scenario_),
        [](Scenario& changed) {
          bool is_changed = false;
          for (Kernel& kernel : changed.workload.kernels)
            is_changed |= change_program(kernel.program, [&](Step& step) {
              return without_slm_conflicts(step, changed.device, kernel.sub_group);
            });
          return is_changed;
        });
    add("slm_unlimited", waits("Accesses to " + terms().slm, TimeKind::slm, "for its banks"), [](Scenario& changed) {
      const StepTime latency = changed.device.slm_access->latency;
      return change_programs(changed, [&](Step& step) {
        if (!is_slm_access(step)) return StepChange::none;
        if (latency.amount.is_zero()) return StepChange::removed;
        step = Compute{latency};
        return StepChange::changed;
      });
    });
  }

  /// `Registers: 3 blocks of gemm fit on one SM`: of the kernel that it limits most, if it limits any.
  /// `they_are` stands for `name` in a sentence.
  std::string limit(const std::string& name, const std::string& they_are,
                    std::initializer_list<Resource> resources) const {
    std::string subject;
    std::uint64_t min = UINT64_MAX;
    for (const Kernel& kernel : scenario_.workload.kernels) {
      const ResourceLimits limits = limits_of(kernel, scenario_.device);
      for (const Resource resource : resources)
        if (const auto count = limits.of(resource); count && *count == limits.work_groups_per_core() && *count < min) {
          min = *count;
          subject = fmt::format("{}: {} {}{} of {} fit{} on one {}", name, *count, terms().work_group,
                                *count == 1 ? "" : "s", kernel.name, *count == 1 ? "s" : "", terms().core);
        }
    }
    if (!subject.empty()) return subject;
    return fmt::format("{}: {} not what limits how many {}s fit", name, they_are, terms().work_group);
  }

  void residency() {
    add("registers_unlimited", limit("Registers", "they are", {Resource::registers, Resource::scalar_registers}),
        [](Scenario& changed) {
          bool is_changed = false;
          for (Kernel& kernel : changed.workload.kernels) {
            KernelNeeds& needs = kernel.needs;
            is_changed |= needs.registers + needs.accumulation_registers + needs.scalar_registers > 0;
            needs.registers = needs.accumulation_registers = needs.scalar_registers = 0;
          }
          is_changed &= changed.device.registers.has_value() || changed.device.scalar_registers.has_value();
          changed.device.registers.reset();
          changed.device.scalar_registers.reset();
          return is_changed;
        });
    add("slm_allocation_zero", limit("Allocation of " + terms().slm, "it is", {Resource::slm}), [](Scenario& changed) {
      bool is_changed = false;
      for (Kernel& kernel : changed.workload.kernels) {
        is_changed |= kernel.needs.slm.total.count > 0;
        kernel.needs.slm.total = kernel.needs.slm.dynamic = {};
        kernel.needs.slm.max_dynamic.reset();
      }
      changed.device.slm.reserve = {};
      return is_changed;
    });
    add("slots_unlimited", limit("Slots for " + terms().work_group + "s", "they are", {Resource::work_group_slots}),
        [](Scenario& changed) {
          DeviceSpec& device = changed.device;
          const bool is_changed = device.work_groups_per_core.count || device.work_groups_with_barrier_or_slm.count;
          device.work_groups_per_core.count.reset();
          device.work_groups_with_barrier_or_slm.count.reset();
          return is_changed;
        });
  }

  /// `2 us`: as long as it takes on this device.
  std::string text_of(const StepTime& time) const {
    const auto span = resolve(time, clock_of(scenario_.device), Decimal::whole(1));
    return span ? to_text(*span) : "too long a time";
  }

  /// `Dispatch: 2 ports, 1 us per work-group, recovery 250 ns`
  std::string cost_of_dispatch() const {
    const DispatchRules& rules = scenario_.dispatch;
    std::string text;
    const auto list = [&](const std::string& part) { text += (text.empty() ? "Dispatch: " : ", ") + part; };
    if (const auto ports = rules.ports.count) list(fmt::format("{} port{}", *ports, ports == 1U ? "" : "s"));
    const DispatchInterval interval = rules.interval.value_or(DispatchInterval{});
    if (!interval.per_work_group.amount.is_zero())
      list(text_of(interval.per_work_group) + " per " + terms().work_group);
    if (!interval.per_thread.amount.is_zero()) list(text_of(interval.per_thread) + " per " + terms().thread);
    if (rules.recovery && !rules.recovery->amount.is_zero()) list("recovery " + text_of(*rules.recovery));
    return text;
  }

  /// Where work-groups go stays as it is: placement, batches, and which dispatcher has which cores.
  void dispatch() {
    add("dispatch_instantaneous", cost_of_dispatch(), [](Scenario& changed) {
      DispatchRules& rules = changed.dispatch;
      const bool takes_time =
          (rules.interval && !rules.interval->is_instant()) || (rules.recovery && !rules.recovery->amount.is_zero());
      const bool is_changed = rules.ports.count.has_value() || takes_time;
      rules.ports.count.reset();
      if (rules.interval) rules.interval->per_work_group = rules.interval->per_thread = {};
      rules.recovery.reset();
      return is_changed;
    });
  }

  void host() {
    const DeviceSpec& device = scenario_.device;
    add("launch_overheads_zero",
        fmt::format("Launch overheads: submission {}, latency {}, gap behind dependencies {}, launch cost {}",
                    to_text(device.submit_overhead), to_text(device.launch_latency), to_text(device.dependency_gap),
                    text_of(device.launch_cost.value_or(StepTime{}))),
        [](Scenario& changed) {
          DeviceSpec& of = changed.device;
          const bool is_changed = of.submit_overhead.count + of.launch_latency.count + of.dependency_gap.count > 0 ||
                                  (of.launch_cost && !of.launch_cost->amount.is_zero());
          of.submit_overhead = of.launch_latency = of.dependency_gap = {};
          of.launch_cost.reset();
          return is_changed;
        });
  }

  /// How many launches wait for others, on the device or on the host.
  std::uint64_t waiting_launches() const {
    const LaunchGraph graph = make_launch_graph(scenario_.workload);
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < scenario_.workload.launches.size(); ++i)
      if (!graph.predecessors[i].empty() || !scenario_.workload.launches[i].host_waits.empty()) ++count;
    return count;
  }

  void no_dependencies() {
    const std::uint64_t waiting = waiting_launches();
    add("no_dependencies",
        fmt::format("Dependencies: {} of {} launches wait{} for others", waiting, scenario_.workload.launches.size(),
                    waiting == 1 ? "s" : ""),
        [&](Scenario& changed) {
          for (Launch& launch : changed.workload.launches) {
            launch.after.clear();
            launch.host_waits.clear();
            launch.reads.clear();
            launch.writes.clear();
          }
          for (Queue& queue : changed.workload.queues) queue.order = QueueOrder::out_of_order;
          return waiting > 0;
        });
  }

  void workload() {
    no_dependencies();
    add("equal_work_groups", "Uneven " + terms().work_group + "s: their durations vary", [](Scenario& changed) {
      bool is_changed = false;
      for (Kernel& kernel : changed.workload.kernels) {
        const auto& factors = kernel.variation.factors;
        // Durations that were measured stand in the place of the program's own, which may be any.
        if (std::any_of(factors.begin(), factors.end(), [](const WorkGroupFactor& own) { return own.duration; }))
          continue;
        // In lock step, those that share something would take longer for another reason.
        const auto& draw = kernel.variation.draw;
        is_changed |= !factors.empty() || kernel.variation.first_wave || (draw && draw->origin == DrawOrigin::declared);
        kernel.variation = {};
        if (kernel.shares_resources()) kernel.variation.draw = default_draw();
      }
      return is_changed;
    });
  }

  const Scenario& scenario_;
  const RunRecord& record_;
  TimeUse use_;
  std::vector<Counterfactual> found_;
};

}  // namespace

std::vector<Counterfactual> counterfactuals(const Scenario& scenario, const RunRecord& baseline) {
  return Changes(scenario, baseline).all();
}

}  // namespace gdsim
