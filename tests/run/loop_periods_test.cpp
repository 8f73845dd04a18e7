#include "support/builders.hpp"
#include "support/random_runs.hpp"
#include "support/random_values.hpp"
#include "support/run_outputs.hpp"

#include <gdsim/run/preflight.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

// Rounds of loops that are alike pass at once, whatever they share, and nobody can tell.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

StepTime draw_time() { return {Decimal::whole(between<std::uint64_t>(1, 8)), {}}; }

Step draw_step(int depth);

Program draw_body(int depth) {
  Program body;
  for (int i = between(1, 3); i > 0; --i) body.push_back(draw_step(depth));
  return body;
}

Step draw_step(int depth) {
  switch (between(0, depth > 0 ? 8 : 7)) {
    case 0: return Compute{draw_time()};
    case 1: return Issue{draw_time()};
    case 2: return Memory{Bytes{between<std::int64_t>(1, 9)}};
    case 3: return Slm{between<std::uint64_t>(1, 3), between<std::uint64_t>(0, 3), 4};
    case 4: return barrier();
    case 5: return Barrier{"pair"};
    case 6: return Signal{"more"};
    case 7: return Wait{"more"};
    default: return Loop{between<std::uint64_t>(1, 30), draw_body(depth - 1)};
  }
}

/// Loops of many rounds, nested, of threads that go ways of their own.
Program draw_looping_program() {
  Program program{Compute{draw_time()}};
  for (int i = between(1, 2); i > 0; --i) {
    Step loop = Loop{between<std::uint64_t>(1, 300), draw_body(2)};
    program.push_back(between(0, 2) == 0 ? Only{{{0, 0}}, {std::move(loop)}} : std::move(loop));
  }
  if (between(0, 1) == 0) program.push_back(barrier());
  return program;
}

RandomRun draw_looping_run() {
  RandomRun run = draw_run();
  for (Kernel& kernel : run.workload.kernels) {
    if (has_step<LaunchChild>(kernel.program)) continue;
    const Program before = kernel.program;
    kernel.program = draw_looping_program();
    if (between(0, 1) == 0) kernel.variation = {};
    if (!preflight(run.device, run.device.dispatch, run.workload, built_in_policies()).empty()) kernel.program = before;
  }
  return run;
}

}  // namespace

TEST_CASE("rounds that pass at once give the same bytes as rounds that are gone through") {
  rc::prop("skipping on and off", [] {
    const RandomRun drawn = draw_looping_run();
    RC_LOG(describe(drawn));
    RunOptions options;
    if (between(0, 3) == 0) options.min_phase.time = ps(between(0, 12));
    options.keep_timeline = between(0, 1) == 0 ? KeepTimeline::no : KeepTimeline::yes;
    const RunOutputs with = outputs_of(drawn, options);
    options.skipping = Skipping::no;
    const RunOutputs without = outputs_of(drawn, options);
    RC_CLASSIFY(with.events < without.events, "something was skipped");
    RC_CLASSIFY(with.events < without.events / 2, "half was skipped");
    RC_CLASSIFY(with.has_loops, "the timeline keeps what repeats once");
    RC_ASSERT(with.tables == without.tables);
    RC_ASSERT(with.pictures == without.pictures);
  });
}
