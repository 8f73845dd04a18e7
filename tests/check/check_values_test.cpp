#include "support/builders.hpp"
#include "support/plain_keys.hpp"

#include <gdsim/base/keys.hpp>
#include <gdsim/check/checks.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

using namespace gdsim;
using namespace gdsim::testing;

// Values of kernels, queues and launches that no reader of files lets through, but that a caller can pass.

namespace {

using Found = std::vector<std::string>;

/// PATH: MESSAGE of each.
Found texts(const Issues& issues) {
  Found found;
  for (const Issue& issue : issues) found.push_back(issue.path + ": " + issue.message);
  return found;
}

template <class Change>
Found in_kernel(Change change) {
  return texts(check_kernel_values(with(kernel_of(4, 2, {compute(us(1))}), change), 1, 2));
}

/// Of the second launch of two, in a workload with one kernel, one queue and one buffer.
template <class Change>
Found in_launch(Change change) {
  Workload workload = workload_of({kernel_of(4, 2, {compute(us(1))})});
  workload.launches.push_back(workload.launches.front());
  workload.queues.emplace_back();
  workload.buffers.emplace_back();
  change(workload.launches[1]);
  return texts(check_launch_values(workload, 1));
}

CoreRange range(std::uint32_t first, std::uint32_t last) { return {core(first), core(last)}; }

/// A step within so many parts of a program that only some threads execute, each in the one before.
Program nested(std::size_t parts) {
  Program program{compute(us(1))};
  for (std::size_t i = 0; i < parts; ++i) {
    Only only;
    only.body = std::move(program);
    program = {only};
  }
  return program;
}

}  // namespace

TEST_CASE("parts of a program may be nested 64 deep, loops and what only some threads execute alike") {
  CHECK(in_kernel([](Kernel& k) { k.program = nested(64); }).empty());
  const Found found = in_kernel([](Kernel& k) { k.program = nested(65); });
  REQUIRE(found.size() == 1);
  CHECK_THAT(found[0], Catch::StartsWith("kernels[1].program[0].only.body[0].only.body[0].") &&
                           Catch::EndsWith(".only.body: is nested more than 64 deep"));
  const auto in_loop = [](std::size_t parts) {
    return in_kernel([&](Kernel& k) { k.program = {Loop{2, nested(parts)}}; });
  };
  CHECK(in_loop(63).empty());
  CHECK(in_loop(64).size() == 1);
}

TEST_CASE("issue slots without kinds have a time that a reader would take") {
  const auto slots_in = [](StepTime time) { return in_kernel([&](Kernel& k) { k.program = {IssueSlots{time, {}}}; }); };
  CHECK(slots_in({Decimal::whole(5), StepTime::Unit::cycles}).empty());
  const Found found = slots_in({Decimal::whole(5), static_cast<StepTime::Unit>(9)});
  REQUIRE(found.size() == 1);
  CHECK_THAT(found[0], Catch::StartsWith("kernels[1].program[0].issue: is 9, which names nothing"));
}

TEST_CASE("no dimension of a kernel is zero, no sub-group, and clusters have three dimensions at most") {
  for (std::size_t d = 0; d < 3; ++d) {
    const std::string at = "[" + std::to_string(d) + "]: is 0; every dimension must be at least 1";
    CHECK(in_kernel([&](Kernel& k) { k.range.global[d] = 0; }) == Found{"kernels[1].global" + at});
    CHECK(in_kernel([&](Kernel& k) { k.range.local[d] = 0; }) == Found{"kernels[1].local" + at});
    CHECK(in_kernel([&](Kernel& k) {
            k.cluster = {1, 1, 1};
            k.cluster[d] = 0;
          }) == Found{"kernels[1].cluster" + at});
  }
  CHECK(in_kernel([](Kernel& k) { k.sub_group = 0; }) ==
        Found{"kernels[1].sub_group: is 0; it must be from 1 to 4294967295, as in `sub_group: 32`"});
  CHECK(in_kernel([](Kernel& k) { k.cluster = {1, 1, 1}; }).empty());
  CHECK(in_kernel([](Kernel& k) {
          k.cluster = {1, 1, 1, 1};
        }) == Found{"kernels[1].cluster: has more than 3 dimensions"});
}

