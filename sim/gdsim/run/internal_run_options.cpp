#include <gdsim/run/internal_run_options.hpp>

#include <utility>

namespace gdsim {
namespace {

constexpr std::size_t kBands = 200;

}  // namespace

Repetitions repeat(const Compiled& compiled, const RunOptions& options, std::uint64_t count, Jobs jobs,
                   const RunResult* first) {
  InternalRunOptions switched;
  static_cast<RunOptions&>(switched) = options;
  return repeat(compiled, switched, count, jobs, first);
}

Repetitions repeat(const Compiled& compiled, const InternalRunOptions& options, std::uint64_t count, Jobs jobs,
                   const RunResult* first) {
  InternalRunOptions quiet = options;
  quiet.observers.clear();
  quiet.wait_series.clear();
  quiet.keep_timeline = KeepTimeline::resident_threads;
  Repetitions all;
  all.contexts_total = compiled.device().contexts_total();
  all.planned = count;
  if (count > kMaxRepetitions)
    throw InputError("repeat(): " + std::to_string(count) + " runs are more than " + std::to_string(kMaxRepetitions));
  if (first != nullptr && first->record.threads_total > 0 && first->timeline.empty() && first->resident.points.empty())
    throw InputError("repeat(): the first run kept no timeline; simulate it with one, or leave it out");
  if (first != nullptr && !first->timeline.empty() && first->record.end < first->timeline.back().time)
    throw InputError("repeat(): the first run ends before its last change; give it as simulate() returned it");
  std::vector<ResidentTimeline> timelines;
  std::vector<RunResult> results(count);
  const auto run = [&](std::size_t i) {
    if (i == 0 && first != nullptr) {
      results[i] = {first->record,
                    {},
                    first->timeline.empty() ? first->resident : resident_of(first->timeline, first->record.end)};
    } else {
      InternalRunOptions own = quiet;
      own.seed_offset += i;
      results[i] = simulate(compiled, own);
    }
  };
  parallel_for_in_order(count, jobs, run, [&](std::size_t i) {
    if (results[i].record.outcome == Outcome::interrupted) return Proceed::no;
    timelines.push_back(std::move(results[i].resident));
    all.runs.push_back({i + 1, std::move(results[i].record)});
    return Proceed::yes;
  });
  all.bands = make_bands(timelines, kBands, jobs);
  return all;
}

}  // namespace gdsim
