#include <gdsim/counterfactual/program_change.hpp>

#include <gdsim/device/device_rules.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

namespace gdsim {
namespace {

bool change_steps(Program& steps, const std::function<StepChange(Step&)>& change);

Step one_picosecond() { return Compute{{Decimal::whole(1), StepTime::Unit::picoseconds}}; }

bool takes_time(const Program& body) {
  return has_step<Compute>(body) || has_step<IssueSlots>(body) || has_step<Memory>(body) || has_step<Slm>(body) ||
         has_step<Atomic>(body);
}

/// Keeps the same steps in all bodies. A tile without work left is still taken: it then takes 1 ps.
bool change_bodies(Tiles& tiles, const std::function<StepChange(Step&)>& change) {
  bool is_changed = false;
  for (std::size_t i = 0; i < tiles.body_count(); ++i) is_changed |= change_steps(tiles.body_of(i), change);
  if (is_changed && !takes_time(tiles.body))
    for (std::size_t i = 0; i < tiles.body_count(); ++i) tiles.body_of(i).push_back(one_picosecond());
  return is_changed;
}

bool change_steps(Program& steps, const std::function<StepChange(Step&)>& change) {
  bool is_changed = false;
  Program kept;
  for (Step& step : steps) {
    auto* loop = std::get_if<Loop>(&step);
    auto* only = std::get_if<Only>(&step);
    if (auto* tiles = std::get_if<Tiles>(&step)) {
      is_changed = change_bodies(*tiles, change) || is_changed;
      kept.push_back(std::move(step));
      continue;
    }
    Program* body = loop != nullptr ? &loop->body : only != nullptr ? &only->body : nullptr;
    const StepChange done = body == nullptr                ? change(step)
                            : !change_steps(*body, change) ? StepChange::none
                            : body->empty()                ? StepChange::removed
                                                           : StepChange::changed;
    is_changed = is_changed || done != StepChange::none;
    if (done != StepChange::removed) kept.push_back(std::move(step));
  }
  steps = std::move(kept);
  return is_changed;
}

}  // namespace

bool change_program(Program& program, const std::function<StepChange(Step&)>& change) {
  const bool is_changed = change_steps(program, change);
  if (program.empty()) program.push_back(one_picosecond());
  return is_changed;
}

bool change_programs(Kernel& kernel, const std::function<StepChange(Step&)>& change) {
  bool is_changed = false;
  for (std::size_t i = 0; i < kernel.program_count(); ++i) is_changed |= change_program(kernel.program_of(i), change);
  return is_changed;
}

bool change_programs(Scenario& scenario, const std::function<StepChange(Step&)>& change) {
  bool is_changed = false;
  for (Kernel& kernel : scenario.workload.kernels) is_changed |= change_programs(kernel, change);
  return is_changed;
}

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
