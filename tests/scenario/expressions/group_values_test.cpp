#include "support/builders.hpp"
#include "support/scenarios.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

// Expressions of the number of a work-group: in counts of loops, in amounts of steps, and as factors.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// 6 work-groups, 2 rows of 3.
std::string rows(const std::string& program, const std::string& more = {}) {
  return "scenario: rows\ndevice: tiny\nparameters: {n: 2}\nkernels:\n  k:\n    global: [2, 24]\n    local: [1, 8]\n"
         "    sub_group: 8\n    program: [" +
         program + "]\n" + more + "launches: [kernel: k]\n";
}

const Kernel& kernel_in(const ReadText& read) { return read.scenario().workload.kernels.front(); }

const Program& program_of(const ReadText& read, std::uint64_t work_group) {
  return kernel_in(read).program_of(kernel_in(read).program_number(group(work_group)));
}

/// How often the loop behind the first step goes round, by work-group.
std::vector<std::uint64_t> counts(const std::string& expression) {
  const auto read = read_text(rows("compute: 1 ns, loop: {count: \"= " + expression + "\", body: [compute: 1 ns]}"));
  INFO(read.problems);
  std::vector<std::uint64_t> found;
  for (std::uint64_t i = 0; read.problems.empty() && i < 6; ++i)
    found.push_back(std::get<Loop>(program_of(read, i).at(1)).count);
  return found;
}

std::string problems_of_count(const std::string& expression) {
  return read_text(rows("compute: 1 ns, loop: {count: \"= " + expression + "\", body: [compute: 1 ns]}")).problems;
}

using Counts = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("a loop goes round as often as the number of its work-group says, perhaps never") {
  CHECK(counts("group") == Counts{0, 1, 2, 3, 4, 5});
  CHECK(counts("mod(group, 4) + n") == Counts{2, 3, 4, 5, 2, 3});
  CHECK(counts("if(group > 3, 9, threads)") == Counts{1, 1, 1, 1, 9, 9});
}

TEST_CASE("the last dimension of a range is group_x, the one before it group_y") {
  CHECK(counts("group_x") == Counts{0, 1, 2, 0, 1, 2});
  CHECK(counts("group_y") == Counts{0, 0, 0, 1, 1, 1});
  CHECK(counts("group_z + 1") == Counts{1, 1, 1, 1, 1, 1});
}

TEST_CASE("amounts of all kinds of steps may differ by work-group, those of other steps stay") {
  std::string text = rows(
      "compute: = (group + 1) * 1.5 ns, memory: = 64 * (group + 1) B, issue: = group + 7 cycles, slm: {accesses: = "
      "group + 1, stride: 2}, barrier");
  const auto read = read_text(text.replace(text.find("tiny"), 4, "xe-lp-tgl"));
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  const Program& last = program_of(read, 5);
  CHECK(to_text(std::get<Compute>(last.at(0)).time.amount) == "9000");
  CHECK(std::get<Memory>(last.at(1)).bytes == Bytes{384});
  CHECK(to_text(std::get<IssueSlots>(last.at(2)).slots.amount) == "12");
  CHECK(std::get<Slm>(last.at(3)).accesses == 6);
  CHECK(std::get<Slm>(last.at(3)).stride == 2);
  CHECK(std::holds_alternative<Barrier>(last.at(4)));
}

TEST_CASE("work-groups that do the same share one program") {
  const auto read = read_text(rows("compute: \"= mod(group, 2) + 1 ns\""));
  CHECK(kernel_in(read).program_count() == 2);
  CHECK(kernel_in(read).group_programs.of_group == std::vector<std::uint32_t>{0, 1, 0, 1, 0, 1});
  const auto equal = read_text(rows("compute: = group * 0 + 3 ns"));
  CHECK(kernel_in(equal).program_count() == 1);
  CHECK_FALSE(kernel_in(equal).differs_by_group());
}

TEST_CASE("factors of work-groups may be an expression of their number") {
  const auto read = read_text(rows("compute: 10 ns", "    variation: {work_groups: \"= mod(group, 3) / 2 + 1\"}\n"));
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  const auto& factors = kernel_in(read).variation.factors;
  REQUIRE(factors.size() == 6);
  CHECK(factors[4].work_group == group(4));
  CHECK(to_text(factors[4].factor) == "1.5");
  CHECK(to_text(factors[5].factor) == "2");
  const auto durations = read_text(rows("compute: 10 ns", "    variation: {work_groups: = 5 * (group + 1) ns}\n"));
  REQUIRE(durations.problems.empty());
  CHECK(to_text(kernel_in(durations).variation.factors[2].duration->amount) == "15000");
}

