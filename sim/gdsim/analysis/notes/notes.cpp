#include <gdsim/analysis/words.hpp>

#include <gdsim/analysis/collective_kernels.hpp>
#include <gdsim/analysis/lanes.hpp>
#include <gdsim/analysis/notes/device_notes.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/program/work_amounts.hpp>
#include <gdsim/workload/launched_kernels.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace gdsim {
namespace {

constexpr std::size_t kMaxKernelsNamed = 4;

/// Launched kernels. Notes mention no others, and of collectives none.
using LaunchedKernels = std::vector<const Kernel*>;

/// ` of a, b`: the launched kernels for which `holds` is true; empty if it is true for all; nullopt if for none.
template <class Holds>
std::optional<std::string> kernels_where(const LaunchedKernels& launched, Holds holds) {
  std::string names;
  std::size_t count = 0;
  for (const Kernel* kernel : launched)
    if (holds(*kernel) && ++count <= kMaxKernelsNamed) names += (count > 1 ? ", " : " of ") + printable(kernel->name);
  if (count == 0) return std::nullopt;
  if (count == launched.size()) return std::string();
  return count > kMaxKernelsNamed ? fmt::format("{} and {} more", names, count - kMaxKernelsNamed) : names;
}

bool has_atomics(const Kernel& kernel) { return has_global_atomics(kernel.program); }

bool has_float_atomics(const Kernel& kernel) {
  return has_step_where<Atomic>(kernel.program, [](const Atomic& step) { return step.type == AtomicType::floating; });
}

bool moves_bytes(const Kernel& kernel) { return uses_memory(kernel.program); }

bool is_free(const BarrierCost& cost) { return cost.base.amount.is_zero() && cost.per_thread.amount.is_zero(); }

bool repeats_barriers(const Kernel& kernel) {
  return has_step_where<Loop>(kernel.program, [](const Loop& loop) { return has_step<Barrier>(loop.body); });
}

bool needs_latency(const Kernel& kernel) { return moves_bytes(kernel) || has_step<Fence>(kernel.program); }

/// Returns true if the kernel has instructions without kinds, which only the issue rate bounds.
bool has_issue_without_kinds(const Kernel& kernel) {
  return has_step_where<IssueSlots>(kernel.program, [](const IssueSlots& issue) { return issue.by_kind.empty(); });
}

std::string latency_note(const DeviceSpec& device) {
  std::string without;
  std::size_t count = 0;
  for (const MemoryLevel& level : device.memory->levels)
    if (!level.latency) without += (count++ == 0 ? "" : ", ") + printable(level.name);
  if (count == 0) return {};
  const std::string which = count == device.memory->levels.size() ? "no memory latency" : "no latency of " + without;
  return fmt::format(
      "The model of {} has {}. Loads take only the time of their bandwidth, so fewer {}s than on hardware reach the "
      "full bandwidth.",
      printable(device.id), which, device.terms.thread);
}

/// Returns the note on the first kernel with empty lanes whose steps are charged in full, or nullopt if there is none.
std::optional<std::string> empty_lanes_note(const LaunchedKernels& launched, const Terms& terms) {
  const auto charges_empty_lanes = [](const Kernel* kernel) {
    return (moves_bytes(*kernel) || has_step<IssueSlots>(kernel->program)) && !lanes_of_group(*kernel).are_full();
  };
  const auto first = std::find_if(launched.begin(), launched.end(), charges_empty_lanes);
  if (first == launched.end()) return std::nullopt;
  const auto others = std::count_if(std::next(first), launched.end(), charges_empty_lanes);
  const GroupLanes lanes = lanes_of_group(**first);
  return fmt::format(
      "{} of the {} lanes of a {} of {}{} have no work-item. `memory` and `issue` steps still cost as much as for full "
      "{}s.",
      lanes.all - lanes.active, lanes.all, terms.work_group, printable((*first)->name),
      others > 0 ? fmt::format(" (and some of {} more kernel{})", others, others == 1 ? "" : "s") : "", terms.thread);
}

/// Returns the note on the first kernel whose sizes the user did not state, or nullopt if there is none.
std::optional<std::string> sizes_note(const LaunchedKernels& launched, const Terms& terms) {
  const auto is_chosen = [](const Kernel* kernel) { return kernel->local_is_chosen || kernel->sub_group_is_chosen; };
  const auto first = std::find_if(launched.begin(), launched.end(), is_chosen);
  if (first == launched.end()) return std::nullopt;
  const Kernel& kernel = **first;
  std::string sizes;
  if (kernel.local_is_chosen) sizes = fmt::format("{} work-items per {}", kernel.range.group_size(), terms.work_group);
  if (kernel.sub_group_is_chosen)
    sizes += fmt::format("{}{} per {}", sizes.empty() ? "" : " and ", kernel.sub_group, terms.thread);
  const auto others = std::count_if(std::next(first), launched.end(), is_chosen);
  return fmt::format("`auto` sets {} for {}{}; a runtime may choose other sizes.", sizes, printable(kernel.name),
                     others > 0 ? fmt::format(" (and {} more kernel{})", others, others == 1 ? "" : "s") : "");
}

/// Returns the note on the first kernel whose program was written for another size of threads, or nullopt.
std::optional<std::string> program_sub_group_note(const LaunchedKernels& launched, const Terms& terms) {
  const auto is_scaled = [](const Kernel* kernel) {
    return kernel->program_sub_group != 0 && kernel->program_sub_group != kernel->sub_group;
  };
  const auto first = std::find_if(launched.begin(), launched.end(), is_scaled);
  if (first == launched.end()) return std::nullopt;
  const Kernel& kernel = **first;
  const std::string written = fmt::format("The program of {} was written for {}s of {} work-items",
                                          printable(kernel.name), terms.thread, kernel.program_sub_group);
  if (!can_scale_lanes(kernel))
    return fmt::format(
        "{}. Steps with `only` or `tiles` are not scaled to {} work-items, so the kernel's total work changes.",
        written, kernel.sub_group);
  return fmt::format(
      "{}. With {} work-items, a {} does {} times as much, and the kernel's total work stays the same.", written,
      kernel.sub_group, terms.thread,
      to_fixed({kernel.sub_group, kernel.program_sub_group}, kernel.sub_group % kernel.program_sub_group == 0 ? 0 : 3));
}

/// Adds the notes on what times mean, and on what the model of the device does not know of them.
void add_notes_on_times(const DeviceSpec& device, const LaunchedKernels& launched, std::vector<std::string>& notes) {
  if (const auto unknown = kernels_where(launched, [](const Kernel& kernel) { return kernel.has_placeholder; }))
    notes.push_back(fmt::format(
        "The program{} is a placeholder. Occupancy shows what the device can hold; times have no meaning.", *unknown));
  if (device.memory && kernels_where(launched, needs_latency))
    if (std::string note = latency_note(device); !note.empty()) notes.push_back(std::move(note));
  if (!device.atomics.global_total && kernels_where(launched, has_atomics))
    notes.push_back(fmt::format(
        "The model of {} has no total rate of atomic accesses (`atomics.global_total`). Only the rate of one address "
        "limits atomics, so atomics to many addresses may be too fast here.",
        printable(device.id)));
  if (const auto repeated = kernels_where(launched, repeats_barriers); repeated && is_free(device.barrier_cost))
    notes.push_back(fmt::format(
        "The model of {} has no `barrier_cost`: a barrier itself takes no time here, so loops{} that repeat one may be "
        "too fast.",
        printable(device.id), *repeated));
  if (const auto floats = kernels_where(launched, has_float_atomics); floats && !device.atomics.global_float)
    notes.push_back(
        fmt::format("The model of {} has no rate of floating-point atomics (`atomics.global_float`). Those{} take as "
                    "long as atomics of integers; on an RTX 3060, they take 3.2 times as long.",
                    printable(device.id), *floats));
  if (const auto declared = kernels_where(launched, has_declared_durations))
    notes.push_back(fmt::format(
        "The scenario declares the durations of compute steps{}: the run predicts the shape of occupancy, not wall "
        "time{}.",
        *declared,
        kernels_where(launched, has_computed_durations) ? "; the times of other steps follow from the device model"
                                                        : ""));
}

/// Adds the notes on what was written for another device.
void add_notes_on_origin(const DeviceSpec& device, const Workload& workload, const LaunchedKernels& launched,
                         std::vector<std::string>& notes) {
  if (workload.written_for.empty()) return;
  const auto uses_registers = [](const Kernel& kernel) { return kernel.needs.registers > 0; };
  // The kernels of collectives have `registers`, too.
  if (device.grf_per_context && kernels_where(launched_kernels(workload), uses_registers))
    notes.push_back(fmt::format(
        "On {}, `registers` counts GRFs per thread, as its compiler prints them; the scenario was written for {}.",
        printable(device.id), printable(workload.written_for)));
  if (kernels_where(launched, has_declared_durations))
    notes.push_back(fmt::format("Declared durations were written for {} and are not rescaled for {}.",
                                printable(workload.written_for), printable(device.id)));
}

/// Adds the notes on what accesses leave out.
void add_notes_on_accesses(const DeviceSpec& device, const Workload& workload, const LaunchedKernels& launched,
                           std::vector<std::string>& notes) {
  const auto names_sectors = [](const Kernel& kernel) { return names_written_sectors(kernel.program); };
  if (const auto writers = kernels_where(launched, names_sectors); writers && !counts_written_sectors(device))
    notes.push_back(
        fmt::format("The model of {} lacks `written_sector` or a bandwidth of L2, so `written`{} changes nothing.",
                    printable(device.id), *writers));
  const auto has_compiled_accesses = [](const Kernel& kernel) { return has_l1_accesses(kernel.program); };
  if (const auto compiled = kernels_where(launched, has_compiled_accesses); compiled && !workload.written_for.empty())
    notes.push_back(fmt::format(
        "The L1 accesses and the cache reuse{0} were counted for {1}, not for {2}. Import the kernel again for {2}.",
        *compiled, printable(workload.written_for), printable(device.id)));
}

/// Adds the notes on what is not known of instructions.
void add_notes_on_instructions(const DeviceSpec& device, const LaunchedKernels& launched,
                               std::vector<std::string>& notes) {
  const auto depends = [](const Kernel& kernel) { return kernel.dependence && has_step<IssueSlots>(kernel.program); };
  const bool has_latency = std::any_of(device.arithmetic.begin(), device.arithmetic.end(),
                                       [](const ArithmeticRate& rate) { return rate.latency.has_value(); });
  if (const auto chains = kernels_where(launched, depends); chains && !has_latency)
    notes.push_back(fmt::format("The model of {} lacks `instruction_latency`, so `dependence`{} changes nothing.",
                                printable(device.id), *chains));
  if (const auto issue = kernels_where(launched, has_issue_without_kinds))
    notes.push_back(
        fmt::format("`issue` steps{} do not say what kinds of instructions they hold. Each instruction takes one issue "
                    "slot, and no arithmetic peak limits the run.",
                    *issue));
}

}  // namespace

