// probe: measures this GPU's dispatcher. One source for CUDA and HIP; README.md says how to compile and read it.
//
//   nvcc  -O3 -std=c++17 -arch=native -o probe probe.cu
//   hipcc -O3 -std=c++17 -x hip --offload-arch=native -o probe probe.cu

#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "experiments.hpp"
#include "options.hpp"
#include "session.hpp"

namespace probe {
namespace {

bool chosen(const Options& options, const Experiment& experiment) {
  if (options.only.empty()) return true;
  for (const std::string& name : options.only) {
    if (name == experiment.name) return true;
  }
  return false;
}

double milliseconds(const std::vector<RunPlan>& plan) {
  double sum = 0;
  for (const RunPlan& run : plan) sum += run.skip.empty() ? run.milliseconds : 0;
  return sum;
}

/// Prints all launches of the plan and a bound of the GPU time; without a device, for an assumed one.
int dry_run(const Options& options) {
  DeviceShape shape;
  Residency residency = estimated_residency;
  try {
    shape = find_device(options.device).shape;
    residency = runtime_residency;
  } catch (const GpuError& none) {
    std::printf("# %s\n", none.what());
  }
  std::printf("# device: %s\n", shape.name.c_str());
  std::printf(
      "experiment,run,launches,blocks,threads,shared_bytes,cluster,blocks_per_core,repetitions,at_most_ms,skipped\n");
  double total = 0;
  for (const Experiment& experiment : kExperiments) {
    if (!chosen(options, experiment)) continue;
    const std::vector<RunPlan> plan = experiment.plan(shape, residency);
    total += milliseconds(plan);
    for (const RunPlan& run : plan) {
      const LaunchPlan one = run.launches.empty() ? LaunchPlan{} : run.launches.front();
      std::printf("%s,%s%s%s,%zu,%u,%u,%u,%u,%u,%u,%.3f,%s\n", experiment.name, run.name.c_str(),
                  run.launches.empty() ? "_" : "", run.launches.empty() ? run.variant.c_str() : "",
                  run.launches.empty() ? std::size_t{1} : run.launches.size(), one.blocks == 0 ? 1 : one.blocks,
                  one.threads == 0 ? 1 : one.threads, one.shared_bytes, one.cluster, one.blocks_per_core,
                  run.repetitions, run.skip.empty() ? run.milliseconds : 0.0, word(run.skip).c_str());
    }
  }
  std::printf("# at most %.1f s of GPU time\n", total / 1000);
  return 0;
}

/// Makes the folder. Refuses one that is not empty.
std::string make_folder(const Options& options) {
  const std::string folder = options.output.empty() ? "probe-output" : options.output;
  std::error_code failed;
  if (std::filesystem::exists(folder, failed) &&
      !(std::filesystem::is_directory(folder, failed) && std::filesystem::is_empty(folder, failed))) {
    throw std::runtime_error(folder + " is there, and not an empty folder; choose another with --output FOLDER");
  }
  std::filesystem::create_directories(folder, failed);
  if (failed) throw std::runtime_error("cannot make " + folder + ": " + failed.message());
  return folder;
}

int measure(const Options& options) {
  Session session;
  session.device = find_device(options.device);
  session.folder = make_folder(options);
  double left = options.budget_seconds * 1000;
  for (const Experiment& experiment : kExperiments) {
    if (!chosen(options, experiment)) continue;
    session.experiment = experiment.name;
    session.timer_base_ns = 0;
    try {
      const std::vector<RunPlan> plan = experiment.plan(session.device.shape, runtime_residency);
      const double bound = milliseconds(plan);
      if (bound > left) {
        session.skip("all", "could take " + decimal(bound / 1000) + " s; --budget leaves " + decimal(left / 1000));
        continue;
      }
      std::fprintf(stderr, "probe: %s: %s\n", experiment.name, experiment.measures);
      const auto begin = std::chrono::steady_clock::now();
      experiment.measure(session, plan);
      // This is an upper bound of the time that the GPU was busy.
      left -= static_cast<double>(nanoseconds_since(begin)) / 1e6;
    } catch (const GpuError& error) {
      session.fail("all", error.what());
    }
  }
  session.experiment = "probe";
  session.timer_base_ns = 0;
  session.write(session.skipped);
  std::fprintf(stderr, "probe: tables are in %s\n", session.folder.c_str());
  return session.failed ? 1 : 0;
}

int run(const Options& options) {
  switch (options.task) {
    case Options::Task::help: std::fputs(usage(), stdout); return 0;
    case Options::Task::layout: print_layout(); return 0;
    case Options::Task::list:
      for (const Experiment& experiment : kExperiments) {
        std::printf("%-14s %s; decides %s\n", experiment.name, experiment.measures, experiment.decides);
      }
      return 0;
    case Options::Task::dry_run: return dry_run(options);
    case Options::Task::measure: return measure(options);
  }
  return 2;
}

}  // namespace
}  // namespace probe

int main(int count, char** words) {
  std::vector<std::string> names;
  for (const probe::Experiment& experiment : probe::kExperiments) names.emplace_back(experiment.name);
  probe::Options options;
  const std::string wrong = probe::read_options(count, words, names, options);
  if (!wrong.empty()) {
    std::fprintf(stderr, "%s", wrong.c_str());
    return 2;
  }
  try {
    return probe::run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "probe: error: %s\n", error.what());
    return 1;
  }
}
