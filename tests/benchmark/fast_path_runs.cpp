#include <gdsim/run/run_switches.hpp>
#include <gdsim/scenario/compile_scenario.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <array>
#include <cstdio>
#include <string>
#include <string_view>

// Scenarios that a user would write, each of which one way of fast-forwarding is for: `NAME` runs it, `NAME without`
// runs it as if there were no such way. Without words: all names, and the way of each. fast_paths.sh counts
// instructions.

namespace {

using namespace gdsim;

struct FastPathRun {
  const char* name;
  const char* way;
  bool FastForward::*switched;
  const char* text;
};

constexpr std::array kRuns{
    FastPathRun{"equal_work_groups", "recurrence", &FastForward::recurrence,
                "device: a100-80gb\nlaunches: [{kernel: k}]\nkernels:\n"
                "  k: {global: 25600000, local: 256, sub_group: 32, program: [memory: 4 KiB, compute: 1 us],\n"
                "      variation: none}\n"},
    FastPathRun{"stream_of_kernels", "recurrence", &FastForward::recurrence,
                "device: h100-sxm\nqueues: {q: {}}\nlaunches: [{kernel: k, queue: q, count: 20000}]\nkernels:\n"
                "  k: {global: 8192, local: 256, sub_group: 32, program: [compute: 3 us]}\n"},
    FastPathRun{
        "long_loop", "isolated_loops", &FastForward::isolated_loops,
        "device: a100-80gb\nlaunches: [{kernel: k}]\nkernels:\n"
        "  k: {global: 27648, local: 256, sub_group: 32, slm: 100 KiB, variation: {distribution: uniform, cv: 0.05},\n"
        "      program: [loop: {count: 100000, body: [slm: {accesses: 4}, issue: 30 cycles, barrier]}]}\n"},
    FastPathRun{"jittered_work_groups", "renewal", &FastForward::renewal,
                "device: arc-a770\nlaunches: [{kernel: k}]\nkernels:\n"
                "  k: {global: 25600000, local: 256, sub_group: 16, program: [compute: 10 us],\n"
                "      variation: {distribution: lognormal, cv: 0.2}}\n"},
    FastPathRun{"jittered_threads", "known_ends", &FastForward::known_ends,
                "device: a100-80gb\nlaunches: [{kernel: k}]\nkernels:\n"
                "  k: {global: 12800000, local: 128, sub_group: 32, program: [compute: 10 us],\n"
                "      variation: {distribution: lognormal, cv: 0.2, per: thread}}\n"},
    FastPathRun{"jittered_work_groups_that_recover", "known_ends", &FastForward::known_ends,
                "device: a100-80gb\nlaunches: [{kernel: k}]\nkernels:\n"
                "  k: {global: 25600000, local: 256, sub_group: 32, program: [compute: 10 us],\n"
                "      variation: {distribution: lognormal, cv: 0.2}}\n"},
};

int run(const FastPathRun& one, bool without) {
  SourceFiles sources;
  ReadOptions options;
  options.models.emplace_back(GDSIM_MODELS);
  const SourceText& text = sources.keep("fast_path.yaml", "scenario: fast path\n" + std::string(one.text));
  const auto cases = read_scenario(text, GDSIM_MODELS, options, sources);
  SwitchedRunOptions switched;
  if (without) switched.fast_forward.*one.switched = false;
  return simulate(compile_scenario(cases.at(0).scenario).value(), switched).record.outcome == Outcome::completed ? 0
                                                                                                                 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  for (const FastPathRun& one : kRuns) {
    if (argc < 2) std::printf("%s,%s\n", one.name, one.way);
    if (argc >= 2 && std::string_view(argv[1]) == one.name) return run(one, argc > 2);
  }
  return argc < 2 ? 0 : 2;
}
