#include "support/builders.hpp"

#include <gdsim/program/program_plan.hpp>

#include <catch2/catch.hpp>

#include <utility>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

DeviceSpec device_with_everything() {
  DeviceSpec device = one_core();
  device.slm_access = SlmAccess{32, Bytes{4}, {}};
  device.slm_access->latency = {Decimal::whole(20), StepTime::Unit::cycles};
  device.atomics = {Decimal::whole(1), Decimal{5, -1}};
  device.barrier_cost = {picoseconds(100), picoseconds(7)};
  return device;
}

/// What a work-group of four threads does.
ProgramPlan plan_of(Program program, Variation variation = lock_step()) {
  Kernel kernel = kernel_of(10, 4, std::move(program));
  kernel.variation = std::move(variation);
  return {kernel, device_with_everything()};
}

std::vector<OpCode> kinds(const ProgramPlan& plan) {
  std::vector<OpCode> kinds;
  for (std::uint32_t i = 0; i < plan.size(); ++i) kinds.push_back(plan.op(i).kind);
  return kinds;
}

std::vector<std::int64_t> amounts(const ProgramPlan& plan, std::uint64_t work_group = 0, Wave wave = Wave::later) {
  const auto row = plan.amounts(group(work_group), wave);
  return {row.begin(), row.end()};
}

using Kinds = std::vector<OpCode>;
using Row = std::vector<std::int64_t>;

Step loop(std::uint64_t count, Program body) { return Loop{count, std::move(body)}; }
Step only(std::vector<ThreadRange> threads, Program body) { return Only{std::move(threads), std::move(body)}; }
Step bytes(std::int64_t count) { return Memory{Bytes{count}}; }

}  // namespace

TEST_CASE("threads that take the same path share it, and paths part where a step names threads") {
  const ProgramPlan plan =
      plan_of({compute(ps(5)), only({{1, 1}, {3, 3}}, {barrier()}), only({{1, 2}}, {compute(ps(7))})});
  std::vector<std::pair<std::uint32_t, std::uint32_t>> roles;
  for (const Role& role : plan.roles()) roles.emplace_back(role.first_thread, role.first_op);
  CHECK(roles == std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 0}, {1, 2}, {2, 6}, {3, 9}});
  CHECK(kinds(plan) == Kinds{OpCode::compute, OpCode::end,                                    // thread 0
                             OpCode::compute, OpCode::barrier, OpCode::compute, OpCode::end,  // thread 1
                             OpCode::compute, OpCode::compute, OpCode::end,                   // thread 2
                             OpCode::compute, OpCode::barrier, OpCode::end});                 // thread 3
}

TEST_CASE("paths do not part behind the last thread of a work-group") {
  CHECK(plan_of({only({{0, 3}}, {compute(ps(5))})}).roles().size() == 1);
  CHECK(plan_of({only({{3, 3}}, {compute(ps(5))})}).roles().size() == 2);
}

TEST_CASE("steps are numbered as they are written, also those that a thread does not execute") {
  const ProgramPlan plan = plan_of({only({{1, 3}}, {compute(ps(1)), compute(ps(2))}), bytes(64)});
  CHECK(plan.op(0).kind == OpCode::memory);
  CHECK(plan.op(0).step == 3);
  CHECK(plan.op(plan.roles()[1].first_op + 1).step == 2);
}

