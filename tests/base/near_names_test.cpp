#include <gdsim/base/text.hpp>

#include <catch2/catch.hpp>

#include <array>

using namespace gdsim;

namespace {
constexpr std::array<std::string_view, 4> kKnown{"barrier", "compute", "slm", "sub_group"};
}

TEST_CASE("the name a slip or two away is suggested") {
  CHECK(nearest_name("bariers", kKnown) == "barrier");
  CHECK(nearest_name("compuet", kKnown) == "compute");
  CHECK(nearest_name("subgroup", kKnown) == "sub_group");
  CHECK(did_you_mean("barier", kKnown) == " did you mean 'barrier'?");
}

TEST_CASE("the known names come first, and the guess behind them") {
  CHECK(known_names("barier", kKnown) == "known: barrier, compute, slm, sub_group; did you mean 'barrier'?");
  CHECK(known_names("placement", kKnown) == "known: barrier, compute, slm, sub_group");
}

TEST_CASE("a name that is far from all is not guessed") {
  CHECK(nearest_name("placement", kKnown).empty());
  CHECK(nearest_name("", kKnown).empty());
  CHECK(nearest_name("xyz", kKnown).empty());
  CHECK(did_you_mean(std::string(10'000, 'x'), kKnown).empty());
}
