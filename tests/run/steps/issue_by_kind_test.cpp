#include "run/sharing.hpp"
#include "support/random_values.hpp"

#include <gdsim/device/device_rules.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <algorithm>

using namespace gdsim;
using namespace gdsim::testing;

// Steps that count instructions by kind: no run is faster than the rates of the device.

namespace {

Step issue_kinds(std::vector<InstructionCount> kinds) { return IssueSlots{{}, std::move(kinds)}; }

/// One core at 1 GHz, so that a cycle is a nanosecond.
DeviceSpec device_with_rates(std::uint32_t contexts, std::uint32_t engines = 1) {
  return with(device_of(1, contexts, engines), [](DeviceSpec& d) {
    d.clock = Hertz{1'000'000'000};
    d.arithmetic = {{"fp32", Decimal::whole(4)}, {"fp64", Decimal{5, -1}}, {"tensor_fp16", Decimal::whole(128)}};
  });
}

/// Operations of each kind that the device can do at most in this time, in picoseconds, x 10^18: exact.
UInt128 capacity(const DeviceSpec& device, const Decimal& rate, Duration time) {
  const std::uint64_t engines = std::uint64_t{device.cores} * device.engines_per_core;
  const auto millionths = static_cast<UInt128>(*round_product({rate, Decimal::whole(1'000'000)}));
  return static_cast<UInt128>(time.count) * static_cast<UInt128>(device.clock->count) * engines * millionths;
}

}  // namespace

TEST_CASE("a step by kinds takes as long as its slowest kind") {
  const auto time = [](std::vector<InstructionCount> kinds) {
    return duration(device_with_rates(4), workload_of({kernel_of(1, 1, {issue_kinds(std::move(kinds))})}));
  };
  CHECK(time({{"fp32", 100}}) == ns(200));
  CHECK(time({{"fp32", 100}, {"fp64", 100}}) == ns(1'600));
  CHECK(time({{"tensor_fp16", 1'280}}) == ns(10));
}

TEST_CASE("threads of one engine share each of its pipes") {
  DeviceSpec device = device_with_rates(4);
  const auto time = [&](std::uint64_t threads, const Program& program) {
    return duration(device, workload_of({kernel_of(1, threads, program)}));
  };
  const Step fp32 = issue_kinds({{"fp32", 100}});
  const Program apart{Only{{{0, 0}}, {fp32}}, Only{{{1, 1}}, {issue_kinds({{"fp64", 10}})}}};
  CHECK(time(3, {fp32}) == ns(600));
  CHECK(time(2, apart) == ns(200));
  device.arithmetic[0].pipe = device.arithmetic[1].pipe = "vector";
  CHECK(time(2, apart) == ns(360));
  CHECK(time(1, {issue_kinds({{"fp32", 100}, {"fp64", 10}})}) == ns(360));
}

TEST_CASE("each instruction waits for the result of the one `dependence` before it, whatever other threads do") {
  DeviceSpec device = device_with_rates(8);
  device.arithmetic[0].latency = Decimal::whole(6);
  const auto time = [&](std::uint64_t threads, std::optional<std::uint32_t> dependence,
                        std::vector<InstructionCount> kinds = {{"fp32", 100}}) {
    Kernel kernel = kernel_of(1, threads, {issue_kinds(std::move(kinds))});
    kernel.dependence = dependence;
    return duration(device, workload_of({kernel}));
  };
  CHECK(time(1, std::nullopt) == ns(200));
  CHECK(time(1, 1) == ns(600));
  CHECK(time(2, 1) == ns(600));  // the pipe is busy for 400
  CHECK(time(4, 1) == ns(800));
  CHECK(time(1, 2) == ns(300));
  CHECK(time(1, 4) == ns(200));
  CHECK(time(1, 7, {{"fp32", 1}, {"tensor_fp16", 1}}) == ns(2));
  // The iterations of a loop follow each other as the instructions of one step do.
  Kernel loop = kernel_of(1, 1, {Loop{10, {issue_kinds({{"fp32", 3}})}}});
  loop.dependence = 2;
  CHECK(duration(device, workload_of({loop})) == ns(90));
  // Kinds without a latency are not waited for.
  CHECK(time(1, 1, {{"fp32", 10}, {"tensor_fp16", 1'280}}) == ns(60));
}

TEST_CASE("all tensor kinds have one pipe, beside which other kinds go on") {
  DeviceSpec device = device_with_rates(4);
  device.arithmetic.push_back({"tensor_int8", Decimal::whole(256)});
  const auto time = [&](const Step& a, const Step& b) {
    return duration(device, workload_of({kernel_of(1, 2, {Only{{{0, 0}}, {a}}, Only{{{1, 1}}, {b}}})}));
  };
  const Step half = issue_kinds({{"tensor_fp16", 12'800}});
  CHECK(time(half, issue_kinds({{"tensor_int8", 25'600}})) == ns(200));
  CHECK(time(half, issue_kinds({{"fp32", 50}})) == ns(100));
}

TEST_CASE("issue slots are shared by kinds of all pipes") {
  DeviceSpec device = device_with_rates(4);
  for (ArithmeticRate& rate : device.arithmetic) rate.per_cycle = Decimal::whole(8);  // an instruction per cycle
  const Program apart{Only{{{0, 0}}, {issue_kinds({{"fp32", 100}})}}, Only{{{1, 1}}, {issue_kinds({{"fp64", 100}})}}};
  CHECK(duration(device, workload_of({kernel_of(1, 2, apart)})) == ns(200));
}

TEST_CASE("a loop around such a step is rounded up once, not in each iteration") {
  const DeviceSpec device =
      with(device_with_rates(4), [](DeviceSpec& d) { d.clock = Hertz{3'000'000'000}; });  // 333.3 ps per cycle
  const Step once = issue_kinds({{"fp32", 1}});
  CHECK(duration(device, workload_of({kernel_of(1, 1, {once})})) == ps(667));
  CHECK(duration(device, workload_of({kernel_of(1, 1, {loop(1'000, {once})})})) == ps(666'667));
  CHECK(duration(device, workload_of({kernel_of(1, 1, {loop(1'000, {once, barrier()})})})) == ps(667'000));
}

TEST_CASE("a default draw does not let equal work be done faster than the rates") {
  Kernel kernel = kernel_of(1, 1, {issue_kinds({{"fp32", 1'000'000}})});
  kernel.variation.is_lock_step = false;
  kernel.variation.draw = draw_in_force(kernel);
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    kernel.variation.draw->seed = seed;
    const Duration time = duration(device_with_rates(4), workload_of({kernel}));
    CHECK(time >= ms(2));
    CHECK(time <= us(2'020));
  }
  kernel.variation = {};
  kernel.program = {compute(ps(1)), IssueSlots{step_time(ps(3))}};
  CHECK_FALSE(draw_in_force(kernel)->only_lengthens);
}

TEST_CASE("no run exceeds the peak of its device, in any kind") {
  rc::prop("of several threads per engine, in loops and steps, with a default draw or in lock step", [] {
    DeviceSpec device = device_with_rates(between(1U, 6U), between(1U, 4U));
    device.cores = between(1U, 3U);
    device.clock = Hertz{one_of<std::int64_t>({1'000'000'000, 1'410'000'000, 1'695'000'000, 2'520'000'000, 7'777'777})};
    device.fused_engines = between(1U, device.engines_per_core);
    for (ArithmeticRate& rate : device.arithmetic) rate.per_cycle = Decimal{between<std::uint64_t>(1, 9'999), -2};
    std::vector<UInt128> done(device.arithmetic.size(), 0);
    const std::uint64_t groups = between<std::uint64_t>(1, 12);
    const std::uint64_t threads = between<std::uint64_t>(1, device.contexts_per_core());
    Program program;
    for (int steps = between(1, 3); steps > 0; --steps) {
      std::vector<InstructionCount> kinds;
      const std::uint64_t iterations = between<std::uint64_t>(1, 50);
      for (std::size_t k = 0; k < device.arithmetic.size(); ++k) {
        if (!kinds.empty() && between(0, 1) == 0) continue;
        const std::string& kind = device.arithmetic[k].kind;
        kinds.push_back({kind, between<std::uint64_t>(1, 300)});
        done[k] += UInt128{kinds.back().count} * iterations * groups * threads * (is_tensor_kind(kind) ? 1 : 8);
      }
      const Step step = issue_kinds(std::move(kinds));
      program.push_back(between(0, 1) == 0 ? loop(iterations, {step}) : loop(iterations, {step, barrier()}));
    }
    Kernel kernel = kernel_of(groups, threads, program);
    kernel.variation.is_lock_step = between(0, 1) == 0;
    const Duration time = duration(device, workload_of({kernel}));
    for (std::size_t k = 0; k < done.size(); ++k) {
      constexpr UInt128 scale = UInt128{1'000'000} * 1'000'000 * 1'000'000;  // of capacity()
      RC_ASSERT(done[k] * scale <= capacity(device, device.arithmetic[k].per_cycle, time));
    }
  });
}