TEST_CASE("factors of work-groups ascend, each once") {
  const auto factors = [](std::vector<std::uint64_t> groups) {
    return in_kernel([&](Kernel& k) {
      for (const std::uint64_t one : groups) k.variation.factors.push_back({group(one), Decimal::whole(2), {}});
    });
  };
  CHECK(factors({0, 1, 3}).empty());
  CHECK(factors({3}).empty());
  const std::string must = "; factors must ascend by work-group, each once";
  CHECK(factors({0, 3, 3}) == Found{"kernels[1].variation.work_groups[3]: stands behind work-group 3" + must});
  CHECK(factors({3, 2, 4}) == Found{"kernels[1].variation.work_groups[2]: stands behind work-group 3" + must});
}

TEST_CASE("ranges of cores ascend and lie apart, those of a launch and those of a queue") {
  struct Row {
    CoreSelection cores;
    Found found;  ///< behind the place
  };
  const std::string overlap = "begins before the range in front of it ends; ranges must ascend and not overlap";
  for (const Row& row : std::vector<Row>{
           {{range(0, 0)}, {}},
           {{range(0, 1), range(2, 2), range(5, 9)}, {}},
           {{range(3, 2)}, {"[0]: goes from core 3 to core 2; a range goes from the lower core to the higher"}},
           {{range(0, 1), range(1, 2)}, {"[1]: " + overlap}},
           {{range(0, 1), range(5, 6), range(6, 7)}, {"[2]: " + overlap}},
           {{range(4, 5), range(0, 1), range(6, 7)}, {"[1]: " + overlap}},
       }) {
    Found of_launch = row.found, of_queue = row.found;
    for (std::string& one : of_launch) one.insert(0, "launches[1].cores");
    for (std::string& one : of_queue) one.insert(0, "queues[7].cores");
    CHECK(in_launch([&](Launch& launch) { launch.as_kernel().cores = row.cores; }) == of_launch);
    CHECK(texts(check_queue_values({"q", QueueOrder::in_order, row.cores}, 7)) == of_queue);
  }
}

TEST_CASE("a launch refers to what the workload has, and to nothing beyond") {
  const auto none = [](const std::string& place, const std::string& what, int number, int count) {
    return Found{"launches[1]." + place + ": there is no " + what + " " + std::to_string(number) +
                 "; the workload has " + std::to_string(count) + ", numbered from 0"};
  };
  CHECK(in_launch([](Launch& l) { l.after = {launch(0), launch(1)}; }).empty());
  CHECK(in_launch([](Launch& l) { l.after = {launch(0), launch(2)}; }) == none("after[1]", "launch", 2, 2));
  CHECK(in_launch([](Launch& l) { l.host_waits = {launch(2)}; }) == none("wait[0]", "launch", 2, 2));
  CHECK(in_launch([](Launch& l) { l.queue = QueueId{0}; }).empty());
  CHECK(in_launch([](Launch& l) { l.queue = QueueId{1}; }) == none("queue", "queue", 1, 1));
  CHECK(in_launch([](Launch& l) { l.reads = {BufferId{0}}; }).empty());
  CHECK(in_launch([](Launch& l) { l.reads = {BufferId{1}}; }) == none("reads[0]", "buffer", 1, 1));
  CHECK(in_launch([](Launch& l) { l.writes = {BufferId{0}, BufferId{1}}; }) == none("writes[1]", "buffer", 1, 1));
  CHECK(in_launch([](Launch& l) { l.work = KernelId{1}; }) == none("kernel", "kernel", 1, 1));
  CHECK(in_launch([](Launch& l) { l.at = SimTime{-1}; }) ==
        Found{"launches[1].at: is -1 ps; it must be from 0 s to 9223372036854775.807 ns, as in `at: 5 us`"});
  CHECK(in_launch([](Launch& l) {
          l.work = Copy{Bytes{0}, CopyDirection::device_to_host};
        }) == Found{"launches[1].copy.bytes: is 0 B; it must be from 1 B to 1073741824 GiB, as in `bytes: 64 MiB`"});
  CHECK(in_launch([](Launch& l) { l.work = Copy{Bytes{1}, CopyDirection::device_to_host}; }).empty());
  CHECK(in_launch([](Launch& l) { l.work = Copy{Bytes{1}, static_cast<CopyDirection>(9)}; }).size() == 1);
}

