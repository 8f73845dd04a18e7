#include <gdsim/points/point_space.hpp>

#include <gdsim/base/diagnostic.hpp>

#include <catch2/catch.hpp>

#include <map>
#include <set>

using namespace gdsim;

namespace {

PointSpace space(std::vector<std::string> axes, PointRules rules = {}) {
  std::vector<Axis> parsed;
  for (const std::string& axis : axes) parsed.push_back(parse_axis(axis));
  return {std::move(parsed), std::move(rules)};
}

PointRules where(const std::string& condition) {
  PointRules rules;
  rules.where = condition;
  return rules;
}

std::vector<std::string> names(const PointSpace& points) {
  std::vector<std::string> names;
  for (auto next = points.next(0); next; next = points.next(*next + 1)) names.push_back(points.name_of(*next));
  return names;
}

using Names = std::vector<std::string>;

template <class Make>
std::string space_problem(Make make) {
  try {
    make();
    return "none";
  } catch (const InputError& error) {
    return error.problems().front().message;
  }
}

}  // namespace

TEST_CASE("points are the product of the lists, the last one fastest") {
  const PointSpace points = space({"a=1,2", "b=x,y,z"});
  CHECK(points.size() == 6);
  CHECK(points.count() == 6);
  CHECK(names(points) == Names{"a=1, b=x", "a=1, b=y", "a=1, b=z", "a=2, b=x", "a=2, b=y", "a=2, b=z"});
  CHECK(points.ordinal({1, 2}) == 5U);
}

TEST_CASE("zip pairs lists of equal length") {
  PointRules zip;
  zip.zip = true;
  CHECK(names(space({"a=1,2", "b=x,y"}, zip)) == Names{"a=1, b=x", "a=2, b=y"});
  CHECK(space_problem([&] {
          space({"a=1,2", "b=x"}, zip);
        }) == "--zip pairs lists of equal length; a has 2 values, b 1");
}

TEST_CASE("where keeps the points for which it is not 0") {
  CHECK(names(space({"a=1,2,3", "b=1,2,3"}, where("a * b >= 6"))) == Names{"a=2, b=3", "a=3, b=2", "a=3, b=3"});
  CHECK(space({"a=1,2,3", "b=1,2,3"}, where("a * b >= 6")).count() == 3);
  CHECK(names(space({"size=1 KiB,4 KiB"}, where("size > 2048"))) == Names{"size=4 KiB"});
  PointRules with_parameter = where("a <= most");
  with_parameter.constants = {{"most", 2}};
  CHECK(names(space({"a=1,2,3"}, with_parameter)) == Names{"a=1", "a=2"});
}

TEST_CASE("a condition that cannot be evaluated says why") {
  CHECK_THAT(space_problem([] { space({"a=1,2"}, where("b > 1")); }),
             Catch::Contains("'b' is neither varied nor a parameter; known: a"));
  CHECK_THAT(space_problem([] { space({"tile=1"}, where("tlie > 1")); }),
             Catch::Contains("known: tile; did you mean 'tile'?"));
  CHECK_THAT(space_problem([] { space({"a=x,y"}, where("a > 1")); }),
             Catch::Contains("the value 'x' of 'a' is no number"));
  CHECK_THAT(space_problem([] { space({"a=1,2"}, where("a >")); }),
             Catch::Contains("--where 'a >': column 4: a value is missing"));
  CHECK_THAT(space_problem([] { space({"a=1,0"}, where("1 / a")).count(); }),
             Catch::Contains("at a=0: it divides by 0"));
}

TEST_CASE("a product may be huge, up to 2^62 points", "[figures]") {
  const std::string many = "=1..10000+1";
  CHECK(space({"a" + many, "b" + many, "c" + many, "d" + many, "e=1..100+1"}).size() == 1'000'000'000'000'000'000U);
  CHECK_THAT(space_problem([&] {
               space({"a" + many, "b" + many, "c" + many, "d" + many, "e=1..1000+1"});
             }),
             Catch::Contains("more than 2^62 points"));
}

