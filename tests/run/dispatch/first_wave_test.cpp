#include "support/builders.hpp"
#include "support/scenarios.hpp"

#include <catch2/catch.hpp>

// `variation: {first_wave: ...}`: work-groups placed on a core on which no thread of their launch has ended yet take
// longer. small_device() has 2 cores of 8 contexts, filled one after the other.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

using Ends = std::vector<std::int64_t>;

/// When each work-group ended, picoseconds.
Ends ends_of(const FullRun& run, LaunchId id = launch(0)) {
  Ends ends;
  for (const WorkGroupRecord& one : run.work_groups.records_of(id)) ends.push_back(one.ended->count);
  return ends;
}

Kernel with_first_wave(Kernel kernel, Decimal factor) {
  kernel.variation.first_wave = factor;
  return kernel;
}

/// Work-groups that fill half a core, of 100 ps; of the first wave, of 1200.
Kernel halves(std::uint64_t groups) {
  return with_first_wave(kernel_of(groups, 4, {compute(ps(100))}), Decimal::whole(12));
}

}  // namespace

TEST_CASE("the first wave of a launch takes its factor longer on every core, later ones do not") {
  CHECK(ends_of(run_fully(small_device(), workload_of({halves(6)}))) == Ends{1200, 1200, 1200, 1200, 1300, 1300});
}

TEST_CASE("each launch has a first wave of its own, also of the same kernel") {
  Workload workload = workload_of({halves(2)});
  workload.launches.push_back(workload.launches.front());
  workload.launches.back().name = "again";
  workload.launches.back().after = {launch(0)};
  CHECK(ends_of(run_fully(small_device(), workload), launch(1)) == Ends{2400, 2400});
}

TEST_CASE("a core belongs to the first wave until a thread of the launch has ended on this core") {
  // The first launch keeps core 0 for 1250 ps; by then the second has ended work-groups on core 1 alone.
  const Workload workload = workload_of({kernel_of(1, 8, {compute(ps(1250))}), halves(6)});
  const FullRun run = run_fully(small_device(), workload);
  CHECK(cores_of(run, launch(1)) == std::vector<std::uint32_t>{1, 1, 1, 1, 0, 0});
  CHECK(ends_of(run, launch(1)) == Ends{1200, 1200, 1300, 1300, 2450, 2450});
}

TEST_CASE("work-groups that came before the first end stay of the first wave, and one that comes then does not") {
  Kernel kernel = halves(3);
  kernel.variation.factors = {{group(0), Decimal{5, -1}}};
  CHECK(ends_of(run_fully(one_core(), workload_of({kernel}))) == Ends{600, 1200, 700});
}

TEST_CASE("the wave of a work-group is that of its first thread, whenever its others come") {
  DeviceSpec device = one_core();
  device.dispatch.admission = Admission::partial;
  const Kernel kernel = with_first_wave(kernel_of(2, 5, {compute(ps(100))}), Decimal::whole(12));
  CHECK(ends_of(run_fully(device, workload_of({kernel}))) == Ends{1200, 2400});
}

TEST_CASE("a core on which threads have ended that keep their contexts is of the first wave no more") {
  DeviceSpec device = one_core();
  device.release = Release::work_group;
  // Threads 1 to 3 of the first work-group end at 12 ps; its thread 0 only at 1200. At 100 ps the other launch makes
  // room for the second.
  Kernel kernel =
      with_first_wave(kernel_of(2, 4, {Only{{{0, 0}}, {compute(ps(99))}}, compute(ps(1))}), Decimal::whole(12));
  const Workload workload = workload_of({kernel_of(1, 4, {compute(ps(100))}), kernel});
  CHECK(ends_of(run_fully(device, workload), launch(1)) == Ends{1200, 200});
}

TEST_CASE("a written factor and that of the first wave are multiplied exactly, and rounded once") {
  Kernel kernel = with_first_wave(kernel_of(1, 4, {compute(ps(3))}), Decimal{15, -1});
  kernel.variation.factors = {{group(0), Decimal{5, -1}}};
  CHECK(ends_of(run_fully(one_core(), workload_of({kernel}))) == Ends{2});  // 2.25; not 1.5, rounded, times 1.5
}

TEST_CASE("a duration of its own is no factor: the first wave leaves it as it is") {
  Kernel kernel = halves(2);
  kernel.variation.factors = {{group(0), Decimal::whole(1), picoseconds(77)}};
  CHECK(ends_of(run_fully(one_core(), workload_of({kernel}))) == Ends{77, 1200});
}

TEST_CASE("behind the first wave, all work-groups take as long as each other") {
  constexpr std::uint64_t groups = 1'000;
  const DeviceSpec device = one_core();
  const RunResult run = simulate(compile(device, device.dispatch, workload_of({halves(groups)})).value());
  CHECK(run.record.end == at(ps(1200 + 100 * static_cast<std::int64_t>(groups / 2 - 1))));
}

TEST_CASE("a first_wave of 0 or one that makes a step round to 0 is refused at its place") {
  const auto problems = [](const std::string& factor) {
    return read_text(
               "scenario: s\ndevice: tiny\nlaunches: [{kernel: k}]\nkernels:\n  k:\n    global: 64\n    local: 8\n"
               "    sub_group: 8\n    program: [compute: 1 ps]\n    variation: {first_wave: " +
               factor + "}\n")
        .problems;
  };
  CHECK(problems("1.5").empty());
  CHECK(problems("0").find("10:29: ") != std::string::npos);
  CHECK(problems("0").find("a factor must be more than 0") != std::string::npos);
  CHECK(problems("0.4").find("with this factor, the duration of step 1 of the program rounds to 0 ps") !=
        std::string::npos);
  CHECK(problems("-1").find("first_wave: '-1' is negative") != std::string::npos);
}
