#include "scaling/judge.hpp"
#include "scaling/scaling_case.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <functional>

using namespace gdsim::scaling;

namespace {

constexpr Instructions kStartUp = 12'000'000;

/// Counts that follow a law, of 1, 100, 200 and 400.
Counts by_law(const std::function<double(double)>& skipping, const std::function<double(double)>& plain) {
  Counts counts{"key", "rules", {1, 100, 200, 400}, {}, {}};
  for (const std::uint64_t size : counts.sizes) {
    const auto beyond = [&](const auto& law) {
      return static_cast<Instructions>(law(static_cast<double>(size)) - law(1));
    };
    counts.skipping.push_back(kStartUp + beyond(skipping));
    counts.plain.push_back(kStartUp + beyond(plain));
  }
  return counts;
}

double linear(double n) { return 100'000 * n; }
double sorting(double n) { return 20'000 * n * std::log2(n); }
double quadratic(double n) { return 1'000 * n * n; }

}  // namespace

TEST_CASE("what grows as N or as N log N keeps within the bounds") {
  CHECK(exceeded(by_law(linear, linear)).empty());
  CHECK(exceeded(by_law(sorting, sorting)).empty());
}

TEST_CASE("what grows as the square of N exceeds the bound, by default and with --no-fast-forward") {
  const auto by_default = exceeded(by_law(quadratic, [](double n) { return 2 * quadratic(n) - 1'000 * n; }));
  REQUIRE(by_default.size() == 4);
  CHECK(by_default[0] == "by default, 100 to 200: 10.00 M to 40.00 M, 4.00 times; at most 2.31");
  CHECK(by_default[1].find("by default, 200 to 400") == 0);
  const auto plain = exceeded(by_law([](double) { return 0; }, quadratic));
  REQUIRE(plain.size() == 2);
  CHECK(plain[0].find("with --no-fast-forward, 100 to 200") == 0);
}

TEST_CASE("a square behind a linear part is found where it is a third of it") {
  const auto mixed = [](double n) { return linear(n) + 160 * n * n; };
  CHECK(exceeded(by_law(mixed, mixed)).size() == 2);
}

TEST_CASE("a smallest size that is not small is no reason to fail, nor to pass") {
  const auto with_smallest = [](const std::function<double(double)>& law) {
    Counts counts = by_law(law, law);
    counts.sizes.front() = 25;
    const auto start = kStartUp + static_cast<Instructions>(law(25) - law(1));
    counts.skipping.front() = counts.plain.front() = start;
    return exceeded(counts);
  };
  CHECK(with_smallest(linear).empty());
  CHECK(with_smallest(sorting).empty());
  CHECK(with_smallest(quadratic).size() == 4);
}

TEST_CASE("where each of N looks at the others, their square keeps within the bound, and their cube exceeds it") {
  const auto cubic = [](double n) { return 100 * n * n * n; };
  CHECK(exceeded(by_law(quadratic, quadratic), kMostPerDoublingOfPairs).empty());
  CHECK(exceeded(by_law(cubic, cubic), kMostPerDoublingOfPairs).size() == 4);
  CHECK(growth_of("memory of each core", "a100-80gb none") == Growth::pairs);
  CHECK(growth_of("kernels", "a100-80gb kernel_choice: round_robin") == Growth::pairs);
  CHECK(growth_of("kernels", "a100-80gb") == Growth::itself);
  CHECK(growth_of("random", "seed 1") == Growth::itself);
}

TEST_CASE("start-up hides nothing") {
  Counts counts = by_law(quadratic, quadratic);
  for (auto* values : {&counts.skipping, &counts.plain})
    for (Instructions& value : *values) value += 10'000'000'000;
  CHECK(exceeded(counts).size() == 4);
}

TEST_CASE("by default, a run takes at most half as much again as with --no-fast-forward") {
  CHECK(exceeded(by_law([](double n) { return 1.4 * linear(n); }, linear)).empty());
  const auto found = exceeded(by_law([](double n) { return 1.8 * linear(n); }, linear));
  REQUIRE(found.size() == 2);  // the run of 100 is 3 M beyond, which is not held against it
  CHECK(found[1] == "of 400: 71.82 M by default, 39.90 M with --no-fast-forward, 1.80 times; at most 1.50");
}

TEST_CASE("what start-up by default takes beyond that of --no-fast-forward counts") {
  Counts counts = by_law(linear, linear);
  for (Instructions& value : counts.skipping) value += 200'000'000;
  CHECK(exceeded(counts).size() == 3);
}

TEST_CASE("less than a few million instructions are not held against a run") {
  CHECK(exceeded(by_law([](double n) { return n * n; }, [](double) { return 0; })).empty());
}

TEST_CASE("counts are read in any order, and each run must be there") {
  const std::string lines =
      "k,r,1,0,no-skip,12\nk,r,1,0,skip,13\nk,r,5,1,skip,33\nother,r,1,0,skip,3\nk,r,5,1,no-skip,53\n"
      "other,r,1,0,no-skip,3\nother,r,9,1,no-skip,4\nother,r,9,1,skip,5\n";
  const auto all = read_counts(lines);
  REQUIRE(all.size() == 2);
  CHECK(all[0].sizes == std::vector<std::uint64_t>{1, 5});
  CHECK(all[0].skipping == std::vector<Instructions>{13, 33});
  CHECK(all[0].plain == std::vector<Instructions>{12, 53});
  CHECK_THROWS(read_counts(lines + "k,r,10,2,skip,60\n"));
  CHECK_THROWS(read_counts("k,r,1,0,skip,\n"));
  CHECK_THROWS(read_counts("k,r,1,0,skip,7\n"));
}

TEST_CASE("the table has a row for each size") {
  CHECK(table_of({{"k", "r", {1, 10, 20}, {100, 300, 500}, {100, 500, 1300}}}) ==
        "key,rules,count,instructions,instructions_no_skip,growth,growth_no_skip,of_no_skip\n"
        "k,r,10,200,400,,,0.50\n"
        "k,r,20,400,1200,2.00,3.00,0.33\n");
}
