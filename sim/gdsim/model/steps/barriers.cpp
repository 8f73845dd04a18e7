#include <gdsim/model/steps/barriers.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace gdsim {
namespace {

using Runs = std::vector<BarrierState::Arrivals>;

/// Splits runs such that the phase that is `ahead` phases after the first has its own run, and returns that run.
Runs::iterator isolate(Runs& runs, std::uint64_t ahead) {
  auto run = runs.begin();
  while (run != runs.end() && ahead >= run->phases) ahead -= (run++)->phases;
  if (run == runs.end()) {
    if (ahead > 0) runs.push_back({ahead, 0});
    runs.push_back({1, 0});
    return runs.end() - 1;
  }
  if (ahead > 0) {
    run->phases -= ahead;
    run = runs.insert(run, {ahead, run->threads}) + 1;
  }
  if (run->phases > 1) {
    --run->phases;
    run = runs.insert(run, {1, run->threads});
  }
  return run;
}

/// Merges the run with neighbors of the same number of arrived threads.
void join_neighbors(Runs& runs, Runs::iterator run) {
  if (const auto next = run + 1; next != runs.end() && next->threads == run->threads) {
    run->phases += next->phases;
    runs.erase(next);
  }
  if (run != runs.begin() && (run - 1)->threads == run->threads) {
    (run - 1)->phases += run->phases;
    runs.erase(run);
  }
}

}  // namespace

std::uint64_t BarrierState::arrive_among(std::uint64_t phase, std::uint64_t threads) {
  const auto run = isolate(arrived, phase - complete - 1);
  run->threads += threads;
  join_neighbors(arrived, run);
  std::uint64_t done = 0;
  while (participants > 0 && !arrived.empty() && arrived.front().threads >= participants) {
    done += arrived.front().phases;
    arrived.erase(arrived.begin());
  }
  complete += done;
  return done;
}

Grids::Grids(const Workload& workload, const LaunchGraph& graph) : workload_(workload), graph_(graph) {
  const auto has_steps = [](const Kernel& kernel) {
    return has_step<GridBarrier>(kernel.program) || has_step<Trigger>(kernel.program);
  };
  const auto& kernels = workload.kernels;
  if (std::any_of(kernels.begin(), kernels.end(), has_steps) || graph.trigger_waiters.size() > 0)
    grids_.resize(workload.launches.size());
}

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
      const ProgramPlan& plan = plans.plan_of(kernel, WorkGroupId{group});
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
  Flag& state = flag_at(flag);
  bool is_complete = false;
  for (std::uint64_t phase = before + 1; phase <= before + phases; ++phase)
    is_complete |= state.arrivals.arrive(phase, 1) > 0;
  return is_complete ? std::exchange(state.waiting, {}) : std::vector<FlagWait>{};
}

void Flags::wait(FlagOfLaunch flag, FlagWait wait) {
  std::vector<FlagWait>& waiting = flag_at(flag).waiting;
  if (std::find(waiting.begin(), waiting.end(), wait) == waiting.end()) waiting.push_back(wait);
}

}  // namespace gdsim
