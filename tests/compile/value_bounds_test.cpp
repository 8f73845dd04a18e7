#include "support/builders.hpp"

#include <catch2/catch.hpp>

#include <functional>

// Every number of a workload that has a smallest or a largest value: that one can be compiled, the one beside it is
// refused by name. Those of devices are tried in check_device_test.cpp.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// A device that has all the rules whose numbers are checked.
DeviceSpec device_with_everything() {
  return with(small_device(), [](DeviceSpec& d) {
    d.slm_access = SlmAccess{};
    d.slm_access->banks = 16;
    d.slm_access->bank_width = Bytes{4};
    d.memory = MemoryRule{};
    d.memory->levels = {{"L", Bytes{1024}, BytesPerSecond{1'000'000'000}, {}},
                        {"M", {}, BytesPerSecond{1'000'000'000}, {}}};
    d.arithmetic = {{"fp32", Decimal::whole(1'000)}};
    d.l1 = L1Rule{Decimal::whole(1'000'000), {}};
    d.atomics = {Decimal::whole(1), Decimal::whole(1)};
    d.copy = CopyRule{1, BytesPerSecond{1'000'000'000}, {}};
    d.dispatch.batch = BatchRule{2, {1, 0}, {1, 0}};
  });
}

Workload workload_with_everything() {
  Workload workload = workload_of({kernel_of(2, 1, {compute(ps(5)), compute(ps(1))})});
  workload.launches.push_back({"copy", Copy{Bytes{1'000'000}, CopyDirection::host_to_device}, {}});
  return workload;
}

struct Bound {
  std::string path;
  std::uint64_t min = 0;
  std::optional<std::uint64_t> max;  ///< nothing: it is not this check that says what is too much
  std::function<void(DeviceSpec&, Workload&, std::uint64_t)> set;
};

/// What compile() says of this path.
std::vector<std::string> messages(const Bound& bound, std::uint64_t value) {
  DeviceSpec device = device_with_everything();
  Workload workload = workload_with_everything();
  bound.set(device, workload, value);
  std::vector<std::string> found;
  for (const Issue& issue : compile(device, device.dispatch, workload).issues())
    if (issue.path == bound.path) found.push_back(issue.message);
  return found;
}

std::int64_t amount(std::uint64_t value) { return static_cast<std::int64_t>(value); }
std::uint32_t small(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

/// The kernel's second step becomes this.
template <class Make>
auto step(Make make) {
  return [make](DeviceSpec&, Workload& w, std::uint64_t v) { w.kernels[0].program[1] = make(v); };
}

std::vector<Bound> bounds() {
  using D = DeviceSpec;
  using W = Workload;
  using N = std::uint64_t;
  const std::string program = "kernels[0].program[1].";
  return {
      {program + "issue.fp32", 1, N{1} << 40, step([](N v) {
         return IssueSlots{{}, {{"fp32", v}}};
       })},
      {program + "issue.l1[0].lines", 1, N{1} << 40, step([](N v) {
         return IssueSlots{{}, {{"fp32", 1}}, {{v, {}, 1, {}, 0, {}}}};
       })},
      {program + "issue.l1[0].requests", 1, N{1} << 40, step([](N v) {
         return IssueSlots{{}, {{"fp32", 1}}, {{1, {}, v, {}, 0, {}}}};
       })},
      {program + "issue.l1[0].sectors", 0, N{1} << 40, step([](N v) {
         return IssueSlots{{}, {{"fp32", 1}}, {{1, {}, 1, v, 0, {}}}};
       })},
      {program + "issue.l1[0].coalesced", 1, 9, step([](N v) {
         return IssueSlots{{}, {{"fp32", 1}}, {{9, v, 1, {}, 0, {}}}};
       })},
      {program + "issue.l1[0].excess_sectors", 0, N{1} << 40, step([](N v) {
         return IssueSlots{{}, {{"fp32", 1}}, {{1, {}, 1, {}, 0, {}, v}}};
       })},
      {program + "memory.written.whole", 0, 1'000'000'000, step([](N v) {
         return Memory{Bytes{32}, false, false, WrittenSectors{v, 1}};
       })},
      {program + "memory.written.partial", 0, 1'000'000'000, step([](N v) {
         return Memory{Bytes{32}, false, false, WrittenSectors{1, v}};
       })},
      {program + "slm.accesses", 1, N{1} << 40, step([](N v) {
         return Slm{v, 1, 4};
       })},
      {program + "slm.stride", 0, N{1} << 20, step([](N v) {
         return Slm{1, v, 4};
       })},
      {program + "slm.bytes", 1, 1'024, step([](N v) {
         return Slm{1, 1, v};
       })},
      {program + "atomic.accesses", 1, N{1} << 20, step([](N v) {
         return Atomic{v, 1, AtomicSpace::slm};
       })},
      {program + "atomic.addresses", 1, N{1} << 40, step([](N v) {
         return Atomic{1, v, AtomicSpace::global};
       })},
      {program + "loop.count", 0, N{1} << 60, step([](N v) {
         return Loop{v, {compute(ps(1))}};
       })},
      {program + "wait_memory.outstanding", 0, 63, step([](N v) { return WaitMemory{v}; })},
      {"kernels[0].carveout_percent", 0, 100,
       [](D&, W& w, N v) { w.kernels[0].needs.slm.carveout_percent = small(v); }},
      {"kernels[0].slm.dynamic", 0, 1'000,
       [](D&, W& w, N v) {
         w.kernels[0].needs.slm.total = Bytes{1'000};
         w.kernels[0].needs.slm.dynamic = Bytes{amount(v)};
       }},
      {"launches[1].copy.bytes",
       1,
       {},
       [](D&, W& w, N v) {
         w.launches[1].work = Copy{Bytes{amount(v)}, {}};
       }},
      {"device.clock", 1, 1'000'000'000'000, [](D& d, W&, N v) { d.clock = Hertz{amount(v)}; }},
  };
}

}  // namespace

TEST_CASE("values of everything that has a smallest and a largest one can be compiled") {
  const DeviceSpec device = device_with_everything();
  CHECK(compile(device, device.dispatch, workload_with_everything()).issues().empty());
}

TEST_CASE("the smallest and the largest value of a number are taken, and what lies beside them is refused with both") {
  for (const Bound& bound : bounds()) {
    INFO(bound.path);
    CHECK(messages(bound, bound.min) == std::vector<std::string>{});
    const auto says = [&](std::uint64_t value, const std::string& beyond) {
      const auto found = messages(bound, value);
      REQUIRE_FALSE(found.empty());
      CHECK_THAT(found.front(), Catch::StartsWith("is " + std::to_string(value) + "; it must be from " + beyond));
    };
    if (bound.min > 0)
      says(bound.min - 1, std::to_string(bound.min) + " to " + (bound.max ? std::to_string(*bound.max) : ""));
    if (!bound.max) continue;
    CHECK(messages(bound, *bound.max) == std::vector<std::string>{});
    says(*bound.max + 1, std::to_string(bound.min) + " to " + std::to_string(*bound.max));
  }
}
