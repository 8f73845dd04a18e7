#include <gdsim/base/decimal.hpp>
#include <gdsim/base/diagnostic.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

using namespace gdsim;

namespace {
Decimal decimal(std::string_view text) {
  const auto parsed = parse_decimal(text);
  INFO(text << ": " << parsed.problem);
  REQUIRE(parsed.value.has_value());
  return *parsed.value;
}
}  // namespace

TEST_CASE("a decimal is kept exactly as it was written") {
  CHECK(to_text(decimal("0.1")) == "0.1");
  CHECK(to_text(decimal("45.30")) == "45.3");
  CHECK(to_text(decimal("2000")) == "2000");
  CHECK(to_text(decimal("1e3")) == "1000");
  CHECK(to_text(decimal("12.5e-3")) == "0.0125");
  CHECK(to_text(decimal("0.000")) == "0");
  CHECK(to_text(decimal("123456789012345678901234567890.123456")) == "123456789012345678901234567890.123456");
}

TEST_CASE("text that is no plain number is refused with the reason") {
  const auto problem = [](std::string_view text) { return parse_decimal(text).problem; };
  CHECK(problem("-1") == "is negative");
  CHECK(problem("+1") == "has a sign; write it without");
  CHECK(problem("nan") == "is not a number");
  CHECK(problem(".inf") == "is not a number");
  CHECK(problem("1x3") == "is not a number");
  CHECK(problem("0x1F").find("hexadecimal") != std::string::npos);
  CHECK(problem("014").find("leading zero") != std::string::npos);
  CHECK(problem("1.").find("digit is missing") != std::string::npos);
  CHECK(problem("1e").find("exponent") != std::string::npos);
  CHECK(problem("1e999").find("exponent") != std::string::npos);
  CHECK(problem("1_000") == "is not a number");
  CHECK(problem("1 2") == "is not a number");
  CHECK(problem("1234567890123456789012345678901234567").find("36 digits") != std::string::npos);
  CHECK(problem("") == "is empty");
}

TEST_CASE("a product is rounded once, halves up, and distinguished from overflow") {
  CHECK(round_product({decimal("0.5")}) == 1);
  CHECK(round_product({decimal("0.4999999999999999999999")}) == 0);
  CHECK(round_product({decimal("10"), decimal("0.85")}, {1, 17}) == 1);  // 8.5 / 17 = 0.5
  // Rounding 0.45 first to 0.5 and then to 1 would be wrong.
  CHECK(round_product({decimal("0.9"), decimal("0.5")}) == 0);
  CHECK(round_product({decimal("9223372036854775807")}) == 9223372036854775807);
  CHECK_FALSE(round_product({decimal("9223372036854775807.5")}).has_value());
}

TEST_CASE("tolerances are compared exactly, their bounds included") {
  CHECK(is_within({30400, 672}, decimal("45.3"), decimal("0.1")));
  CHECK_FALSE(is_within({30400, 672}, decimal("45.3"), decimal("0.06")));
  CHECK(is_within({1, 10}, decimal("0.2"), decimal("0.1")));
  CHECK_FALSE(is_within({1, 3}, decimal("0.3333333333"), decimal("0")));
  CHECK(is_within_percent({102, 1}, {100, 1}, decimal("2")));
  CHECK_FALSE(is_within_percent({103, 1}, {100, 1}, decimal("2.9")));
}

TEST_CASE("fixed decimals round halves away from zero") {
  CHECK(to_fixed({30400, 672}, 4) == "45.2381");
  CHECK(to_fixed({1, 8}, 2) == "0.13");
  CHECK(to_fixed({5, 1}, 0) == "5");
  CHECK(to_fixed({1, 2}, 0) == "1");
  CHECK(to_fixed({99995, 100000}, 4) == "1.0000");
  CHECK(to_fixed({0, 7}, 4) == "0.0000");
}

TEST_CASE("decimals are ordered by value, not by notation") {
  CHECK(compare(decimal("1.0"), decimal("1")) == 0);
  CHECK(compare(decimal("0.9"), decimal("1e0")) < 0);
  CHECK(compare(decimal("1e2"), decimal("99.99")) > 0);
}

TEST_CASE("printing and parsing a decimal gives the same value") {
  rc::prop("parse(print(x)) == x", [](std::uint32_t digits) {
    const int exponent = *rc::gen::inRange(-9, 6);
    const Decimal value{digits, digits == 0 ? 0 : exponent};
    const auto parsed = parse_decimal(to_text(value));
    RC_ASSERT(parsed.value.has_value());
    RC_ASSERT(compare(*parsed.value, value) == 0);
  });
}

TEST_CASE("a product in 128 bits is the product in big numbers") {
  rc::prop("round_product() is the same with factors that leave 128 bits and cancel out",
           [](std::uint64_t a, std::uint64_t b) {
             const int exponent = *rc::gen::inRange(-19, 6);
             const auto scale =
                 Ratio{*rc::gen::inRange<std::uint64_t>(1, 1'000'000), *rc::gen::inRange<std::uint64_t>(1, 1'000)};
             const Decimal x{a >> *rc::gen::inRange(0, 64), exponent};
             const Decimal y{b >> *rc::gen::inRange(0, 64), -9};
             RC_ASSERT(round_product({x, y}, scale) == round_product({x, y, Decimal{1, 40}, Decimal{1, -40}}, scale));
           });
}

TEST_CASE("no number is printed with more than 18 decimals, or fewer than none") {
  CHECK(to_fixed({1, 3}, 18) == "0.333333333333333333");
  CHECK_THROWS_AS(to_fixed({1, 3}, 19), DefectError);
  CHECK_THROWS_AS(to_fixed({1, 3}, -1), DefectError);
}