TEST_CASE("a sample has as many different points as asked, and each value about as often as any other") {
  PointRules rules;
  rules.sample = 100;
  const PointSpace points = space({"a=1..10+1", "b=1..1000+1", "c=1..4+1"}, rules);
  CHECK(points.count() == 100);
  std::map<std::string, int> of_a, of_c;
  std::set<std::uint64_t> different;
  for (auto next = points.next(0); next; next = points.next(*next + 1)) {
    ++of_a[points.value(*next, 0)];
    ++of_c[points.value(*next, 2)];
    different.insert(*next);
    CHECK(points.contains(*next));
  }
  CHECK(different.size() == 100);
  for (const auto& [value, count] : of_a) CHECK(count == 10);
  for (const auto& [value, count] : of_c) CHECK(count == 25);
}

TEST_CASE("a sample follows from its seed alone, and a full one is the product") {
  PointRules rules;
  rules.sample = 50;
  const auto drawn = names(space({"a=1..20+1", "b=1..20+1"}, rules));
  CHECK(names(space({"a=1..20+1", "b=1..20+1"}, rules)) == drawn);
  rules.seed = 1;
  CHECK(names(space({"a=1..20+1", "b=1..20+1"}, rules)) != drawn);
  rules.sample = 400;
  CHECK(names(space({"a=1..20+1", "b=1..20+1"}, rules)) == names(space({"a=1..20+1", "b=1..20+1"})));
  rules.sample = 401;
  CHECK(space_problem([&] { space({"a=1..20+1", "b=1..20+1"}, rules); }) == "--sample 401: there are only 400 points");
}

TEST_CASE("the same list may not be given twice, and something must vary") {
  CHECK(space_problem([] { space({"a=1", "a=2"}); }) == "--vary a was given twice");
  CHECK_THAT(space_problem([] { space({}); }), Catch::Contains("--vary NAME=LIST is needed"));
}

TEST_CASE("a condition knows every varied name and every parameter, each by its own value, and a varied one first") {
  PointRules rules = where("if(a < 3, first * 100 + second * 10 + third == 123, 0)");
  rules.constants = {{"first", 1}, {"second", 2}, {"third", 3}};
  CHECK(names(space({"a=1,2,3"}, rules)) == Names{"a=1", "a=2"});
  rules = where("a == 2");
  rules.constants = {{"b", 7}, {"a", 9}, {"c", 8}};
  CHECK(names(space({"a=1,2,3"}, rules)) == Names{"a=2"});
  rules = where("d > 1");
  rules.constants = {{"b", 7}, {"c", 8}};
  CHECK_THAT(space_problem([&] { space({"a=1,2"}, rules); }),
             Catch::Contains("'d' is neither varied nor a parameter; known: a, b, c"));
}

TEST_CASE("points of paired lists and of samples are found again by their indices, others are none") {
  PointRules zip;
  zip.zip = true;
  const PointSpace pairs = space({"a=1,2,3", "b=x,y,z"}, zip);
  CHECK(pairs.size() == 3);
  CHECK(pairs.count() == 3);
  CHECK(pairs.ordinal({2, 2}) == 2U);
  CHECK_FALSE(pairs.ordinal({2, 1}));
  CHECK(pairs.contains(2));
  CHECK_FALSE(pairs.contains(3));
  CHECK(pairs.index(2, 0) == 2);
  CHECK(pairs.index(2, 1) == 2);

  const PointSpace product = space({"a=1,2,3", "b=x,y"}, where("a != 2"));
  CHECK(product.contains(1));
  CHECK_FALSE(product.contains(2));
  CHECK(product.contains(5));
  CHECK_FALSE(product.contains(6));
  CHECK(product.count() == 4);
  CHECK(product.next(2) == 4U);
  CHECK_FALSE(product.next(6));

  PointRules sampled = where("a > 1");
  sampled.sample = 6;  // all of them
  const PointSpace sample = space({"a=1,2,3", "b=x,y"}, sampled);
  CHECK(names(sample) == Names{"a=2, b=x", "a=2, b=y", "a=3, b=x", "a=3, b=y"});
  CHECK(sample.count() == 4);
  CHECK_FALSE(sample.contains(1));
  CHECK(sample.contains(2));
}

TEST_CASE("a sample has at most a million points") {
  PointRules rules;
  rules.sample = 1'000'001;
  CHECK_THAT(space_problem([&] {
               space({"a=1..1001+1", "b=1..1000+1"}, rules);
             }),
             Catch::StartsWith("--sample 1000001: at most 1000000 "));
}
