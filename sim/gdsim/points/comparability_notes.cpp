#include <gdsim/points/comparability_notes.hpp>

#include <gdsim/base/printable.hpp>
#include <gdsim/workload/launched_kernels.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace gdsim {
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

/// Returns the work of the steps of one thread, in the order of writing.
std::vector<std::string> amounts_of(const Program& program) {
  std::vector<std::string> amounts;
  for_each_step(program, [&](const Step& step) {
    if (const auto* compute = std::get_if<Compute>(&step)) amounts.push_back(amount_of(compute->time));
    if (const auto* issue = std::get_if<IssueSlots>(&step)) {
      amounts.push_back(amount_of(issue->slots));
      for (const InstructionCount& one : issue->by_kind) amounts.push_back(one.kind + " " + std::to_string(one.count));
      for (const L1Access& one : issue->l1) amounts.push_back("l1 " + std::to_string(one.lines));
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
    const bool has_size = std::any_of(known.begin(), known.end(),
                                      [&](const PerThread& one) { return one.sub_group == kernel->sub_group; });
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
  for (const auto& [name, points] : of_kernel_) {
    const PerThread& first = points.front();  // clang 14 captures no structured binding
    const bool is_same_per_thread = std::any_of(points.begin() + 1, points.end(), [&first](const PerThread& one) {
      return !one.amounts.empty() && one.amounts == first.amounts && one.threads != first.threads;
    });
    if (is_same_per_thread)
      notes.push_back(fmt::format(
          "{}: amounts are per {} and do not depend on the sub-group size, so the kernel's total work differs between "
          "points. To keep it constant, vary a parameter: `sub_group: = lanes`, and amounts such as "
          "`memory: = lanes * 4 B`.",
          printable(name), thread_));
  }
  return notes;
}

}  // namespace gdsim
