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

TEST_CASE("a product can be rounded up, also beyond 128 bits") {
  CHECK(round_product_up({decimal("0.5")}) == 1);
  CHECK(round_product_up({decimal("0.000000000000000000000000001")}) == 1);
  CHECK(round_product_up({decimal("3")}) == 3);
  CHECK(round_product_up({decimal("10"), decimal("0.85")}, {2, 17}) == 1);
  CHECK(round_product_up({Decimal{}}) == 0);
  CHECK_FALSE(round_product_up({decimal("9223372036854775806.5"), decimal("1.1")}).has_value());
  const Decimal huge{7, 40};
  CHECK(round_product_up({huge, Decimal{1, -40}, decimal("1.01")}) == 8);
  CHECK(round_product_up({huge, Decimal{1, -40}}) == 7);
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

TEST_CASE("zeros before the first other digit are no significant digits, those behind it are") {
  const std::string zeros(40, '0');
  CHECK(to_text(decimal("0." + zeros + "1")) == "0." + zeros + "1");
  CHECK(to_text(decimal("0." + zeros)) == "0");
  CHECK(to_text(decimal("1" + std::string(35, '0'))) == "1" + std::string(35, '0'));
  CHECK(parse_decimal("1" + std::string(36, '0')).problem == "has more than 36 digits");
  CHECK(to_text(decimal("0.1" + std::string(35, '0'))) == "0.1");
  CHECK(parse_decimal("0.1" + std::string(36, '0')).problem == "has more than 36 digits");
}

TEST_CASE("an exponent has at most two digits, and all that it stands for at most 60") {
  CHECK(to_text(decimal("1e60")) == "1" + std::string(60, '0'));
  CHECK(parse_decimal("1e61").problem == "has an exponent beyond 60");
  CHECK(to_text(decimal("1e-60")) == "0." + std::string(59, '0') + "1");
  CHECK(parse_decimal("1e-61").problem == "has an exponent beyond 60");
  CHECK(parse_decimal("0.1e-60").problem == "has an exponent beyond 60");
  CHECK(to_text(decimal("0.1e+60")) == "1" + std::string(59, '0'));
  CHECK(to_text(decimal("1E05")) == "100000");
  CHECK(to_text(decimal("0e99")) == "0");
  for (const std::string text : {"1e005", "1e", "1e+", "1e-", "1e100"})
    CHECK(parse_decimal(text).problem == "is not a number: its exponent is not a whole number of at most 2 digits");
  for (const std::string text : {"1e5x", "1e5.0", "1.5.5", "1,5", "0y1"})
    CHECK(parse_decimal(text).problem == "is not a number");
  for (const std::string text : {"00", "00.5", "01"})
    CHECK(parse_decimal(text).problem == "has a leading zero, which others read as octal; write it without");
  for (const std::string text : {"0x1", "0X1", "0x"})
    CHECK(parse_decimal(text).problem == "is hexadecimal; write it in decimal");
  CHECK(to_text(decimal("0")) == "0");
}

TEST_CASE("a decimal is whole if it has no fraction after scaling") {
  CHECK(is_whole(decimal("12"), 1));
  CHECK(is_whole(decimal("1e3"), 1));
  CHECK(is_whole(decimal("0.0015"), 10'000));
  CHECK_FALSE(is_whole(decimal("0.0015"), 1'000));
  CHECK_FALSE(is_whole(decimal("0.5"), 1));
  CHECK(is_whole(decimal("0.5"), 4));
}

TEST_CASE("a share is at least a bound that it equals, and within percent of what it differs by as much from") {
  CHECK(is_at_least({1, 4}, decimal("0.25")));
  CHECK_FALSE(is_at_least({1, 4}, decimal("0.2500001")));
  CHECK(is_at_least({1, 3}, decimal("0.3333333333")));
  CHECK(is_within_percent({98, 1}, {100, 1}, decimal("2")));
  CHECK_FALSE(is_within_percent({98, 1}, {100, 1}, decimal("1.999")));
  CHECK(is_within_percent({0, 1}, {0, 1}, decimal("0")));
  CHECK(is_within({1, 10}, decimal("0"), decimal("0.1")));
  CHECK_FALSE(is_within({1, 10}, decimal("0"), decimal("0.099")));
}

TEST_CASE("products near the ends of 63, 64 and 128 bits are exact") {
  CHECK(round_product({decimal("9223372036854775806.5")}) == 9223372036854775807);
  CHECK_FALSE(round_product({decimal("9223372036854775808")}));
  CHECK(round_product({decimal("18446744073709551615")}, {1, 3}) == 6148914691236517205);
  CHECK(round_product({decimal("4294967296"), decimal("18446744073709551616")}, {1, UInt128{1} << 64}) == 4294967296);
  CHECK(round_product({decimal("9223372036854775808"), decimal("9223372036854775808")}, {1, UInt128{1} << 64}) ==
        4611686018427387904);  // 2^126 / 2^64
  CHECK(round_product({decimal("1e60"), decimal("1e-60")}) == 1);
  CHECK(round_product({decimal("1e20"), decimal("5e-21")}) == 1);
  CHECK(round_product({decimal("1e20"), decimal("4e-21")}) == 0);
  CHECK(round_product({decimal("2.5")}, {1, 5}) == 1);
  CHECK(round_product({decimal("0")}, {7, 5}) == 0);
}
