#include <gdsim/run/repeat.hpp>

#include <utility>

namespace gdsim {
namespace {

constexpr std::size_t kBands = 200;

Workload with_seeds(Workload workload, std::uint64_t more) {
  for (Kernel& kernel : workload.kernels)
    if (kernel.variation.draw) kernel.variation.draw->seed += more;
  return workload;
}

}  // namespace

Repetitions repeat(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload,
                   const RunOptions& options, std::uint64_t count, Jobs jobs) {
  RunOptions quiet = options;
  quiet.observers.clear();
  quiet.keep_timeline = KeepTimeline::yes;
  Repetitions all;
  all.contexts_total = device.contexts_total();
  all.planned = count;
  std::vector<Timeline> timelines;
  std::vector<RunResult> results(count);
  do_in_order(
      count, jobs, [&](std::size_t i) { results[i] = simulate(device, rules, with_seeds(workload, i), quiet); },
      [&](std::size_t i) {
        if (results[i].record.outcome == Outcome::interrupted) return GoOn::no;
        timelines.push_back(std::move(results[i].timeline));
        all.runs.push_back({i + 1, std::move(results[i].record)});
        return GoOn::yes;
      });
  all.bands = make_bands(timelines, kBands);
  return all;
}

}  // namespace gdsim
