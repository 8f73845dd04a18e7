#include "scaling/judge.hpp"
#include "scaling/scaling_case.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <functional>

using namespace gdsim::scaling;

namespace {

constexpr Instructions kStartUp = 12'000'000;

/// Counts that follow a law, of 1, 100, 200 and 400.
Counts by_law(const std::function<double(double)>& law) {
  Counts counts{"key", "rules", {1, 100, 200, 400}, {}};
  for (const std::uint64_t size : counts.sizes)
    counts.instructions.push_back(kStartUp + static_cast<Instructions>(law(static_cast<double>(size)) - law(1)));
  return counts;
}

double linear(double n) { return 100'000 * n; }
double sorting(double n) { return 20'000 * n * std::log2(n); }
double quadratic(double n) { return 1'000 * n * n; }

}  // namespace

TEST_CASE("what grows as N or as N log N keeps within the bounds") {
  CHECK(exceeded(by_law(linear)).empty());
  CHECK(exceeded(by_law(sorting)).empty());
}

TEST_CASE("what grows as the square of N exceeds the bound, from one size to the next") {
  const auto found = exceeded(by_law([](double n) { return 2 * quadratic(n) - 1'000 * n; }));
  REQUIRE(found.size() == 2);
  CHECK(found[0] == "100 to 200: 19.90 M to 79.80 M, 4.01 times; at most 2.31");
  CHECK(found[1].find("200 to 400: ") == 0);
}

TEST_CASE("a square behind a linear part is found where it is a third of it") {
  CHECK(exceeded(by_law([](double n) { return linear(n) + 160 * n * n; })).size() == 1);
}

TEST_CASE("a smallest size that is not small is no reason to fail, nor to pass") {
  const auto with_smallest = [](const std::function<double(double)>& law) {
    Counts counts = by_law(law);
    counts.sizes.front() = 25;
    counts.instructions.front() = kStartUp + static_cast<Instructions>(law(25) - law(1));
    return exceeded(counts);
  };
  CHECK(with_smallest(linear).empty());
  CHECK(with_smallest(sorting).empty());
  CHECK(with_smallest(quadratic).size() == 2);
}

TEST_CASE("where each of N looks at the others, their square keeps within the bound, and their cube exceeds it") {
  const auto cubic = [](double n) { return 100 * n * n * n; };
  CHECK(exceeded(by_law(quadratic), kMostPerDoublingOfPairs).empty());
  CHECK(exceeded(by_law(cubic), kMostPerDoublingOfPairs).size() == 2);
  CHECK(growth_of("memory of each core", "a100-80gb none") == Growth::pairs);
  CHECK(growth_of("kernels", "a100-80gb kernel_choice: round_robin") == Growth::pairs);
  CHECK(growth_of("kernels", "a100-80gb") == Growth::itself);
  CHECK(growth_of("no key", "a100-80gb") == Growth::itself);
}

TEST_CASE("start-up hides nothing") {
  Counts counts = by_law(quadratic);
  for (Instructions& value : counts.instructions) value += 10'000'000'000;
  CHECK(exceeded(counts).size() == 2);
}

TEST_CASE("less than a million instructions are not held against a run") {
  CHECK(exceeded(by_law([](double n) { return n * n; })).empty());
}

TEST_CASE("counts are read in any order, and each run must be there") {
  const std::string lines = "k,r,1,0,12\nother,r,1,0,3\nk,r,5,1,53\nother,r,9,1,4\n";
  const auto all = read_counts(lines);
  REQUIRE(all.size() == 2);
  CHECK(all[0].sizes == std::vector<std::uint64_t>{1, 5});
  CHECK(all[0].instructions == std::vector<Instructions>{12, 53});
  CHECK_THROWS(read_counts(lines + "k,r,20,3,60\n"));
  CHECK_THROWS(read_counts("k,r,1,0,\n"));
  CHECK_THROWS(read_counts("k,r,1,0,7\n"));
}

TEST_CASE("the table has a row for each size") {
  CHECK(table_of({{"k", "r", {1, 10, 20}, {100, 300, 900}}}) ==
        "key,rules,count,instructions,growth\n"
        "k,r,10,200,\n"
        "k,r,20,800,4.00\n");
}
