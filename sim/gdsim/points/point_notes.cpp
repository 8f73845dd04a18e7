#include <gdsim/points/point_notes.hpp>

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/device/device_rules.hpp>
#include <gdsim/points/run_point.hpp>
#include <gdsim/workload/launched_kernels.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace gdsim {

std::vector<std::string> notes_on_buffers(const Scenario& scenario) {
  std::vector<std::string> notes;
  const std::vector<std::string>& buffers = devices_of(scenario).front().workload.buffers;
  const std::string& first = devices_of(scenario).front().device_name;
  const std::set<std::string> known(buffers.begin(), buffers.end());
  for (const std::string& buffer : buffers) {
    const std::string own = buffer + "." + first;
    if (known.contains(own))
      notes.push_back(
          fmt::format("Launches with `device: each` have a buffer {0} of each device's own, which is not the {0} of "
                      "other launches: "
                      "these name it {1}.",
                      printable(buffer), printable(own)));
  }
  return notes;
}

namespace {

constexpr std::uint64_t kMaxRepeatedWorkGroups = 200'000;
/// The minimum part of the duration that is reported: a twentieth.
constexpr int kReportedPartsOfRun = 20;

std::optional<Bytes> in_flight_of(const Kernel& kernel, const DeviceSpec& device) {
  if (kernel.in_flight) return kernel.in_flight;
  return device.memory ? device.memory->in_flight : std::nullopt;
}

/// Returns true if a thread of the kernel waits for a part of a step before it requests the next.
bool requests_in_parts(const Kernel& kernel, const DeviceSpec& device) {
  const auto limit = in_flight_of(kernel, device);
  return limit && !kernel.has_placeholder && has_step_where<Memory>(kernel.program, [&](const Memory& memory) {
           return !memory.is_asynchronous && !is_store(memory) && memory.bytes > *limit;
         });
}

/// Returns the first launched kernel that does; null: none does.
const Kernel* first_in_parts(const Scenario& scenario) {
  for (const Launch& launch : scenario.workload.launches)
    if (launch.is_kernel() && requests_in_parts(scenario.workload.kernel_of(launch), scenario.device))
      return &scenario.workload.kernel_of(launch);
  return nullptr;
}

Scenario with_whole_steps(Scenario scenario) {
  for (Kernel& kernel : scenario.workload.kernels) kernel.in_flight.reset();
  if (scenario.device.memory) scenario.device.memory->in_flight.reset();
  return scenario;
}

std::string note_on(const Kernel& kernel, const Scenario& scenario, Duration duration, Duration other) {
  return fmt::format(
      "A {} of {} requests {} at a time and waits for them, as `in_flight` of the {} says. If it requested all bytes "
      "of a "
      "step together, the run would take {} instead of {}.",
      scenario.device.terms.thread, printable(kernel.name), to_text(*in_flight_of(kernel, scenario.device)),
      kernel.in_flight ? "kernel" : "device", to_rounded_text(other), to_rounded_text(duration));
}

/// Returns a note if `in_flight`, of a kernel or of the device, decides how long the run takes: then the run is
/// repeated with all loads of a step requested together, and the note has both answers. Empty if that takes less than 5
/// % off, if no step moves more bytes than `in_flight`, or if the run has more than 200,000 work-groups.
std::vector<std::string> requests_notes(const Scenario& scenario, const RunRecord& record, const RunOptions& options) {
  if (record.outcome != Outcome::completed || record.work_groups_total > kMaxRepeatedWorkGroups) return {};
  const Kernel* kernel = first_in_parts(scenario);
  if (kernel == nullptr || !has_durations(scenario)) return {};
  RunOptions again;
  again.stop = options.stop;
  const RunRecord other = run_for_study(with_whole_steps(scenario), again, KeepAccounts::no).record;
  const Duration saved = record.duration() - other.duration();
  if (other.outcome != Outcome::completed || Int128{saved.count} * kReportedPartsOfRun < record.duration().count)
    return {};
  return {note_on(*kernel, scenario, record.duration(), other.duration())};
}

/// The minimum part of a difference that is reported: a fiftieth.
constexpr int kReportedParts = 50;

bool lacks_registers(const Kernel& kernel, const DeviceSpec& device) {
  return device.registers && kernel.needs.registers == 0 && kernel.needs.accumulation_registers == 0;
}

bool lacks_slm(const Kernel& kernel) {
  bool accesses_slm = has_step<Slm>(kernel.program);
  for_each_step(kernel.program, [&](const Step& step) {
    const auto* atomic = std::get_if<Atomic>(&step);
    accesses_slm = accesses_slm || (atomic != nullptr && atomic->space == AtomicSpace::slm);
  });
  return accesses_slm && kernel.needs.slm.total.count == 0;
}

bool lacks_any(const Kernel& kernel, const DeviceSpec& device) {
  return !kernel.has_placeholder && (lacks_registers(kernel, device) || lacks_slm(kernel));
}

/// Returns true if the launches were placed at the same time.
bool are_side_by_side(const LaunchRecord& a, const LaunchRecord& b) {
  if (!a.first_dispatched || !a.ended || !b.first_dispatched || !b.ended) return false;
  return *a.first_dispatched < *b.ended && *b.first_dispatched < *a.ended;
}

/// Returns true if a launch of a kernel that lacks something ran beside one of a kernel that does not.
bool one_is_beside_others(const Scenario& scenario, const RunRecord& record) {
  const auto& launches = scenario.workload.launches;
  std::vector<std::size_t> lacking;
  std::vector<std::size_t> complete;
  for (std::size_t i = 0; i < launches.size() && i < record.launches.size(); ++i) {
    if (!launches[i].is_kernel()) continue;
    (lacks_any(scenario.workload.kernel_of(launches[i]), scenario.device) ? lacking : complete).push_back(i);
  }
  return std::any_of(lacking.begin(), lacking.end(), [&](std::size_t a) {
    return std::any_of(complete.begin(), complete.end(),
                       [&](std::size_t b) { return are_side_by_side(record.launches[a], record.launches[b]); });
  });
}

/// Returns the scenario in which such kernels take the least: a register of a work-item and a byte of SLM, which the
/// device rounds up as it allocates them.
Scenario with_least(Scenario scenario) {
  for (Kernel& kernel : scenario.workload.kernels) {
    if (kernel.has_placeholder) continue;
    const bool needs_slm = lacks_slm(kernel);
    if (lacks_registers(kernel, scenario.device)) kernel.needs.registers = 1;
    if (needs_slm) kernel.needs.slm.total = Bytes{1};
  }
  return scenario;
}

Duration time_of(const LaunchRecord& launch) { return *launch.ended - *launch.ready; }

/// Returns the launch of such a kernel that takes the most time more in the other run, if that is enough.
std::optional<std::size_t> most_delayed(const Scenario& scenario, const RunRecord& record, const RunRecord& other) {
  std::optional<std::size_t> most;
  const auto delay_of = [&](std::size_t i) { return time_of(other.launches[i]) - time_of(record.launches[i]); };
  for (std::size_t i = 0; i < scenario.workload.launches.size() && i < record.launches.size(); ++i) {
    const Launch& launch = scenario.workload.launches[i];
    if (!launch.is_kernel() || !lacks_any(scenario.workload.kernel_of(launch), scenario.device)) continue;
    if (Int128{delay_of(i).count} * kReportedParts < time_of(record.launches[i]).count || delay_of(i).count <= 0)
      continue;
    if (!most || delay_of(i) > delay_of(*most)) most = i;
  }
  return most;
}

std::string note_on(const Scenario& scenario, std::size_t launch, const RunRecord& record, const RunRecord& other) {
  const Launch& delayed = scenario.workload.launches[launch];
  const Kernel& kernel = scenario.workload.kernel_of(delayed);
  const Terms& terms = scenario.device.terms;
  const bool is_registers = lacks_registers(kernel, scenario.device);
  return fmt::format(
      "{} does not state its {}, so gdsim counts none. From ready to end, {} takes {}, and the run takes {}. With the "
      "smallest amount that a {} can hold, the times are {} and {}. State `{}`.",
      printable(kernel.name), is_registers ? "registers" : terms.slm, printable(delayed.name),
      to_rounded_text(time_of(record.launches[launch])), to_rounded_text(record.duration()),
      is_registers ? terms.thread : terms.work_group, to_rounded_text(time_of(other.launches[launch])),
      to_rounded_text(other.duration()), is_registers ? "registers" : "slm");
}

/// Returns a note if kernels say nothing of a resource that they need, and that decides how long their launches take
/// beside others: no `registers` on a device that allocates them, or no `slm` although their steps access it. Then the
/// run is repeated with the least that they can take; the note has both answers. Empty if no launch takes 2 % more
/// time, or if the run has more than 200,000 work-groups.
std::vector<std::string> undeclared_notes(const Scenario& scenario, const RunRecord& record,
                                          const RunOptions& options) {
  if (record.outcome != Outcome::completed || record.work_groups_total > kMaxRepeatedWorkGroups) return {};
  if (!one_is_beside_others(scenario, record)) return {};
  RunOptions again;
  again.stop = options.stop;
  try {
    const RunRecord other = run_for_study(with_least(scenario), again, KeepAccounts::no).record;
    if (other.outcome != Outcome::completed) return {};
    const auto launch = most_delayed(scenario, record, other);
    return launch ? std::vector<std::string>{note_on(scenario, *launch, record, other)} : std::vector<std::string>{};
  } catch (const InputError&) {
    return {};
  }
}

}  // namespace