TEST_CASE("a loop of nothing but fixed times, or of one piece of work, is one op of as much work") {
  const ProgramPlan times = plan_of({loop(10, {compute(ps(3)), loop(2, {compute(ps(4))})})});
  CHECK(kinds(times) == Kinds{OpCode::compute, OpCode::end});
  CHECK(amounts(times) == Row{110, 0});
  const ProgramPlan memory = plan_of({loop(10, {loop(3, {bytes(64)})})});
  CHECK(kinds(memory) == Kinds{OpCode::memory, OpCode::end});
  CHECK(amounts(memory) == Row{1'920, 0});
  CHECK(memory.op(0).chunk == 64);
}

TEST_CASE("other loops lead back to their first op, inner ones with a counter of their own") {
  const ProgramPlan plan =
      plan_of({compute(ps(1)), loop(5, {bytes(64), loop(7, {compute(ps(2)), bytes(32)}), barrier()})});
  REQUIRE(kinds(plan) == Kinds{OpCode::compute, OpCode::memory, OpCode::compute, OpCode::memory, OpCode::loop_end,
                               OpCode::barrier, OpCode::loop_end, OpCode::end});
  CHECK((plan.op(4).target == 2 && plan.op(4).count == 7 && plan.op(4).depth == 1));
  CHECK((plan.op(6).target == 1 && plan.op(6).count == 5 && plan.op(6).depth == 0));
}

TEST_CASE("an op knows how often its thread was at such a one before, once and per iteration of each loop around it") {
  const ProgramPlan plan =
      plan_of({barrier(), loop(5, {barrier(), loop(7, {barrier(), bytes(64)}), bytes(32)}), barrier(), bytes(16)});
  const auto counts = [&](std::uint32_t op) {
    return std::vector<std::uint64_t>{plan.op(op).before, plan.op(op).per_iteration[0], plan.op(op).per_iteration[1]};
  };
  using Counts = std::vector<std::uint64_t>;
  CHECK(counts(0) == Counts{0, 0, 0});
  CHECK(counts(1) == Counts{1, 8, 0});  // 1 + 7 arrivals per iteration
  CHECK(counts(2) == Counts{2, 8, 1});
  CHECK(counts(3) == Counts{0, 8, 1});  // memory steps are counted apart from barriers
  CHECK(counts(5) == Counts{7, 8, 0});
  CHECK(counts(7) == Counts{41, 0, 0});  // barriers: 1 + 5 x 8
  CHECK(counts(8) == Counts{40, 0, 0});
}

TEST_CASE("arrivals at a split barrier are counted apart from waits for it") {
  const ProgramPlan plan = plan_of({Signal{"a"}, Signal{"a"}, Wait{"a"}, Barrier{"b"}, Signal{"a"}, Wait{"a"}});
  std::vector<std::uint64_t> before;
  for (std::uint32_t i = 0; i < 6; ++i) before.push_back(plan.op(i).before);
  CHECK(before == std::vector<std::uint64_t>{0, 1, 0, 0, 2, 1});
}

TEST_CASE("threads arrive at the nameless barrier all, at a named one if their path has an arrival there") {
  const ProgramPlan plan = plan_of({barrier(), only({{0, 1}}, {Signal{"a"}}), only({{2, 2}}, {Wait{"a"}}),
                                    LaunchChild{KernelId{0}, ChildWait::yes}});
  REQUIRE(plan.barrier_count() == 3);
  CHECK((plan.barrier_name(0).empty() && plan.barrier_name(1) == "a" && plan.barrier_name(2) == "child 0"));
  CHECK(plan.participants(0, 4) == 4);
  CHECK(plan.participants(1, 4) == 2);
  CHECK(plan.participants(1, 1) == 1);  // a smaller work-group at an edge
  CHECK(plan.participants(2, 4) == 0);
  CHECK((plan.barrier_of_child(0) == 2 && plan.is_of_child(2) && !plan.is_of_child(1)));
  CHECK(plan.barrier_cost(4) == ps(128));
}

TEST_CASE("children are numbered in the order of the program, and each has a barrier of its own") {
  const ProgramPlan plan = plan_of(
      {LaunchChild{KernelId{0}, ChildWait::no}, barrier(), compute(ps(1)), LaunchChild{KernelId{0}, ChildWait::yes}});
  CHECK((plan.op(0).child == 0 && plan.op(0).barrier == 1 && !plan.op(0).awaits_child));
  CHECK((plan.op(3).child == 1 && plan.op(3).barrier == 2 && plan.op(3).awaits_child));
}

TEST_CASE("a thread with asynchronous loads waits for them at its end") {
  const ProgramPlan plan = plan_of({Memory{Bytes{64}, true}, Memory{Bytes{64}, true}, WaitMemory{1}, bytes(32)});
  CHECK(kinds(plan) ==
        Kinds{OpCode::load, OpCode::load, OpCode::wait_memory, OpCode::memory, OpCode::wait_memory, OpCode::end});
  CHECK((plan.op(2).outstanding == 1 && plan.op(4).outstanding == 0));
  CHECK(plan.has_memory());
}

TEST_CASE("what threads can be served first at is memory, issue slots and SLM") {
  const auto has_precedence = [](const Step& step) { return plan_of({step}).has_precedence(); };
  CHECK(has_precedence(bytes(64)));
  CHECK(has_precedence(IssueSlots{picoseconds(3)}));
  CHECK(has_precedence(Slm{1, 1, 4}));
  CHECK_FALSE(has_precedence(compute(ps(1))));
  CHECK_FALSE(plan_of({compute(ps(1)), barrier()}).has_precedence());
}

TEST_CASE("an access of SLM takes as many cycles as its busiest bank has words, and the latency once") {
  const ProgramPlan plan = plan_of({Slm{10, 32, 4}});  // stride 32 of 32 banks: all 8 lanes in one
  CHECK(kinds(plan) == Kinds{OpCode::slm, OpCode::compute, OpCode::end});
  CHECK(amounts(plan) == Row{10 * 8 * 1'000, 20'000, 0});
}

TEST_CASE("atomic accesses of equal addresses are served one after the other") {
  // 8 lanes at 2 addresses of SLM, one per cycle: 4 cycles an access; at 8 addresses, all at once.
  CHECK(amounts(plan_of({Atomic{3, 2, AtomicSpace::slm}})) == Row{3 * 4 * 1'000, 20'000, 0});
  CHECK(amounts(plan_of({Atomic{3, 8, AtomicSpace::slm}})) == Row{3 * 1'000, 20'000, 0});
  // 3 x 8 accesses at 2 global addresses, half of one per cycle: 24 cycles, and a word of each address as traffic.
  const ProgramPlan global = plan_of({Atomic{3, 2, AtomicSpace::global}});
  CHECK(kinds(global) == Kinds{OpCode::memory, OpCode::atomics, OpCode::end});
  CHECK(amounts(global) == Row{3 * 2 * 4, 24'000, 0});
}

TEST_CASE("declared factors multiply each step's time, and the bytes of a loop all together, rounded once") {
  Variation variation;
  variation.factors = {{group(2), Decimal{15, -1}, {}}, {group(7), Decimal{25, -2}, {}}};
  variation.first_wave = Decimal::whole(2);
  const ProgramPlan plan = plan_of({loop(3, {compute(ps(1))}), loop(3, {bytes(1)})}, variation);
  CHECK(amounts(plan, 0) == Row{3, 3, 0});
  CHECK(amounts(plan, 2) == Row{3 * 2, 5, 0});  // 1.5 ps is 2 ps; 4.5 bytes are 5
  CHECK(amounts(plan, 7) == Row{0, 1, 0});
  CHECK(amounts(plan, 3) == Row{3, 3, 0});
  CHECK(amounts(plan, 2, Wave::first) == Row{9, 9, 0});
  CHECK(amounts(plan, 0, Wave::first) == Row{6, 6, 0});
  CHECK((plan.is_declared(group(2)) && plan.is_declared(group(7)) && !plan.is_declared(group(3)) &&
         !plan.is_declared(group(8)) && !plan.is_declared(group(0))));
}

TEST_CASE("a work-group with a duration of its own takes that, whatever the factor of the first wave") {
  Variation variation;
  variation.factors = {{group(4), Decimal::whole(1), StepTime{Decimal::whole(3), StepTime::Unit::cycles}}};
  variation.first_wave = Decimal::whole(2);
  const ProgramPlan plan = plan_of({compute(ps(10))}, variation);
  CHECK(amounts(plan, 4) == Row{3'000, 0});
  CHECK(amounts(plan, 4, Wave::first) == Row{3'000, 0});
  CHECK(amounts(plan, 5) == Row{10, 0});
}
