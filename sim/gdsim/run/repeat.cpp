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
                   const RunOptions& options, std::uint64_t count, Jobs jobs, const RunResult* first) {
  RunOptions quiet = options;
  quiet.observers.clear();
  quiet.wait_series.clear();
  quiet.keep_timeline = KeepTimeline::resident_threads;
  Repetitions all;
  all.contexts_total = device.contexts_total();
  all.planned = count;
  std::vector<ResidentTimeline> timelines;
  std::vector<RunResult> results(count);
  const auto run = [&](std::size_t i) {
    if (i == 0 && first != nullptr) {
      results[i] = {first->record, {}, first->timeline.empty() ? first->resident : resident_of(first->timeline)};
    } else {
      results[i] = simulate(device, rules, with_seeds(workload, i), quiet);
    }
  };
  do_in_order(count, jobs, run, [&](std::size_t i) {
    if (results[i].record.outcome == Outcome::interrupted) return GoOn::no;
    timelines.push_back(std::move(results[i].resident));
    all.runs.push_back({i + 1, std::move(results[i].record)});
    return GoOn::yes;
  });
  all.bands = make_bands(timelines, kBands, jobs);
  return all;
}

}  // namespace gdsim
