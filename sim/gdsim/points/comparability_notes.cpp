#include <gdsim/points/comparability_notes.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/device/device_rules.hpp>
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

/// Returns what one thread does for all of its work-items together, in the order of writing: the amounts that
/// scale_lanes() multiplies.
std::vector<std::string> amounts_of(const Program& program) {
  std::vector<std::string> amounts;
  for_each_step(program, [&](const Step& step) {
    if (const auto* compute = std::get_if<Compute>(&step)) amounts.push_back(amount_of(compute->time));
    if (const auto* issue = std::get_if<IssueSlots>(&step)) {
      if (issue->by_kind.empty()) amounts.push_back(amount_of(issue->slots));
      for (const InstructionCount& one : issue->by_kind)
        if (is_tensor_kind(one.kind)) amounts.push_back(one.kind + " " + std::to_string(one.count));
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
  return std::any_of(points.begin() + 1, points.end(), [&](const PerThread& one) {
    return !one.amounts.empty() && one.amounts == first.amounts && one.threads != first.threads;
  });
}

}  // namespace gdsim