TEST_CASE("what a work-group cannot do is refused with the place of the expression and the work-group") {
  CHECK_THAT(problems_of_count("group - 2"), Catch::Contains("9:44: count: '-2' is negative (work-group 0)"));
  CHECK_THAT(problems_of_count("group / 2"), Catch::Contains("count: '0.5' is not a whole number (work-group 1)"));
  CHECK_THAT(problems_of_count("6 / (group - 4)"),
             Catch::Contains("9:47: the expression '6 / (group - 4)': for work-group 4, it divides by 0"));
  CHECK_THAT(problems_of_count("group_w"), Catch::Contains("'group_w' is no parameter"));
  CHECK_THAT(read_text(rows("memory: = group * 64 B")).problems,
             Catch::Contains("memory must be more than 0 B (work-group 0)"));
  CHECK_THAT(read_text(rows("loop: {count: = group, body: [compute: 1 ns]}")).problems,
             Catch::Contains("has no step that takes time; add one outside of its loops, as in `- compute: 1 ns` "
                             "(work-group 0)"));
  CHECK_THAT(read_text(rows("compute: 1 ns", "    variation: {work_groups: = 1 - group}\n")).problems,
             Catch::Contains("is negative (work-group 2)"));
}

TEST_CASE("a count that is computed may be 0 for every work-group, and the loop is then left out") {
  for (const char* expression : {"n - 2", "0 * group", "max(0, n - 3 - group)"}) {
    const auto read = read_text(
        rows("compute: 1 ns, loop: {count: \"= " + std::string(expression) + "\", body: [compute: 1 ns, barrier]}"));
    INFO(read.problems);
    REQUIRE(read.problems.empty());
    CHECK(run_fully(read.scenario().device, read.scenario().workload).record.duration() == ns(1));
  }
  CHECK_THAT(problems_of_count("n - 3"), Catch::Contains("'-1' is negative"));
}

TEST_CASE("another ecosystem's name for a work-group is answered with gdsim's") {
  CHECK_THAT(problems_of_count("blockIdx.x"), Catch::Contains("gdsim's name for it is group_x"));
}

TEST_CASE("the number of a work-group is known only where work-groups may differ") {
  for (const char* more : {"    registers: = group\n", "    slm: = group * 1 KiB\n"})
    CHECK_THAT(read_text(rows("compute: 1 ns", more)).problems,
               Catch::Contains("'group' depends on the work-group; it may stand only in loop counts"));
  CHECK_THAT(read_text(rows("compute: 1 ns, only: {threads: = group, body: [compute: 1 ns]}")).problems,
             Catch::Contains("'group' depends on the work-group"));
}

TEST_CASE("parameters that are called group or mod keep their meaning") {
  std::string text = rows("loop: {count: = group + mod, body: [compute: 1 ns]}");
  const std::string parameters = "{n: 2}";
  text.replace(text.find(parameters), parameters.size(), "{group: 7, mod: 2}");
  const auto read = read_text(text);
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  CHECK(std::get<Loop>(kernel_in(read).program.front()).count == 9);
  CHECK_FALSE(kernel_in(read).differs_by_group());
}

TEST_CASE("more different programs than a kernel may have are refused") {
  std::string text = rows("compute: = group + 1 ns");
  const std::string global = "global: [2, 24]";
  text.replace(text.find(global), global.size(), "global: [1, 800000]");
  CHECK_THAT(
      read_text(text).problems,
      Catch::Contains("up to work-group 65536, there are more than 65536 different programs; let some work-groups "
                      "do the same, as in `= mod(group, 65536)`"));
}

TEST_CASE("a million work-groups of 64 programs keep 64 programs") {
  std::string text = rows("compute: \"= mod(group, 64) + 1 ns\"");
  const std::string global = "global: [2, 24]";
  text.replace(text.find(global), global.size(), "global: [1, 8000000]");
  const auto read = read_text(text);
  CHECK(kernel_in(read).program_count() == 64);
  CHECK(kernel_in(read).group_programs.of_group.size() == 1'000'000);
}

TEST_CASE("a triangular loop lasts as long as its number says") {
  const auto read = read_text(
      rows("compute: 2 ns, loop: {count: = group_x, body: [compute: 10 ns, barrier]}", "    variation: none\n"));
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  const FullRun run = run_fully(read.scenario().device, read.scenario().workload);
  const auto records = run.work_groups.records_of(launch(0));
  REQUIRE(records.size() == 6);
  for (std::size_t i = 0; i < records.size(); ++i)
    CHECK(*records[i].ended - records[i].first_placed == ns(2 + 10 * static_cast<std::int64_t>(i % 3)));
}