std::vector<std::string> further_notes(const Scenario& scenario, const RunResult& run, const RunOptions& options) {
  std::vector<std::string> notes = placement_notes(scenario, run.record, options);
  const auto append = [&](std::vector<std::string> more) {
    std::move(more.begin(), more.end(), std::back_inserter(notes));
  };
  append(undeclared_notes(scenario, run.record, options));
  append(product_notes(scenario, run, options));
  append(requests_notes(scenario, run.record, options));
  return notes;
}

namespace {

/// A cost that a model may have; without it, the model's time for it is 0.
struct Cost {
  std::string_view words;
  bool (*has)(const DeviceSpec& device);
};

constexpr std::array<Cost, 3> kCosts{
    {{"a launch cost", [](const DeviceSpec& device) { return device.launch_cost.has_value(); }},
     {"a dispatch interval", [](const DeviceSpec& device) { return device.dispatch.interval.has_value(); }},
     {"a recovery", [](const DeviceSpec& device) { return device.dispatch.recovery.has_value(); }}}};

std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 < names.size() ? ", " : " and ") + names[i];
  return text;
}

std::string amount_of(const StepTime& time) {
  return to_text(time.amount) + (time.unit == StepTime::Unit::cycles ? " cycles" : " ps");
}

/// Returns what one thread does for all of its work-items together, in the order of writing: the amounts that
/// scale_lanes() multiplies.
std::vector<std::string> amounts_of(const Program& program) {
  std::vector<std::string> amounts;
  for_each_step(program, [&](const Step& step) {
    if (const auto* compute = std::get_if<Compute>(&step)) amounts.push_back(amount_of(compute->time));
    if (const auto* issue = std::get_if<IssueSlots>(&step)) {
      if (issue->by_kind.empty()) amounts.push_back(amount_of(issue->slots));
      for (const InstructionCount& instruction_count : issue->by_kind)
        if (is_tensor_kind(instruction_count.kind))
          amounts.push_back(instruction_count.kind + " " + std::to_string(instruction_count.count));
      for (const L1Access& access : issue->l1) amounts.push_back("l1 " + std::to_string(access.lines));
    }
    if (const auto* memory = std::get_if<Memory>(&step)) {
      if (!memory->counts_lines) amounts.push_back(std::to_string(memory->bytes.count));
    }
  });
  return amounts;
}

}  // namespace

