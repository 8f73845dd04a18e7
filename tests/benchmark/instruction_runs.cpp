#include "jobs.hpp"

#include <cstdio>
#include <map>
#include <string>

// One representative run by its name: instructions.sh counts its instructions. Without a name: all names.

int main(int argc, char** argv) {
  using namespace gdsim;
  using namespace gdsim::benchmarks;
  const std::map<std::string, Job (*)()> runs{
      {"contended", [] { return contended_job(8, 64, 64); }},
      {"contended_full", [] { return contended_job(48, 384, 8); }},
      {"deterministic", [] { return deterministic_job(50'000); }},
      {"exclusive_launches", [] { return exclusive_launches_job(3'000); }},
      {"issue_contention", [] { return issue_contention_job(1'000, 7); }},
      {"jittered", [] { return jittered_job(50'000); }},
      {"jittered_with_straggler", [] { return straggling_job(50'000); }},
      {"launch_graph_head_only", [] { return launch_graph_job(10'000, KernelChoice::head_only); }},
      {"launch_graph_in_turn", [] { return launch_graph_job(10'000, KernelChoice::round_robin); }},
      {"launch_graph_skip", [] { return launch_graph_job(10'000, KernelChoice::skip_blocked); }},
      {"launches", [] { return launches_job(10'000, 8); }},
      {"many_kernels", [] { return many_kernels_job(300, KernelChoice::skip_blocked); }},
      {"many_kernels_in_turn", [] { return many_kernels_job(300, KernelChoice::round_robin); }},
      {"partial_with_barrier", [] { return partial_with_barrier_job(20'000); }},
  };
  if (argc < 2) {
    for (const auto& [name, make] : runs) std::puts(name.c_str());
    return 0;
  }
  const auto run = runs.find(argv[1]);
  if (run == runs.end()) return 2;
  const Job job = run->second();
  return benchmarks::run(job).record.outcome == Outcome::completed ? 0 : 1;
}
