#include "jobs.hpp"

#include <gdsim/report/csv/csv_tables.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

// Reading and writing files: a scenario of many kernels, and rows of CSV.

namespace {

using namespace gdsim;
using namespace gdsim::benchmarks;

/// A file that is gone afterwards.
class TemporaryFile : public Sink {
 public:
  void write(std::string_view text) override {
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) std::abort();
  }
  void begin_anew() { std::rewind(file_.get()); }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_{std::tmpfile(), std::fclose};
};

void per_item(benchmark::State& state, std::size_t items) {
  state.counters["ns_per_item"] = benchmark::Counter(
      static_cast<double>(items), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void read_kernels(benchmark::State& state) {
  std::string folder = (std::filesystem::temp_directory_path() / "gdsim-benchmark-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return state.SkipWithError("no folder can be made");
  const auto path = std::filesystem::path(folder) / "many.yaml";
  {
    std::ofstream file(path);
    file << "scenario: Many kernels\ndevice: tiny\nkernels:\n";
    for (std::int64_t i = 0; i < state.range(0); ++i)
      file << "  k" << i << ": {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}\n";
    file << "launches:\n  - kernel: k0\n";
  }
  ReadOptions options;
  options.models = {GDSIM_MODELS_FOLDER};
  for (auto _ : state) {
    SourceFiles sources;
    benchmark::DoNotOptimize(read_scenario(path, options, sources));
  }
  per_item(state, static_cast<std::size_t>(state.range(0)));
  std::filesystem::remove_all(folder);
}

constexpr std::int64_t kContexts = 132 * 64;

/// Writes `range(0)` rows of timeline.csv, of a device with 132 cores of 64 contexts.
void write_timeline_rows(benchmark::State& state) {
  const Job job = deterministic_job(1);
  Timeline timeline;
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    TimelinePoint point{SimTime{i * 1'234'567}, {}};
    point.counts.resident = {static_cast<std::uint64_t>(i % kContexts), static_cast<std::uint64_t>(i % 8000), 100, {}};
    point.counts.cores_busy = 132;
    timeline.push_back(point);
  }
  RunRecord record;
  record.contexts_total = kContexts;
  const std::string title = "Rows";
  const LaunchGraph graph = make_launch_graph(job.workload);
  RunReport report{title, job.device, job.device.dispatch, job.workload, record, graph};
  report.timeline = &timeline;
  TemporaryFile file;
  for (auto _ : state) {
    file.begin_anew();
    timeline_table().write(report, file);
  }
  per_item(state, timeline.size());
}

/// Writes `range(0)` rows of work_groups.csv.
void write_work_group_rows(benchmark::State& state) {
  const Job job = jittered_job(static_cast<std::uint64_t>(state.range(0)));
  WorkGroupLog log(1);
  InternalRunOptions options;
  options.observers = {&log};
  const RunResult run = benchmarks::run(job, options);
  const std::string title = "Rows";
  const LaunchGraph graph = make_launch_graph(job.workload);
  RunReport report{title, job.device, job.device.dispatch, job.workload, run.record, graph};
  report.work_groups = &log;
  TemporaryFile file;
  for (auto _ : state) {
    file.begin_anew();
    work_groups_table().write(report, file);
  }
  per_item(state, static_cast<std::size_t>(state.range(0)));
}

}  // namespace

BENCHMARK(read_kernels)->Unit(benchmark::kMillisecond)->Arg(50'000);
BENCHMARK(write_timeline_rows)->Unit(benchmark::kMillisecond)->Arg(1'000'000);
BENCHMARK(write_work_group_rows)->Unit(benchmark::kMillisecond)->Arg(1'000'000);
