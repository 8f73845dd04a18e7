#include "oracle/compare.hpp"
#include "support/builders.hpp"
#include "support/random_values.hpp"

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

// Threads are distinguished by their engine; when a cohort is over, another reuses its entry. The model is compared
// with the oracle, over enough work-groups for each entry to be reused many times.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

StepTime draw_time() { return {Decimal::whole(between<std::uint64_t>(1, 9)), {}}; }

/// Draws a program of threads that share issue slots, and are split and merged again.
Program draw_parting_program(std::uint32_t threads) {
  Program program{Compute{draw_time()}};
  for (int i = between(1, 4); i > 0; --i) switch (between(0, 4)) {
      case 0: program.push_back(barrier()); break;
      case 1: {
        const auto first = between(0U, threads - 1);
        program.push_back(Only{{{first, between(first, threads - 1)}}, {IssueSlots{draw_time()}}});
        break;
      }
      case 2: program.push_back(Only{{{0, 0}}, {Compute{draw_time()}}}); break;
      default: program.push_back(between(0, 1) == 0 ? Step(IssueSlots{draw_time()}) : draw_instructions()); break;
    }
  return program;
}

/// Draws a device with register files, of engines that hold different numbers of threads.
DeviceSpec draw_device_with_files() {
  DeviceSpec device = draw_device();
  device.engines_per_core = between(2U, 4U);
  device.fused_engines = between(1U, 2U);
  device.max_work_group_size = 8 * device.contexts_per_core();
  device.grf_per_context.reset();
  RegisterRule& rule = device.registers.emplace();
  rule.granule = 64;
  rule.per_engine = 256 * between<std::uint64_t>(4, 8);
  device.scalar_registers = ScalarRegisterRule{100, 8, 4, RegisterThreadLimit::capped_at_contexts};
  return device;
}

RandomRun draw_run_by_engine() {
  RandomRun run{draw_device_with_files(), {}};
  for (int i = between(1, 2); i > 0; --i) {
    const auto threads = between(1U, std::min(run.device.contexts_per_core(), 9U));
    Kernel kernel = kernel_of(between<std::uint64_t>(30, 70), threads, draw_parting_program(threads));
    kernel.name = "k" + std::to_string(i);
    kernel.needs.registers = between(1U, 60U);
    kernel.needs.scalar_registers = between(0U, 40U);
    if (between(0, 3) > 0) kernel.variation.draw = Draw{Distribution::uniform, Decimal{3, -1}, DrawPer::thread, 1};
    run.workload.kernels.push_back(kernel);
    Launch launch;
    launch.name = "l" + std::to_string(i);
    launch.work = static_cast<KernelId>(run.workload.kernels.size() - 1);
    run.workload.launches.push_back(launch);
  }
  return run;
}

}  // namespace

TEST_CASE("threads hold the registers and issue slots of their engines, however often work-groups follow each other") {
  rc::prop("model and oracle", [] {
    const RandomRun drawn = draw_run_by_engine();
    RC_PRE(can_run(drawn.device, drawn.device.dispatch, drawn.workload));
    RC_LOG(describe(drawn));
    const std::string difference = oracle::disagreement(drawn);
    RC_LOG(difference);
    RC_ASSERT(difference.empty());
  });
}