namespace {

bool is_of_range(const Issue& issue, const std::string& path) {
  return issue.path.ends_with(path) && issue.message.find("it must be from ") != std::string::npos;
}

/// Tries the smallest and the largest value of each plain number of a struct, and the next beyond. `check` returns the
/// issues of what has this struct. Returns how many numbers there are.
template <class Rule, class Check>
std::size_t try_numbers(const MappingKeys& known, const Rule& rule, Check check) {
  std::vector<std::pair<std::string, WholeRange>> numbers;
  Rule whole = rule;
  visit_rule(whole, known, [&](const std::string& path, const KeyFacts& facts, auto& value) {
    if (set_number(value, 1)) numbers.emplace_back(path, facts.range);
  });
  const auto is_refused = [&](const std::string& path, std::uint64_t number) {
    Rule changed = rule;
    visit_rule(
        changed, known, [&](const auto&, const auto&, auto& value) { set_number(value, number); }, path);
    const Issues issues = check(changed);
    return std::any_of(issues.begin(), issues.end(), [&](const Issue& one) { return is_of_range(one, path); });
  };
  for (const auto& [path, range] : numbers) {
    INFO(path);
    CHECK_FALSE(is_refused(path, range.min));
    if (range.min > 0) CHECK(is_refused(path, range.min - 1));
    if (range.max >= std::numeric_limits<std::uint32_t>::max() && range.max < std::uint64_t{1} << 40) continue;
    if (range.max == std::numeric_limits<std::int64_t>::max()) continue;
    CHECK_FALSE(is_refused(path, range.max));
    CHECK(is_refused(path, range.max + 1));
  }
  return numbers.size();
}

/// As above, of a kernel's step.
template <class StepType>
std::size_t try_numbers_of_step(const MappingKeys& known, const StepType& step) {
  return try_numbers(known, step,
                     [](const StepType& changed) { return check_kernel_values(kernel_of(4, 2, {changed}), 0, 1); });
}

}  // namespace

TEST_CASE("the smallest and the largest value of each number of a kernel are no faults, the next beyond is one") {
  CHECK(try_numbers(keys::kKernel, kernel_of(4, 2, {compute(us(1))}),
                    [](const Kernel& kernel) { return check_kernel_values(kernel, 0, 1); }) >= 9);
  CHECK(try_numbers_of_step(keys::kStepMemory, Memory{Bytes{32}}) == 3);
  CHECK(try_numbers_of_step(keys::kStepSlm, Slm{}) == 3);
  CHECK(try_numbers_of_step(keys::kStepAtomic, Atomic{}) == 2);
  CHECK(try_numbers_of_step(keys::kStepWaitMemory, WaitMemory{}) == 1);
  Tiles tiles;
  tiles.body = {compute(us(1))};
  CHECK(try_numbers_of_step(keys::kStepTiles, tiles) == 2);
  L1Access access;
  access.lines = std::uint64_t{1} << 40;
  CHECK(try_numbers(keys::kStepIssueL1, access, [](const L1Access& changed) {
          return check_kernel_values(kernel_of(4, 2, {IssueSlots{{}, {{"fp32", 1}}, {changed}}}), 0, 1);
        }) == 5);
}

TEST_CASE("numbers that are no plain keys have a smallest and a largest value, too") {
  struct Row {
    std::string path;
    std::uint64_t min, max;
    std::function<void(Kernel&, std::uint64_t)> set;
  };
  const std::uint64_t unit = 1;
  for (const Row& row : std::vector<Row>{
           {"issue.fp32", 1, unit << 40,
            [](Kernel&k, auto v) {
              k.program = {IssueSlots{{}, {{"fp32", v}}}};
            }},
           {"issue.l1[0].coalesced", 1, 9,
            [](Kernel&k, auto v) {
              L1Access access;
              access.lines = 9;
              access.coalesced = v;
              k.program = {IssueSlots{{}, {{"fp32", 1}}, {access}}};
            }},
           {"loop.count", 0, unit << 60,
            [](Kernel&k, auto v) {
              k.program = {Loop{v, {compute(us(1))}}};
            }},
           {"slm.dynamic", 0, 1'000,
            [](Kernel&k, auto v) {
              k.needs.slm.total = Bytes{1'000};
              k.needs.slm.dynamic = Bytes{static_cast<std::int64_t>(v)};
            }},
       }) {
    INFO(row.path);
    const auto is_refused = [&](std::uint64_t value) {
      Kernel kernel = kernel_of(4, 2, {compute(us(1))});
      row.set(kernel, value);
      const Issues issues = check_kernel_values(kernel, 0, 1);
      return std::any_of(issues.begin(), issues.end(), [&](const Issue& one) { return is_of_range(one, row.path); });
    };
    CHECK_FALSE((is_refused(row.min) || is_refused(row.max)));
    CHECK((is_refused(row.max + 1) && (row.min == 0 || is_refused(row.min - 1))));
  }
}
