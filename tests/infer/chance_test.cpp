#include <gdsim/infer/decision_store.hpp>

#include <catch2/catch.hpp>

// What chance gives, and when two rules are distinguished.

using namespace gdsim;

TEST_CASE("the chance of a decision is one of the cores with room, and none where the core had no room") {
  ChanceLevel chance;
  chance.add(4, true);
  chance.add(2, true);
  chance.add(3, false);
  CHECK(to_fixed(chance.share(), 4) == "0.2500");
}

TEST_CASE("bits against chance are those of Chernoff's bound") {
  ChanceLevel chance;
  for (int i = 0; i < 100; ++i) chance.add(2, true);
  CHECK(bits_against_chance(chance, 100) == 100);
  CHECK(bits_against_chance(chance, 50) == 0);
  CHECK(bits_against_chance(chance, 40) == 0);
  CHECK(bits_against_chance(chance, 75) == 18);  // 100 x (1 - H(0.75))
  CHECK(bits_against_chance(ChanceLevel{}, 0) == 0);
}

TEST_CASE("a choice between alternatives has as many bits as name one of them") {
  CHECK(bits_of_choice(1) == 0);
  CHECK(bits_of_choice(2) == 1);
  CHECK(bits_of_choice(1024) == 10);
  CHECK(bits_of_choice(1025) == 11);
}

TEST_CASE("five to nothing distinguishes two rules, four to nothing does not: one of twenty is the bound") {
  CHECK(are_distinguishable(5, 0));
  CHECK_FALSE(are_distinguishable(4, 0));
  CHECK_FALSE(are_distinguishable(0, 0));
  CHECK(are_distinguishable(8, 1));
  CHECK_FALSE(are_distinguishable(7, 1 + 1));
  CHECK(are_distinguishable(1000, 0));
  CHECK_FALSE(are_distinguishable(500, 500));
}

TEST_CASE("a rule is better if it is right wherever another is, and somewhere else, too") {
  CHECK(is_distinguishably_better(10, 9, 9));
  CHECK_FALSE(is_distinguishably_better(10, 10, 10));
  CHECK_FALSE(is_distinguishably_better(10, 9, 8));
  CHECK(is_distinguishably_better(108, 101, 100));
}