void ComparabilityNotes::add(const Scenario& point) {
  const DeviceSpec& device = point.device;
  thread_ = device.terms.thread;
  const bool is_known =
      std::any_of(devices_.begin(), devices_.end(), [&](const DeviceCosts& one) { return one.id == device.id; });
  if (!is_known) {
    devices_.push_back({device.id, {}});
    for (const Cost& cost : kCosts) devices_.back().has.push_back(cost.has(device));
  }
  for (const Kernel* kernel : launched_kernels(point.workload)) {
    std::vector<PerThread>& known = of_kernel_[kernel->name];
    const bool has_size = std::any_of(known.begin(), known.end(), [&](const PerThread& per_thread) {
      return per_thread.sub_group == kernel->sub_group;
    });
    if (!has_size) known.push_back({kernel->sub_group, kernel->threads_total(), amounts_of(kernel->program)});
  }
}

std::vector<std::string> ComparabilityNotes::notes() const {
  std::vector<std::string> notes;
  std::map<std::vector<bool>, std::vector<std::string>> costs_of;  // by the devices that have them
  for (std::size_t cost = 0; cost < kCosts.size(); ++cost) {
    std::vector<bool> has;
    for (const DeviceCosts& device : devices_) has.push_back(device.has[cost]);
    costs_of[has].emplace_back(kCosts[cost].words);
  }
  for (const auto& [has, costs] : costs_of) {
    std::vector<std::string> with;
    std::vector<std::string> without;
    for (std::size_t i = 0; i < devices_.size(); ++i) (has[i] ? with : without).push_back(printable(devices_[i].id));
    if (with.empty() || without.empty()) continue;
    notes.push_back(fmt::format("Of these models, {} {} {}; {} {} none: short runs look shorter there.", list_of(with),
                                with.size() == 1 ? "has" : "have", list_of(costs), list_of(without),
                                without.size() == 1 ? "has" : "have"));
  }
  for (const auto& [name, points] : of_kernel_)
    if (is_same_per_thread(points))
      notes.push_back(fmt::format(
          "Durations are not ranked, because {1} does more work at some points: a {0} has more work-items there, or "
          "fewer, but its steps stay the same. Write the steps per work-item, as in `sub_group: = lanes` and "
          "`memory: = lanes * 4 B`.",
          thread_, printable(name)));
  return notes;
}

bool ComparabilityNotes::is_work_equal() const {
  return std::none_of(of_kernel_.begin(), of_kernel_.end(),
                      [](const auto& entry) { return is_same_per_thread(entry.second); });
}

bool ComparabilityNotes::is_same_per_thread(const std::vector<PerThread>& points) {
  const PerThread& first = points.front();
  return std::any_of(points.begin() + 1, points.end(), [&](const PerThread& per_thread) {
    return !per_thread.amounts.empty() && per_thread.amounts == first.amounts && per_thread.threads != first.threads;
  });
}

}  // namespace gdsim
