#include <gdsim/model/steps/flags.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace gdsim {

Flags::Flags(const Workload& workload, const ProgramPlans& plans) : workload_(workload) {
  const auto all = plans.all();
  if (std::all_of(all.begin(), all.end(), [](const ProgramPlan& plan) { return plan.flags().empty(); })) return;
  plans_.resize(all.size());
  kernels_.resize(workload.kernels.size());
  launches_.resize(workload.launches.size());
  for (std::size_t k = 0; k < workload.kernels.size(); ++k) {
    const auto kernel = static_cast<KernelId>(k);
    std::map<FlagName, std::uint32_t> numbers;
    for (const ProgramPlan& plan : plans.all(kernel)) {
      OfPlan& of_plan = plans_[plans.number(plan)];
      of_plan.first = plan.first_flag();
      for (const FlagName& name : plan.flags())
        of_plan.numbers.push_back(numbers.try_emplace(name, static_cast<std::uint32_t>(numbers.size())).first->second);
    }
    kernels_[k].resize(numbers.size(), 0);
    if (numbers.empty()) continue;
    for (std::uint64_t group = 0; group < workload.kernels[k].range.group_count(); ++group) {
      const ProgramPlan& plan = plans.of(kernel, WorkGroupId{group});
      const auto threads = static_cast<std::uint32_t>(workload.kernels[k].threads_of(WorkGroupId{group}));
      const OfPlan& of_plan = plans_[plans.number(plan)];
      for (std::uint32_t i = 0; i < of_plan.numbers.size(); ++i)
        if (plan.participants(of_plan.first + i, threads) > 0) ++kernels_[k][of_plan.numbers[i]];
    }
  }
}

std::uint64_t Flags::complete(FlagOfLaunch flag) const {
  if (signalling_groups(flag) == 0) return std::numeric_limits<std::uint64_t>::max();
  const std::vector<Flag>& flags = launches_[index_of(flag.launch)];
  return flags.empty() ? 0 : flags[flag.number].arrivals.complete;
}

Flags::Flag& Flags::flag_at(FlagOfLaunch flag) {
  std::vector<Flag>& flags = launches_[index_of(flag.launch)];
  if (flags.empty()) {
    const auto& groups = kernels_[index_of(workload_.launches[index_of(flag.launch)].as_kernel().kernel)];
    flags.resize(groups.size());
    for (std::size_t i = 0; i < groups.size(); ++i) flags[i].arrivals.participants = groups[i];
  }
  return flags[flag.number];
}

std::vector<FlagWait> Flags::arrive(FlagOfLaunch flag, std::uint64_t before, std::uint64_t phases) {
  Flag& at = flag_at(flag);
  bool is_complete = false;
  for (std::uint64_t phase = before + 1; phase <= before + phases; ++phase)
    is_complete |= at.arrivals.arrive(phase, 1) > 0;
  return is_complete ? std::exchange(at.waiting, {}) : std::vector<FlagWait>{};
}

void Flags::wait(FlagOfLaunch flag, FlagWait wait) {
  std::vector<FlagWait>& waiting = flag_at(flag).waiting;
  if (std::find(waiting.begin(), waiting.end(), wait) == waiting.end()) waiting.push_back(wait);
}

}  // namespace gdsim
