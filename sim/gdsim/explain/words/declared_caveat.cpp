#include <gdsim/explain/words/declared_caveat.hpp>

#include <gdsim/analysis/notes.hpp>
#include <gdsim/analysis/peer_waits.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/explain/words/devices_of.hpp>
#include <gdsim/occupancy/occupancy.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace gdsim {
namespace {

constexpr std::size_t kMaxKernelsNamed = 4;

/// 0 if the device refuses the kernel.
std::uint64_t threads_per_core(const Kernel& kernel, const DeviceSpec& device) {
  try {
    return occupancy_of(kernel, device).threads_per_core;
  } catch (const InputError&) {
    return 0;
  }
}

/// The kernels of one device of which more threads may be resident because of the change.
struct Gaining {
  std::vector<const Kernel*> fit_more;  ///< more of their threads fit on a core
  std::vector<const Kernel*> all;
};

Gaining gaining(const Scenario& device, const Scenario& changed) {
  Gaining found;
  found.all = own_launched_kernels(device.workload);
  for (const Kernel* kernel : found.all) {
    const auto number = static_cast<std::size_t>(kernel - device.workload.kernels.data());
    if (number < changed.workload.kernels.size() &&
        threads_per_core(changed.workload.kernels[number], changed.device) > threads_per_core(*kernel, device.device))
      found.fit_more.push_back(kernel);
  }
  return found;
}

/// The kernels that the caveat may be about, of all devices.
std::vector<const Kernel*> kernels_concerned(const Scenario& scenario, const Scenario& changed) {
  std::vector<const Kernel*> fit_more, all;
  const auto devices = devices_of(scenario);
  const auto devices_changed = devices_of(changed);
  for (std::size_t i = 0; i < devices.size() && i < devices_changed.size(); ++i) {
    const Gaining one = gaining(devices[i], devices_changed[i]);
    fit_more.insert(fit_more.end(), one.fit_more.begin(), one.fit_more.end());
    all.insert(all.end(), one.all.begin(), one.all.end());
  }
  return fit_more.empty() ? all : fit_more;
}

/// `a, b and 3 more`, each name once.
std::string names_of(const std::vector<const Kernel*>& kernels) {
  std::vector<std::string> names;
  for (const Kernel* kernel : kernels)
    if (std::find(names.begin(), names.end(), kernel->name) == names.end()) names.push_back(kernel->name);
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kMaxKernelsNamed; ++i)
    text += (i > 0 ? ", " : "") + printable(names[i]);
  if (names.size() > kMaxKernelsNamed) text += fmt::format(" and {} more", names.size() - kMaxKernelsNamed);
  return text;
}

}  // namespace

std::optional<std::string> declared_caveat(const Scenario& scenario, const RunRecord& record, const Scenario& changed,
                                           const RunRecord& changed_record, const Terms& terms) {
  if (changed_record.duration() >= record.duration() || changed_record.peak_resident <= record.peak_resident)
    return std::nullopt;
  const std::vector<const Kernel*> concerned = kernels_concerned(scenario, changed);
  std::vector<const Kernel*> declared = concerned;
  std::erase_if(declared, [](const Kernel* kernel) { return !has_declared_durations(*kernel); });
  if (declared.empty()) return std::nullopt;
  const std::string growth = "they do not grow with more " + terms.thread + "s resident at once.";
  const bool is_alone = std::none_of(concerned.begin(), concerned.end(),
                                     [](const Kernel* kernel) { return has_computed_durations(*kernel); });
  if (is_alone && declared.size() == concerned.size()) return "Only declared durations make that possible: " + growth;
  return "Durations of compute steps of " + names_of(declared) + " are declared: " + growth;
}

}  // namespace gdsim
