#include <gdsim/run/internal_run_options.hpp>
#include <gdsim/scenario/compile_scenario.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

// Scenarios that a user would write, each of which one way of fast-forwarding is for: `NAME` runs it, `NAME without`
// runs it as if there were no such way. Without words: all names, and the way of each. fast_paths.sh counts
// instructions.

namespace {

using namespace gdsim;

struct FastPathRun {
  const char* name;
  const char* way;
  bool FastForward::*switched;
  const char* device;
  const char* kernel;
  int launches = 1;  ///< so many, 50 us from one to the next
};

/// Of some hundred work-groups each, as an imported profile has them.
constexpr int kProfiled = 1'000;

constexpr std::array kRuns{
    FastPathRun{"equal_work_groups", "recurrence", &FastForward::recurrence, "a100-80gb",
                "global: 25600000, local: 256, sub_group: 32, program: [compute: 1 us, barrier, compute: 2 us]"},
    FastPathRun{"pipeline_in_lock_step", "recurrence", &FastForward::recurrence, "a100-80gb",
                "global: 27648, local: 256, sub_group: 32, slm: 100 KiB, variation: none,"
                " program: [loop: {count: 2000, body: [memory: 4 KiB, barrier, issue: 300 cycles, barrier]}]"},
    FastPathRun{"long_loop", "isolated_loops", &FastForward::isolated_loops, "a100-80gb",
                "global: 27648, local: 256, sub_group: 32, slm: 100 KiB,"
                " variation: {distribution: uniform, cv: 0.05},"
                " program: [loop: {count: 2000, body: [slm: {accesses: 4}, issue: 30 cycles, barrier]}]"},
    FastPathRun{"jittered_work_groups", "slot_recycling", &FastForward::slot_recycling, "arc-a770",
                "global: 25600000, local: 256, sub_group: 16, program: [compute: 10 us],"
                " variation: {distribution: lognormal, cv: 0.2}"},
    FastPathRun{"launches_of_a_profile", "isolated_launches", &FastForward::isolated_launches, "a100-80gb",
                "global: 58880, local: 128, sub_group: 32, registers: 32, program: [compute: 20 us]", kProfiled},
};

int run(const FastPathRun& one, bool without) {
  SourceFiles sources;
  ReadOptions options;
  options.models.emplace_back(GDSIM_MODELS);
  std::string scenario =
      "scenario: fast path\ndevice: " + std::string(one.device) + "\nkernels:\n  k: {" + one.kernel + "}\nlaunches:\n";
  for (int i = 0; i < one.launches; ++i) scenario += "  - {kernel: k, at: " + std::to_string(50 * i) + " us}\n";
  const SourceText& text = sources.keep("fast_path.yaml", std::move(scenario));
  const auto cases = read_scenario(text, GDSIM_MODELS, options, sources);
  InternalRunOptions switched;
  if (without) switched.fast_forward.*one.switched = false;
  const RunResult result = simulate(compile_scenario(cases.at(0).scenario), switched);
  return result.record.outcome == Outcome::completed ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  for (const FastPathRun& one : kRuns) {
    if (argc < 2) std::printf("%s,%s\n", one.name, one.way);
    if (argc >= 2 && std::string_view(argv[1]) == one.name) return run(one, argc > 2);
  }
  return argc < 2 ? 0 : 2;
}
