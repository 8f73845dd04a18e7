#include <gdsim/device/device_rules.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;

TEST_CASE("a kind of arithmetic has a plain name") {
  for (const char* name : {"fp32", "tensor_fp16", "x", "int8_4"}) CHECK(is_kind_name(name));
  for (const char* name : {"", "Fp32", "8bit", "_x", "fp-32", "fp 32", "fp.32", "f\xC3\xBC"})
    CHECK_FALSE(is_kind_name(name));
}

TEST_CASE("amounts of tensor kinds are multiply-adds") {
  CHECK(is_tensor_kind("tensor_fp16"));
  CHECK_FALSE(is_tensor_kind("tensor"));
  CHECK_FALSE(is_tensor_kind("fp16_tensor_"));
}

TEST_CASE("rates are multiples of a millionth, from one to a million millions of them") {
  CHECK(is_arithmetic_rate(Decimal{5, -1}));
  CHECK(is_arithmetic_rate(Decimal{1, -6}));
  CHECK(is_arithmetic_rate(Decimal::whole(1'000'000)));
  CHECK_FALSE(is_arithmetic_rate(Decimal{}));
  CHECK_FALSE(is_arithmetic_rate(Decimal{1, -7}));
  CHECK_FALSE(is_arithmetic_rate(Decimal{1'000'000'000'001, -6}));
}

TEST_CASE("a device has the kinds that it names, and no others") {
  const ArithmeticRule rule{{"fp32", Decimal::whole(16)}, {"fp64", Decimal{5, -1}}};
  REQUIRE(rate_of(rule, "fp64") != nullptr);
  CHECK(compare(*rate_of(rule, "fp64"), Decimal{5, -1}) == 0);
  CHECK(rate_of(rule, "fp6") == nullptr);
  CHECK(rate_of({}, "fp32") == nullptr);
}
