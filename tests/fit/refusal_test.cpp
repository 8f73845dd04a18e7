#include "support/builders.hpp"
#include "support/random_values.hpp"
#include <gdsim/fit/core.hpp>
#include <gdsim/fit/footprint.hpp>
#include <gdsim/fit/limits.hpp>

#include <catch2/catch.hpp>
#include <rapidcheck/catch.h>

#include <algorithm>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// The one refusal of a kernel of 2 threads with one change, on the small device.
template <class Change>
Refusal refusal_after(Change change) {
  const auto found = refusals(with(kernel_of(4, 2, {compute(us(1))}), change), small_device());
  REQUIRE(found.size() == 1);
  return found.front();
}

}  // namespace

TEST_CASE("a kernel that fits an empty core is not refused") {
  CHECK(refusals(kernel_of(4, 8, {barrier(), compute(us(1))}), small_device()).empty());
}

TEST_CASE("a work-group beyond the device's limit is refused with both numbers") {
  const Refusal refusal = refusal_after([](Kernel& k) {
    k.range.local = {1, 1, 128};
    k.range.global = {1, 1, 256};
  });
  CHECK(refusal.code == "work_group_too_large");
  CHECK(refusal.field == "local");
  CHECK(refusal.message == "a work-group has 128 work-items, small allows at most 64");
}

TEST_CASE("a work-group with more threads than a core has contexts is refused under any admission") {
  const Refusal refusal = refusal_after([](Kernel& k) {
    k.sub_group = 1;
    k.range.local = {1, 1, 9};
    k.range.global = {1, 1, 18};
  });
  CHECK(refusal.code == "work_group_too_large");
  CHECK(refusal.message ==
        "a work-group has 9 threads, each core of small has 8 contexts; it fits with `sub_group: 8` (2 threads), or "
        "with at most 8 work-items");
}

TEST_CASE(
    "a work-group that is too large in large-GRF mode is refused with a sub-group size, if one is wide enough, and a "
    "work-group size") {
  DeviceSpec device = small_device();
  device.large_grf_contexts = 2;
  const auto message = [&](std::uint64_t size, std::uint32_t sub_group) {
    Kernel kernel = kernel_of(1, 1, {compute(us(1))});
    kernel.needs.grf = GrfMode::large;
    kernel.sub_group = sub_group;
    kernel.range.local = kernel.range.global = {1, 1, size};
    const auto found = refusals(kernel, device);
    REQUIRE(found.size() == 1);
    return found.front().message;
  };
  const std::string has = " threads, each core of small has 4 contexts in large-GRF mode; it fits with ";
  CHECK(message(32, 1) == "a work-group has 32" + has + "`sub_group: 8` (4 threads), or with at most 4 work-items");
  CHECK(message(33, 1) == "a work-group has 33" + has + "at most 4 work-items");
  CHECK(message(64, 8) == "a work-group has 8" + has + "at most 32 work-items");
}

TEST_CASE("too much SLM is refused by the limit that it breaks first") {
  Kernel kernel = kernel_of(1, 1, {compute(us(1))});
  kernel.needs.slm.total = Bytes{656384};
  DeviceSpec device = small_device();
  device.slm.per_core = device.slm.per_work_group = Bytes{131072};
  device.slm.sizes = {Bytes{65536}, Bytes{131072}};
  CHECK(refusals(kernel, device).front().message ==
        "a work-group asks for 656384 B of SLM, small gives a work-group at most 131072 B (128 KiB)");
  device.slm.sizes = {Bytes{65536}};
  kernel.needs.slm.total = Bytes{70000};
  CHECK(refusals(kernel, device).front().message ==
        "a work-group asks for 70000 B of SLM, small hands it out in sizes up to 65536 B (64 KiB)");
  device.slm = SlmRule{};
  device.slm.per_core = Bytes{1024};
  device.slm.per_work_group = Bytes{4096};
  kernel.needs.slm.total = Bytes{2048};
  CHECK(refusals(kernel, device).front().message ==
        "a work-group asks for 2048 B of SLM, small has 1024 B (1 KiB) per core");
}

TEST_CASE("barriers, sub-group sizes and uneven ranges are refused by name") {
  CHECK(refusal_after([](Kernel& k) { k.needs.barriers = 9; }).code == "too_many_barriers");
  const Refusal sub_group = refusal_after([](Kernel& k) { k.sub_group = 4; });
  CHECK(sub_group.code == "unsupported_sub_group");
  CHECK(sub_group.message == "4 is not a sub-group size of small (1, 8)");
  CHECK(refusal_after([](Kernel& k) { k.range.global[2] += 1; }).code == "global_not_a_multiple");
}

TEST_CASE("an uneven range is allowed where the kernel says so") {
  Kernel kernel = kernel_of(4, 2, {compute(us(1))});
  kernel.range.global[2] += 1;
  kernel.edge_groups = EdgeGroups::smaller;
  CHECK(refusals(kernel, small_device()).empty());
}