bool has_declared_durations(const Kernel& kernel) {
  const auto& factors = kernel.variation.factors;
  if (kernel.has_placeholder) return false;
  return has_step<Compute>(kernel.program) ||
         std::any_of(factors.begin(), factors.end(),
                     [](const WorkGroupFactor& own) { return own.duration.has_value(); });
}

bool has_computed_durations(const Kernel& kernel) {
  return moves_bytes(kernel) || has_step<IssueSlots>(kernel.program) || has_step<Slm>(kernel.program) ||
         has_step<Atomic>(kernel.program);
}

bool is_without_duration(const Workload& workload) {
  const LaunchedKernels launched = launched_kernels(workload);
  return std::any_of(launched.begin(), launched.end(), [](const Kernel* kernel) { return kernel->has_placeholder; });
}

std::vector<std::string> notes_of(const DeviceSpec& device, const Workload& workload) {
  std::vector<std::string> notes;
  const LaunchedKernels launched = own_launched_kernels(workload);
  add_notes_on_times(device, launched, notes);
  add_notes_on_origin(device, workload, launched, notes);
  add_notes_on_accesses(device, workload, launched, notes);
  add_notes_on_instructions(device, launched, notes);
  if (auto sizes = sizes_note(launched, device.terms)) notes.push_back(std::move(*sizes));
  if (auto written = program_sub_group_note(launched, device.terms)) notes.push_back(std::move(*written));
  if (auto lanes = empty_lanes_note(launched, device.terms)) notes.push_back(std::move(*lanes));
  return notes;
}

std::vector<std::string> notes_of(const RunReport& report) {
  std::vector<std::string> notes = notes_of(report.device, report.workload);
  if (!kernels_of_collectives(report.workload).empty())
    notes.emplace_back(
        "In tables, `stalled_at_barrier` includes the time that collectives wait for other devices and links.");
  if (auto note = interval_note(report.device, report.dispatch, report.workload, report.record))
    notes.push_back(std::move(*note));
  for (std::string& note : notes_on_clocks(report.device, report.record)) notes.push_back(std::move(note));
  for (const auto& note_on : {slm_pool_note, pending_launches_note})
    if (auto note = note_on(report.device, report.workload, report.record)) notes.push_back(std::move(*note));
  for (std::string& note : preemption_notes(report.record)) notes.push_back(std::move(note));
  for (std::string& note : tensor_notes(report)) notes.push_back(std::move(note));
  notes.insert(notes.end(), report.notes.begin(), report.notes.end());
  return notes;
}

}  // namespace gdsim
