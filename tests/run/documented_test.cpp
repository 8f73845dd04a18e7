#include "support/builders.hpp"
#include "support/scenarios.hpp"

#include <catch2/catch.hpp>

// The guide's two experiments of eight work-groups, and their variants with one axis of dispatch changed. The expected
// numbers follow from the meaning of each axis; they were computed by hand.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

using Threads = std::vector<std::uint64_t>;
using Cores = std::vector<std::uint32_t>;

Kernel vector_add3() { return kernel_of(8, 40, {compute(ms(10))}); }

Kernel vector_add4() {
  Kernel kernel = kernel_of(8, 40, {barrier(), compute(ms(10))});
  kernel.variation.factors = {{group(6), Decimal{8, -1}}};
  return kernel;
}

template <class Change>
FullRun run_on_tiger_lake(const Kernel& kernel, Change change) {
  const DeviceSpec device = with(tiger_lake(), [&](DeviceSpec& d) { change(d.dispatch); });
  return run_fully(device, workload_of({kernel}));
}

FullRun run_on_tiger_lake(const Kernel& kernel) {
  return run_on_tiger_lake(kernel, [](DispatchRules&) {});
}

}  // namespace

TEST_CASE("VectorAdd3 has its two documented phases") {
  const FullRun run = run_on_tiger_lake(vector_add3());
  CHECK(phase_threads(run.record) == Threads{224, 96});
  CHECK(cores_of(run) == Cores{0, 0, 0, 1, 1, 1, 0, 0});
  CHECK(run.record.duration() == ms(20));
}

TEST_CASE("VectorAdd4 has its three documented phases") {
  const FullRun run = run_on_tiger_lake(vector_add4());
  CHECK(phase_threads(run.record) == Threads{304, 264, 80});
  CHECK(cores_of(run) == Cores{0, 0, 0, 1, 1, 1, 2, 2});
  CHECK(run.record.duration() == ms(20));
}

TEST_CASE("of R = 4 with the barrier first, partial dispatch makes 100 % resident and 57 % running") {
  ReadOptions options;
  options.models = {source_path("models")};
  SourceFiles sources;
  const auto cases = read_scenario(source_path("scenarios/partial_dispatch_barrier_first.yaml"), options, sources);
  const Scenario& scenario = cases.at(0).scenario;
  const FullRun run = run_fully(scenario.device, scenario.dispatch, scenario.workload);
  REQUIRE(run.timeline.size() > 1);
  const DeviceCounts& first = run.timeline.front().counts;
  CHECK(first.resident.threads == 672);
  CHECK(first.resident.running == 384);  // 57.1 %
  // Until only the last work-group of each Xe-core is left, the companions of the next are always missing.
  for (const TimelinePoint& point : run.timeline)
    if (point.counts.resident.threads == 672) CHECK(point.counts.resident.running == 384);
}

TEST_CASE("a third port lets VectorAdd3 use a third Xe-core") {
  const FullRun run = run_on_tiger_lake(vector_add3(), [](auto& d) { d.ports = {3}; });
  // 40 + 40 + 32 twice, then 40 + 40 on the third: its second work-group is whole, so the third port stays
  // free.
  CHECK(phase_threads(run.record) == Threads{304, 16});
  CHECK(cores_of(run) == Cores{0, 0, 0, 1, 1, 1, 2, 2});
}

TEST_CASE("without handover VectorAdd4 is stopped by its ports like VectorAdd3") {
  const FullRun run = run_on_tiger_lake(vector_add4(), [](auto& d) { d.handover = Handover::never; });
  // 224 until 10 ms. Then 8 + 8 late threads open two barriers, and the last two work-groups follow on Xe-core 0:
  // 40 and 32 beside the 40 there. At 18 ms the one with factor 0.8 ends and lets the last 8 threads in.
  CHECK(phase_threads(run.record) == Threads{224, 152, 120, 40});
  CHECK(run.record.duration() == ms(28));
  CHECK(run.record.phases.phases[1].end == at(ms(18)));
}

TEST_CASE("with handover always VectorAdd3 is dispatched like VectorAdd4") {
  const FullRun run = run_on_tiger_lake(vector_add3(), [](auto& d) { d.handover = Handover::always; });
  CHECK(phase_threads(run.record) == Threads{304, 16});
}

TEST_CASE("least_loaded spreads VectorAdd3 over all six Xe-cores in one phase") {
  const FullRun run = run_on_tiger_lake(vector_add3(), [](auto& d) { d.placement = "least_loaded"; });
  CHECK(phase_threads(run.record) == Threads{320});
  CHECK(cores_of(run) == Cores{0, 1, 2, 3, 4, 5, 0, 1});
}

TEST_CASE("most_room and round_robin spread VectorAdd3 alike") {
  for (const char* placement : {"most_room", "round_robin"}) {
    const FullRun run = run_on_tiger_lake(vector_add3(), [&](auto& d) { d.placement = placement; });
    CHECK(cores_of(run) == Cores{0, 1, 2, 3, 4, 5, 0, 1});
  }
}

TEST_CASE("whole admission places two work-groups of 40 on an Xe-core of 112 and wastes the rest") {
  const FullRun run = run_on_tiger_lake(vector_add3(), [](auto& d) { d.admission = Admission::whole; });
  CHECK(phase_threads(run.record) == Threads{320});
  CHECK(cores_of(run) == Cores{0, 0, 1, 1, 2, 2, 3, 3});
  CHECK(run.record.duration() == ms(10));
}