TEST_CASE("a work-group's registers are counted as if its threads filled all engines, where the device says so") {
  // 80 registers for each thread.
  for (const WorkGroupRegisterBasis count : {WorkGroupRegisterBasis::threads, WorkGroupRegisterBasis::full_engines})
    for (std::uint32_t engines = 1; engines <= 4; ++engines)
      for (std::uint64_t threads = 1; threads <= std::min(8U, 4 * engines); ++threads) {
        std::uint64_t counted = threads;
        while (count == WorkGroupRegisterBasis::full_engines && counted % engines != 0) ++counted;
        const std::string taken = std::to_string(80 * counted);
        INFO(threads << " threads on " << engines << " engines: " << taken << " registers");
        Kernel kernel = kernel_of(4, threads, {compute(us(1))});
        kernel.needs.registers = 10;
        DeviceSpec device = small_device();
        device.engines_per_core = engines;
        device.registers = RegisterRule{};
        device.registers->per_engine = 100'000;
        device.registers->work_group_basis = count;
        CHECK(registers_per_work_group(kernel, device) == 80 * counted);
        device.registers->per_work_group = 80 * counted;
        CHECK(refusals(kernel, device).empty());
        CHECK(limits_of(kernel, device).work_groups[static_cast<std::size_t>(Resource::registers)] > 0U);
        device.registers->per_work_group = 80 * counted - 1;
        REQUIRE(refusals(kernel, device).size() == 1);
        CHECK(refusals(kernel, device).front().code == "too_many_registers");
        CHECK(refusals(kernel, device).front().message ==
              "a work-group takes " + taken + " registers, small allows at most " + std::to_string(80 * counted - 1));
        CHECK(limits_of(kernel, device).work_groups[static_cast<std::size_t>(Resource::registers)] == 0U);
      }
}

TEST_CASE("a work-item's registers are refused beyond the most that the device allows it") {
  DeviceSpec device = small_device();
  device.registers = RegisterRule{};
  device.registers->per_engine = 100'000;
  device.registers->per_work_item = 255;
  Kernel kernel = kernel_of(4, 2, {compute(us(1))});
  kernel.needs.registers = 255;
  CHECK(refusals(kernel, device).empty());
  kernel.needs.registers = 256;
  REQUIRE(refusals(kernel, device).size() == 1);
  CHECK(refusals(kernel, device).front().message == "a work-item uses 256 registers, small allows at most 255");
}

TEST_CASE("threads whose registers do not fit into the files are refused, and the last that fit are not") {
  // 80 registers a thread, 3 threads: two of them on one of the engines.
  DeviceSpec device = small_device();
  device.registers = RegisterRule{};
  Kernel kernel = kernel_of(4, 3, {compute(us(1))});
  kernel.needs.registers = 10;
  device.registers->per_engine = 160;
  CHECK(refusals(kernel, device).empty());
  device.registers->per_engine = 159;
  REQUIRE(refusals(kernel, device).size() == 1);
  CHECK(refusals(kernel, device).front().message ==
        "3 threads of 80 registers each do not fit into the 2 files of 159");
}

TEST_CASE(
    "a thread has 128 registers of its own whatever its sub-group size, in large mode 256, and more are refused") {
  DeviceSpec device = small_device();
  device.grf_per_context = Bytes{4096};
  device.large_grf_contexts = 2;
  Kernel kernel = kernel_of(4, 1, {compute(us(1))});
  for (const std::uint32_t sub_group : {1U, 8U}) {
    kernel.sub_group = sub_group;
    kernel.needs.registers = 128;
    CHECK(refusals(kernel, device).empty());
    kernel.needs.registers = 129;
    REQUIRE(refusals(kernel, device).size() == 1);
  }
  const Refusal refusal = refusals(kernel, device).front();
  CHECK(refusal.code == "too_many_registers");
  CHECK(refusal.field == "registers");
  CHECK(refusal.message == "a thread uses 129 GRFs, small gives it 128; `large_grf: true` gives it 256");
  kernel.needs.grf = GrfMode::large;
  CHECK(refusals(kernel, device).empty());
  kernel.needs.registers = 257;
  CHECK(
      refusals(kernel, device).front().message ==
      "a thread uses 257 GRFs, small gives it 256; `registers` is what Intel's compiler prints: GRFs of a thread, not "
      "registers of a work-item");
}

TEST_CASE("a device refuses exactly the work-groups that an empty core of it refuses, for the same resource") {
  const DeviceSpec device = with(small_device(), [](DeviceSpec& d) { d.registers.emplace().per_engine = 600; });
  int refused = 0;
  rc::prop("whatever a work-group needs", [&] {
    const auto threads = between<std::uint32_t>(1, 8);
    Kernel kernel = kernel_of(1, threads, {compute(us(1))});
    kernel.needs.registers = between(0U, 60U);
    kernel.needs.barriers = between(0U, 20U);
    kernel.needs.slm.total = Bytes{between<std::int64_t>(0, 12'000)};
    const auto reason =
        Core(device, EngineDetail::each).refusal(make_footprint(kernel, device, threads), Admission::whole);
    const auto refused_for = [&](std::string_view code) {
      const std::vector<Refusal> all = core_refusals(kernel, device);
      return std::any_of(all.begin(), all.end(), [&](const Refusal& refusal) { return refusal.code == code; });
    };
    RC_ASSERT(reason.has_value() == !core_refusals(kernel, device).empty());
    if (reason == WaitReason::slm) RC_ASSERT(refused_for("slm_too_large"));
    if (reason == WaitReason::barriers) RC_ASSERT(refused_for("too_many_barriers"));
    if (reason == WaitReason::registers) RC_ASSERT(refused_for("too_many_registers"));
    refused += reason ? 1 : 0;
  });
  CHECK(refused > 10);
}
