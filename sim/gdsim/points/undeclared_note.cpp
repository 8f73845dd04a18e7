#include <gdsim/points/undeclared_note.hpp>

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/points/run_point.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace gdsim {
namespace {

constexpr std::uint64_t kMostWorkGroups = 200'000;
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
      "{} says nothing of its {}, and so takes none: from its readiness to its end, {} lasts {}, and the run {}. With "
      "the least that a {} can take, these are {} and {}: state `{}`.",
      printable(kernel.name), is_registers ? "registers" : terms.slm, printable(delayed.name),
      to_rounded_text(time_of(record.launches[launch])), to_rounded_text(record.duration()),
      is_registers ? terms.thread : terms.work_group, to_rounded_text(time_of(other.launches[launch])),
      to_rounded_text(other.duration()), is_registers ? "registers" : "slm");
}

}  // namespace

std::vector<std::string> undeclared_notes(const Scenario& scenario, const RunRecord& record,
                                          const RunOptions& options) {
  if (record.outcome != Outcome::completed || record.work_groups_total > kMostWorkGroups) return {};
  if (!scenario.devices.empty() || !one_is_beside_others(scenario, record)) return {};
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

}  // namespace gdsim
