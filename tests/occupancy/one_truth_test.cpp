#include "support/builders.hpp"
#include "support/random_runs.hpp"
#include <gdsim/fit/limits.hpp>
#include <gdsim/occupancy/next_step.hpp>
#include <gdsim/occupancy/occupancy.hpp>

#include <catch2/catch.hpp>
#include <rapidcheck/catch.h>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// More work-groups than any core of a random device could hold.
constexpr std::uint64_t kEnough = 64;

Kernel with_groups(Kernel kernel, std::uint64_t groups) {
  kernel.variation.factors.clear();
  kernel.edge_groups = EdgeGroups::refused;
  kernel.range.global = {1, 1, kernel.range.local[2] * groups};
  kernel.range.local = {1, 1, kernel.range.local[2]};
  return kernel;
}

}  // namespace

TEST_CASE("the dispatcher places on an empty core exactly as many work-groups as the calculator says") {
  rc::prop("one truth", [] {
    DeviceSpec device = draw_device();
    device.cores = 1;
    device.dispatch.admission = Admission::whole;
    const Kernel kernel = with_groups(draw_kernel(device), kEnough);
    RandomRun drawn{device, workload_of({kernel})};
    RC_LOG(describe(drawn));
    const Occupancy occupancy = occupancy_of(kernel, device, GlobalSize::given);
    RC_ASSERT(occupancy.status == FitStatus::ok);
    const Timeline timeline = run_fully(device, drawn.workload).timeline;
    RC_ASSERT(timeline.front().counts.resident.work_groups == occupancy.work_groups_per_core);
    RC_ASSERT(timeline.front().counts.resident.threads == occupancy.threads_per_core);
  });
}

TEST_CASE("the calculator has no work-group resident exactly where the device refuses the kernel") {
  rc::prop("0 resident is a refusal of the run", [] {
    DeviceSpec device = draw_device();
    Kernel kernel = draw_kernel(device);
    kernel.needs.slm.total = Bytes{*rc::gen::inRange<std::int64_t>(0, 20'000)};
    kernel.needs.barriers = *rc::gen::inRange(0U, 6U);
    kernel.needs.registers = *rc::gen::inRange(0U, 800U);
    const Occupancy occupancy = occupancy_of(kernel, device, GlobalSize::given);
    RC_ASSERT((occupancy.status == FitStatus::ok) == refusals(kernel, device).empty());
    RC_ASSERT((occupancy.status == FitStatus::ok) == (occupancy.work_groups_per_core > 0));
  });
}

TEST_CASE("every limiter allows exactly what is resident, every other resource more") {
  rc::prop("limits and limiters", [] {
    const DeviceSpec device = draw_device();
    const Kernel kernel = draw_kernel(device);
    const Occupancy occupancy = occupancy_of(kernel, device, GlobalSize::any);
    for (std::size_t i = 0; i < kResourceCount; ++i) {
      const auto limit = occupancy.limits.work_groups[i];
      const bool limits = std::find(occupancy.limiters.begin(), occupancy.limiters.end(), static_cast<Resource>(i)) !=
                          occupancy.limiters.end();
      RC_ASSERT(limits == (limit == occupancy.work_groups_per_core));
      if (limit) RC_ASSERT(*limit >= occupancy.work_groups_per_core);
    }
  });
}

TEST_CASE("the next step lets as many more work-groups in as it says, and a little less of it lets in none") {
  rc::prop("tight", [] {
    const DeviceSpec device = draw_device();
    const Kernel kernel = with_groups(draw_kernel(device), 1);
    const std::uint64_t now = limits_of(kernel, device).work_groups_per_core();
    const NextStep step = next_step(kernel, device);
    if (step.fixed_limit) return;
    RC_ASSERT(step.work_groups > now);
    const auto changed = [&](const ResourceReduction& change, std::uint64_t value) {
      Kernel other = kernel;
      switch (change.resource) {
        case Resource::threads: other.range.local = other.range.global = {1, 1, value}; break;
        case Resource::slm: other.needs.slm.total = Bytes{static_cast<std::int64_t>(value)}; break;
        case Resource::barriers: other.needs.barriers = static_cast<std::uint32_t>(value); break;
        case Resource::registers:
          other.needs.registers = static_cast<std::uint32_t>(value);
          other.needs.accumulation_registers = 0;
          break;
        default: other.needs.scalar_registers = static_cast<std::uint32_t>(value);
      }
      return other;
    };
    if (step.changes.size() > 1) return;
    const ResourceReduction& change = step.changes.front();
    RC_ASSERT(change.to < change.from);
    RC_ASSERT(limits_of(changed(change, change.to), device).work_groups_per_core() == step.work_groups);
    RC_ASSERT(limits_of(changed(change, change.to + 1), device).work_groups_per_core() <= now);
  });
}

TEST_CASE("waves and tail count the work-groups of a launch") {
  DeviceSpec device = small_device();
  const Occupancy occupancy = occupancy_of(kernel_of(11, 3, {compute(us(1))}), device, GlobalSize::given);
  REQUIRE(occupancy.waves.has_value());
  CHECK(occupancy.work_groups_per_core == 2);
  CHECK(occupancy.waves->per_wave == 4);
  CHECK(occupancy.waves->full_waves == 2);
  CHECK(occupancy.waves->tail == 3);
  CHECK_FALSE(occupancy_of(kernel_of(11, 3, {}), device, GlobalSize::any).waves.has_value());
}
