#include <gdsim/explain/slm_conflicts.hpp>

#include <gdsim/device/device_rules.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace gdsim {
namespace {

Decimal cycles_of(const Slm& slm, const DeviceSpec& device, std::uint32_t sub_group) {
  return Decimal::whole(cycles_per_access(*device.slm_access, sub_group, slm.stride, slm.bytes));
}

Decimal cycles_of(const Atomic& atomic, const DeviceSpec& device, std::uint32_t sub_group) {
  return cycles_per_slm_atomic(*device.slm_access, *device.atomics.slm, sub_group, atomic.addresses).amount;
}

const Atomic* slm_atomic(const Step& step) {
  const auto* atomic = std::get_if<Atomic>(&step);
  return atomic != nullptr && atomic->space == AtomicSpace::slm ? atomic : nullptr;
}

/// Replaces the step, which equals `before`, by `after` if that takes fewer cycles.
template <class Kind>
StepChange replace_if_faster(Step& step, const Kind& before, const Kind& after, const DeviceSpec& device,
                             std::uint32_t sub_group) {
  if (compare(cycles_of(before, device, sub_group), cycles_of(after, device, sub_group)) <= 0) return StepChange::none;
  static_cast<Step::variant&>(step) = Kind(after);
  return StepChange::changed;
}

}  // namespace

bool is_slm_access(const Step& step) { return std::holds_alternative<Slm>(step) || slm_atomic(step) != nullptr; }

StepChange without_slm_conflicts(Step& step, const DeviceSpec& device, std::uint32_t sub_group) {
  if (const auto* slm = std::get_if<Slm>(&step)) {
    Slm neighbours = *slm;
    neighbours.stride = 1;
    return replace_if_faster(step, *slm, neighbours, device, sub_group);
  }
  if (const Atomic* atomic = slm_atomic(step)) {
    Atomic spread = *atomic;
    spread.addresses = std::max<std::uint64_t>(spread.addresses, sub_group);
    return replace_if_faster(step, *atomic, spread, device, sub_group);
  }
  return StepChange::none;
}

std::string worst_slm_conflict(const Scenario& scenario) {
  Decimal worst;
  std::string text;
  const auto compare_with_worst = [&](const Decimal& cycles, const std::string& what, const char* access) {
    if (compare(cycles, worst) <= 0) return;
    worst = cycles;
    text = fmt::format("with {}, {} takes {} cycles", what, access, to_text(cycles));
  };
  for (const Kernel& kernel : scenario.workload.kernels)
    for_each_step(kernel.program, [&](const Step& step) {
      if (const auto* slm = std::get_if<Slm>(&step))
        compare_with_worst(cycles_of(*slm, scenario.device, kernel.sub_group),
                           fmt::format("a stride of {}", slm->stride), "an access");
      if (const Atomic* atomic = slm_atomic(step))
        compare_with_worst(cycles_of(*atomic, scenario.device, kernel.sub_group),
                           fmt::format("{} address{}", atomic->addresses, atomic->addresses == 1 ? "" : "es"),
                           "an atomic access");
    });
  return text;
}

}  // namespace gdsim
