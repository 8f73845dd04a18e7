#include <gdsim/points/requests_note.hpp>

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/points/run_point.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace gdsim {
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
  bool found = false;
  for_each_step(kernel.program, [&](const Step& step) {
    const auto* memory = std::get_if<Memory>(&step);
    const bool is_waited_for = memory != nullptr && !memory->is_asynchronous && !is_store(*memory);
    found = found || (limit && is_waited_for && memory->bytes > *limit);
  });
  return found && !kernel.has_placeholder;
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

}  // namespace

std::vector<std::string> requests_notes(const Scenario& scenario, const RunRecord& record, const RunOptions& options) {
  if (record.outcome != Outcome::completed || record.work_groups_total > kMaxRepeatedWorkGroups) return {};
  const Kernel* kernel = first_in_parts(scenario);
  if (!scenario.devices.empty() || kernel == nullptr) return {};
  RunOptions again;
  again.stop = options.stop;
  const RunRecord other = run_for_study(with_whole_steps(scenario), again, KeepAccounts::no).record;
  const Duration saved = record.duration() - other.duration();
  if (other.outcome != Outcome::completed || Int128{saved.count} * kReportedPartsOfRun < record.duration().count)
    return {};
  return {note_on(*kernel, scenario, record.duration(), other.duration())};
}

}  // namespace gdsim
