#include "support/builders.hpp"

#include <gdsim/base/check.hpp>
#include <gdsim/fit/core.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// 2 engines of 4 contexts and 100 registers each.
DeviceSpec two_files() {
  return with(small_device(), [](DeviceSpec& d) { d.registers.emplace().per_engine = 100; });
}

using Placed = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("threads go to engines breadth-first") {
  [[maybe_unused]] std::vector<std::uint32_t> order;
  Engines engines(two_files());
  Placed placed(2);
  engines.take({1, 10, 0}, 3, placed, order);
  CHECK(placed == Placed{2, 1});
  engines.take({1, 10, 0}, 2, placed, order);
  CHECK(placed == Placed{1, 1});
}

TEST_CASE("a thread's registers come from the file of its engine, not from both together") {
  [[maybe_unused]] std::vector<std::uint32_t> order;
  Engines engines(two_files());
  Placed placed(2);
  CHECK(engines.capacity({1, 60, 0}) == 2);  // 200 registers in all would be enough for 3
  engines.take({1, 60, 0}, 2, placed, order);
  CHECK(engines.capacity({1, 60, 0}) == 0);
  CHECK(engines.capacity({1, 40, 0}) == 2);
  engines.release({1, 60, 0}, placed);
  CHECK(engines.capacity({1, 60, 0}) == 2);
}

TEST_CASE("an engine without free registers is skipped, even if it has the most contexts") {
  [[maybe_unused]] std::vector<std::uint32_t> order;
  Engines engines(two_files());
  Placed big(2);
  Placed small(2);
  engines.take({1, 90, 0}, 1, big, order);
  engines.take({1, 10, 0}, 4, small, order);
  CHECK(big == Placed{1, 0});
  CHECK(small == Placed{1, 3});
  CHECK(engines.capacity({1, 1, 0}) == 1);
}

TEST_CASE("more threads than fit are a defect") {
  [[maybe_unused]] std::vector<std::uint32_t> order;
  Engines engines(two_files());
  Placed placed(2);
  CHECK_THROWS_AS(engines.take({1, 60, 0}, 3, placed, order), DefectError);
}

TEST_CASE("kernels with different registers share the files of a core") {
  // A holds 60 of 100 registers on each engine; of B, which needs 30, only one thread per engine still fits.
  const DeviceSpec device = with(two_files(), [](DeviceSpec& d) { d.cores = 1; });
  Kernel a = kernel_of(2, 1, {compute(ps(10))});
  a.needs.registers = 60;
  a.sub_group = 1;
  a.range = {{1, 1, 2}, {1, 1, 1}};
  Kernel b = a;
  b.needs.registers = 30;
  b.range = {{1, 1, 6}, {1, 1, 1}};
  const FullRun run = run_fully(device, workload_of({a, b}));
  CHECK(run.timeline[0].counts.resident.threads == 4);
  CHECK(run.timeline.back().time == at(ps(20)));
}
