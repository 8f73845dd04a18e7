#include "jobs.hpp"

#include <gdsim/report/csv/csv_tables.hpp>
#include <gdsim/run/ensemble/ensemble.hpp>

#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// One representative run by its name: instructions.sh counts its instructions. Without a name: all names.

namespace {

using namespace gdsim;
using namespace gdsim::benchmarks;

class Nowhere : public Sink {
 public:
  void write(std::string_view) override {}
};

/// With a row of each work-group, written nowhere.
Outcome run_with_rows(const Job& job) {
  WorkGroupLog log(job.workload.launches.size());
  InternalRunOptions options;
  options.observers = {&log};
  const RunResult run = benchmarks::run(job, options);
  const std::string title = "Rows";
  const LaunchGraph graph = make_launch_graph(job.workload);
  RunReport report{title, job.device, job.device.dispatch, job.workload, run.record, graph};
  report.work_groups = &log;
  Nowhere nowhere;
  work_groups_table().write(report, nowhere);
  return run.record.outcome;
}

/// Eight devices that have the same to do: no more than eight times what one takes.
Outcome run_on_eight(const Job& job) {
  std::vector<Compiled> devices;
  for (std::uint32_t own = 0; own < 8; ++own) {
    Workload workload = job.workload;
    workload.launches.clear();
    for (std::uint32_t device = 0; device < 8; ++device) {
      Launch launch = job.workload.launches.front();
      if (device != own) launch.work = RemoteLaunch{DeviceId{device}};
      workload.launches.push_back(launch);
    }
    devices.push_back(compile(job.device, job.device.dispatch, workload).value());
  }
  const std::vector<InternalRunOptions> options(devices.size());
  return simulate_devices({devices, options}).all.outcome;
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, Job (*)()> runs{
      {"contended", [] { return contended_job(8, 64, 64); }},
      {"contended_full", [] { return contended_job(48, 384, 8); }},
      {"deterministic", [] { return deterministic_job(50'000); }},
      {"eight_devices", [] { return contended_job(8, 64, 64); }},
      {"exclusive_launches", [] { return exclusive_launches_job(3'000); }},
      {"issue_contention", [] { return issue_contention_job(1'000, 7); }},
      {"jittered", [] { return jittered_job(50'000); }},
      {"jittered_rows", [] { return jittered_job(50'000); }},
      {"jittered_threads", [] { return jittered_threads_job(20'000, Release::thread); }},
      {"jittered_threads_unexplained", [] { return jittered_threads_job(20'000, Release::thread); }},
      {"jittered_threads_held", [] { return jittered_threads_job(20'000, Release::work_group); }},
      {"jittered_with_straggler", [] { return straggling_job(50'000); }},
      {"launch_graph_head_only", [] { return launch_graph_job(10'000, KernelChoice::head_only); }},
      {"launch_graph_in_turn", [] { return launch_graph_job(10'000, KernelChoice::round_robin); }},
      {"launch_graph_skip", [] { return launch_graph_job(10'000, KernelChoice::skip_blocked); }},
      {"launches", [] { return launches_job(10'000, 8); }},
      {"launches_beside_threads", [] { return launches_beside_threads_job(1'000); }},
      {"many_kernels", [] { return many_kernels_job(300, KernelChoice::skip_blocked); }},
      {"many_kernels_in_turn", [] { return many_kernels_job(300, KernelChoice::round_robin); }},
      {"many_kernels_in_turn_unexplained", [] { return many_kernels_job(300, KernelChoice::round_robin); }},
      {"thousand_kernels_in_turn", [] { return many_kernels_job(1'000, KernelChoice::round_robin); }},
      {"partial_with_barrier", [] { return partial_with_barrier_job(20'000); }},
  };
  if (argc < 2) {
    for (const auto& [name, make] : runs) std::puts(name.c_str());
    return 0;
  }
  const auto run = runs.find(argv[1]);
  if (run == runs.end()) return 2;
  const Job job = run->second();
  const bool has_rows = std::string_view(argv[1]).ends_with("_rows");
  InternalRunOptions options;
  if (std::string_view(argv[1]).ends_with("_unexplained")) options.accounts = KeepAccounts::no;
  const bool is_on_eight = std::string_view(argv[1]) == "eight_devices";
  const Outcome outcome = has_rows      ? run_with_rows(job)
                          : is_on_eight ? run_on_eight(job)
                                        : benchmarks::run(job, options).record.outcome;
  return outcome == Outcome::completed ? 0 : 1;
}
