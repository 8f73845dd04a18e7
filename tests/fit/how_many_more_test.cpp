#include "support/builders.hpp"
#include "support/random_values.hpp"

#include <gdsim/fit/core.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

// How many more whole work-groups a core takes, against placing them one by one. `most_room` uses it.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// 2 engines of 8 contexts; registers and scalar registers run out before them.
DeviceSpec device_with_files() {
  return with(small_device(), [](DeviceSpec& d) {
    d.contexts_per_engine = 8;
    d.max_work_group_size = 128;
    d.registers.emplace().per_engine = 2'000;
    d.scalar_registers = ScalarRegisterRule{300, 8, 4, RegisterThreadLimit::uncapped};
  });
}

Footprint draw_footprint(const DeviceSpec& device) {
  const auto threads = between<std::uint32_t>(1, 4);
  Kernel kernel = kernel_of(1, threads, {compute(us(1))});
  kernel.needs.registers = between(0U, 100U);        // of 8 work-items: up to 800 of 2,000
  kernel.needs.scalar_registers = between(0U, 90U);  // up to 100 of 300
  kernel.needs.slm.total = Bytes{one_of<std::int64_t>({0, 0, 1'000, 3'000})};
  return make_footprint(kernel, device, threads);
}

/// Puts a whole work-group on the core, if it fits.
bool put(Core& core, const Footprint& footprint, EngineSets& sets) {
  if (core.refusal(footprint, Admission::whole)) return false;
  core.take_group(footprint);
  core.take_threads(footprint, footprint.threads, at(us(0)), sets);
  return true;
}

}  // namespace

TEST_CASE("a core says of a work-group of one thread how many more fit, whatever it holds") {
  rc::prop("against putting them there", [] {
    const DeviceSpec device = device_with_files();
    Core core(device, EngineDetail::each);
    EngineSets sets(device.engines_per_core);
    for (int i = between(0, 3); i > 0; --i) put(core, draw_footprint(device), sets);
    Footprint next = draw_footprint(device);
    while (next.threads != 1) next = draw_footprint(device);
    const std::uint64_t said = core.how_many_more(next);
    std::uint64_t fitted = 0;
    while (put(core, next, sets)) ++fitted;
    RC_ASSERT(said == fitted);
  });
}

TEST_CASE("most_room counts by each resource of a work-group alone, contexts and both register files among them") {
  rc::prop("the least of floor(free / need)", [] {
    const DeviceSpec device = with(device_with_files(), [](DeviceSpec& d) { d.engines_per_core = 1; });
    Core core(device, EngineDetail::each);
    EngineSets sets(device.engines_per_core);
    std::vector<Footprint> held;
    for (int i = between(0, 3); i > 0; --i) {
      const Footprint one = draw_footprint(device);
      if (put(core, one, sets)) held.push_back(one);
    }
    const Footprint next = draw_footprint(device);
    std::uint64_t max = ~std::uint64_t{0};
    const auto limit_by = [&](std::uint64_t capacity, auto need_of) {
      std::uint64_t free = capacity;
      for (const Footprint& one : held) free -= need_of(one);
      if (need_of(next) > 0) max = std::min(max, free / need_of(next));
    };
    limit_by(device.contexts_per_engine, [](const Footprint& f) { return std::uint64_t{f.threads}; });
    limit_by(2'000, [](const Footprint& f) { return f.threads * f.thread.registers; });
    limit_by(300, [](const Footprint& f) { return f.threads * f.thread.scalar_registers; });
    limit_by(8'192, [](const Footprint& f) { return static_cast<std::uint64_t>(f.work_group[Pool::slm]); });
    limit_by(8, [](const Footprint&) { return std::uint64_t{1}; });  // slots
    RC_ASSERT(core.how_many_more(next) == max);
    RC_CLASSIFY(next.thread.registers > 0 && max == 0, "nothing more fits");
  });
}

TEST_CASE("scalar registers limit the threads of an engine: (30 + 4, rounded) of 100 are for two") {
  DeviceSpec device = small_device();
  device.cores = 1;
  device.scalar_registers = ScalarRegisterRule{100, 8, 4, RegisterThreadLimit::uncapped};
  Kernel kernel = kernel_of(12, 1, {compute(ns(10))});
  kernel.needs.scalar_registers = 30;
  CHECK(make_footprint(kernel, device, 1).thread.scalar_registers == 36);  // 30 to 32 by granule, and the reserve
  // Two on each of two engines; then the next four.
  CHECK(phase_threads(run_fully(device, workload_of({kernel})).record) == std::vector<std::uint64_t>{4});
  CHECK(run_fully(device, workload_of({kernel})).record.duration() == ns(30));
  kernel.needs.scalar_registers = 0;  // the reserve alone
  CHECK(run_fully(device, workload_of({kernel})).record.duration() == ns(20));
}
