#include "support/builders.hpp"

#include <gdsim/occupancy/occupancy.hpp>

#include <catch2/catch.hpp>

#include <limits>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

Kernel question(std::uint64_t local) {
  Kernel kernel;
  kernel.range.local = {1, 1, local};
  kernel.sub_group = 8;
  return kernel;
}

std::string refused(const Kernel& kernel, const DeviceSpec& device) {
  try {
    occupancy_of(kernel, device);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("the occupancy of a kernel without a program and a global size is that of one with both") {
  // 8 contexts per core; 2 threads of 8 work-items each.
  const Occupancy occupancy = occupancy_of(question(16), small_device());
  CHECK(occupancy.status == FitStatus::ok);
  CHECK(occupancy.refusals.empty());
  CHECK(occupancy.work_groups_per_core == 4);
  CHECK(occupancy.threads_per_core == 8);
  CHECK(to_fixed(occupancy.percent, 1) == "100.0");
  CHECK(occupancy.limiters == std::vector{Resource::threads});
  CHECK(occupancy.limits.limit_of(Resource::threads) == 4U);
  CHECK_FALSE(occupancy.waves.has_value());
  Kernel uneven = question(16);
  uneven.range.global = {1, 1, 17};
  CHECK(occupancy_of(uneven, small_device()).status == FitStatus::ok);
  CHECK(occupancy_of(uneven, small_device(), GlobalSize::given).status == FitStatus::refused);
}

TEST_CASE("what the device refuses is a status with its code and the field at fault, not an error") {
  const Occupancy occupancy = occupancy_of(question(1'000'000), small_device());
  CHECK(occupancy.status == FitStatus::refused);
  CHECK(occupancy.work_groups_per_core == 0);
  REQUIRE(occupancy.refusals.size() == 1);
  CHECK(occupancy.refusals.front().code == "work_group_too_large");
  CHECK(occupancy.refusals.front().path == "local");
  const Occupancy none = occupancy_of(question(0), small_device());
  CHECK(none.status == FitStatus::refused);
  CHECK(none.refusals.front().code == "work_group_empty");
}

TEST_CASE("values that cannot be computed with are issues of the occupancy, all at once, and crash nothing") {
  Kernel kernel = question(16);
  kernel.sub_group = 0;
  kernel.needs.slm.total = Bytes{-1};
  CHECK_THAT(refused(kernel, small_device()),
             Catch::Contains("kernel.sub_group: is 0") && Catch::Contains("kernel.slm: is -1"));
  CHECK_THAT(refused(question(std::uint64_t{1} << 40), small_device()),
             Catch::Contains("kernel.local: a work-group has more than 4294967295 work-items"));
  kernel = question(16);
  kernel.range.local = {std::uint64_t{1} << 32, std::uint64_t{1} << 32, 2};
  CHECK_THAT(refused(kernel, small_device()), Catch::Contains("kernel.local"));
  kernel = question(16);
  kernel.cluster = {std::numeric_limits<std::uint64_t>::max(), 2};
  CHECK(occupancy_of(kernel, small_device()).status == FitStatus::refused);
  CHECK_THAT(refused(question(16), DeviceSpec{}), Catch::Contains("device."));
  const DeviceSpec no_granule = with(small_device(), [](DeviceSpec& d) { d.slm.granule = Bytes{0}; });
  CHECK_THAT(refused(question(16), no_granule), Catch::Contains("device.slm"));
}
