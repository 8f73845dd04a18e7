#include "oracle/random_scenarios.hpp"
#include "oracle/scenario_yaml.hpp"
#include "scaling/scaling_case.hpp"
#include "support/scenarios.hpp"

#include <gdsim/workload/child_launches.hpp>

#include <rapidcheck.h>

#include <algorithm>

namespace gdsim::scaling {
namespace {

using testing::RandomRun;

constexpr std::uint64_t kThreads = 3'000;
constexpr std::uint64_t kMaxLaunches = 500;

/// Launches without those of children, which a reader adds anew.
Workload without_children(Workload workload) {
  std::erase_if(workload.launches, [](const Launch& launch) { return launch.parent() != nullptr; });
  for (Launch& launch : workload.launches)
    if (launch.is_kernel()) launch.as_kernel().first_child.reset();
  return workload;
}

/// As many times as many work-groups as make some thousand threads; what is drawn for the oracle is small.
void enlarge(Workload& workload) {
  const std::uint64_t threads = testing::threads_of(workload);
  const std::uint64_t times = threads == 0 ? 1 : std::max<std::uint64_t>(kThreads / threads, 1);
  for (Kernel& kernel : workload.kernels) kernel.range.global[2] *= times;
  if (launches_with_children(workload) <= kMaxLaunches) return;
  for (Kernel& kernel : workload.kernels)
    for (std::size_t i = 0; i < kernel.program_count(); ++i)
      std::erase_if(kernel.program_of(i), [](const Step& step) { return std::holds_alternative<LaunchChild>(step); });
}

}  // namespace

std::string random_scenario(std::uint64_t seed) {
  const auto gen = rc::gen::exec([seed] { return seed % 2 == 0 ? testing::draw_run() : oracle::draw_any_run(); });
  RandomRun run = gen(rc::Random(seed), rc::kNominalSize).value();
  run.workload = without_children(std::move(run.workload));
  enlarge(run.workload);
  std::string text = oracle::scenario_yaml(run);
  const testing::ReadText read = testing::read_text(text);
  return read.problems.empty() && read.scenario().refusals.empty() ? text : "";
}

}  // namespace gdsim::scaling
