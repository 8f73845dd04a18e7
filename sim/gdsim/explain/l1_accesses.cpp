#include <gdsim/explain/l1_accesses.hpp>

#include <gdsim/explain/program_change.hpp>
#include <gdsim/program/instruction_cycles.hpp>
#include <gdsim/program/l1_cycles.hpp>
#include <gdsim/program/program_plan.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace gdsim {
namespace {

/// Picoseconds, under the first clock; what cannot be counted is as long as can be.
std::int64_t length_of(const StepTime& time, const DeviceSpec& device) {
  constexpr Duration longest{std::int64_t{1} << 62};
  return resolve(time, clock_of(device), Decimal::whole(1)).value_or(longest).count;
}

StepTime picoseconds(std::int64_t count) {
  return {Decimal::whole(static_cast<std::uint64_t>(count)), StepTime::Unit::picoseconds};
}

std::int64_t length_of_slots(const IssueSlots& issue, const Kernel& kernel, const DeviceSpec& device) {
  return length_of(issue.by_kind.empty() ? issue.slots : cycles_of(issue.by_kind, device.arithmetic, kernel.sub_group),
                   device);
}

/// All threads do one thing after the other.
Step one_by_one(const Kernel& kernel, Step first, Step second) {
  const auto threads = static_cast<std::uint32_t>(kernel.threads_per_work_group());
  return Only{{{0, threads - 1}}, {std::move(first), std::move(second)}};
}

/// The step as it is if others take nothing of the pipe from its thread.
Step with_own_pipe(const IssueSlots& issue, const Kernel& kernel, const DeviceSpec& device) {
  const std::int64_t longer =
      length_of(l1_cycles_of(issue.l1, *device.l1), device) - length_of_slots(issue, kernel, device);
  const StepTime& latency = device.l1->latency;
  IssueSlots alone = issue;
  alone.l1.clear();
  const std::int64_t rest =
      std::max<std::int64_t>(longer, 0) + (latency.amount.is_zero() ? 0 : length_of(latency, device));
  return rest == 0 ? Step(std::move(alone)) : one_by_one(kernel, std::move(alone), Compute{picoseconds(rest)});
}

}  // namespace

bool has_l1_accesses(const Scenario& scenario) {
  const auto& kernels = scenario.workload.kernels;
  return std::any_of(kernels.begin(), kernels.end(),
                     [](const Kernel& kernel) { return has_l1_accesses(kernel.program); });
}

Step with_own_issue_slots(const IssueSlots& issue, const Kernel& kernel, const DeviceSpec& device) {
  const std::int64_t longer =
      length_of_slots(issue, kernel, device) - length_of(l1_cycles_of(issue.l1, *device.l1), device);
  IssueSlots pipe{picoseconds(1), {}, issue.l1};
  return longer <= 0 ? Step(std::move(pipe)) : one_by_one(kernel, Compute{picoseconds(longer)}, std::move(pipe));
}

bool give_own_pipes(Scenario& changed) {
  bool is_changed = false;
  for (Kernel& kernel : changed.workload.kernels)
    is_changed |= change_programs(kernel, [&](Step& step) {
      const auto* issue = std::get_if<IssueSlots>(&step);
      if (issue == nullptr || issue->l1.empty()) return StepChange::none;
      step = with_own_pipe(IssueSlots(*issue), kernel, changed.device);
      return StepChange::changed;
    });
  return is_changed;
}

std::vector<ScatteredAccess> scattered_accesses(const Scenario& scenario, std::size_t max) {
  std::vector<ScatteredAccess> all;
  for (std::size_t k = 0; k < scenario.workload.kernels.size(); ++k) {
    std::map<std::pair<std::uint32_t, std::string>, ScatteredAccess> found;
    for_each_step(scenario.workload.kernels[k].program, [&](const Step& step) {
      const auto* issue = std::get_if<IssueSlots>(&step);
      for (std::size_t i = 0; issue != nullptr && i < issue->l1.size(); ++i) {
        const L1Access& access = issue->l1[i];
        if (access.source_line == 0 || access.coalesced.value_or(access.lines) >= access.lines) continue;
        ScatteredAccess& one = found[{access.source_line, access.instruction}];
        one.kernel = static_cast<KernelId>(k);
        one.source_line = access.source_line;
        one.instruction = access.instruction;
        one.requests += access.requests;
        one.lines += access.lines;
        one.coalesced += *access.coalesced;
      }
    });
    std::vector<ScatteredAccess> worst;
    for (auto& [place, one] : found) worst.push_back(std::move(one));
    const auto falls = [](const ScatteredAccess& one) { return one.lines - one.coalesced; };
    std::stable_sort(worst.begin(), worst.end(),
                     [&](const ScatteredAccess& a, const ScatteredAccess& b) { return falls(a) > falls(b); });
    worst.resize(std::min(worst.size(), max));
    std::stable_sort(worst.begin(), worst.end(),
                     [](const ScatteredAccess& a, const ScatteredAccess& b) { return a.source_line < b.source_line; });
    all.insert(all.end(), worst.begin(), worst.end());
  }
  return all;
}

bool coalesce(Kernel& kernel, const ScatteredAccess& access) {
  return change_programs(kernel, [&](Step& step) {
    auto* issue = std::get_if<IssueSlots>(&step);
    StepChange done = StepChange::none;
    for (std::size_t i = 0; issue != nullptr && i < issue->l1.size(); ++i) {
      L1Access& one = issue->l1[i];
      if (one.source_line != access.source_line || one.instruction != access.instruction || !one.coalesced) continue;
      one.lines = *one.coalesced;
      done = StepChange::changed;
    }
    return done;
  });
}

}  // namespace gdsim
