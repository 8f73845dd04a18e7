#include <gdsim/import/profiles/profile.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;

TEST_CASE("numbers of tools are scaled exactly, and rounded once") {
  CHECK(*scaled_number("506.660260", 9) == Int128{506'660'260'000});
  CHECK(*scaled_number("1419247333430.849", 6) == Int128{1'419'247'333'430'849'000});
  CHECK(*scaled_number("2,260,610.93", 0) == Int128{2'260'611});
  CHECK(*scaled_number("0.0005", 3) == Int128{1});
  CHECK(*scaled_number("0.00049", 3) == Int128{0});
  CHECK(*scaled_number("1e3", 0) == Int128{1'000});
  CHECK(*scaled_number("-7", 1) == Int128{-70});
  CHECK(*scaled_number("007", 0) == Int128{7});
  for (const char* text : {"", "-", ".", "1,23", "1.2.3", "0x10", "nan", "1e", "1e9999", "1e99999999999", "12 ",
                           "99999999999999999999999999999999999999999999"})
    CHECK_FALSE(scaled_number(text, 0));
}

TEST_CASE("whole numbers may be written as decimals, but not beyond their bound") {
  CHECK(*whole_number("496419.0", 1'000'000) == 496'419);
  CHECK(*whole_number("18446744073709551615", ~std::uint64_t{0}) == ~std::uint64_t{0});
  CHECK(*whole_number("1e3", 10'000) == 1'000);
  CHECK_FALSE(whole_number("1.5", 10));
  CHECK_FALSE(whole_number("1000.0004", 10'000));
  CHECK_FALSE(whole_number("255.9996", 10'000));
  CHECK_FALSE(whole_number("11", 10));
  CHECK_FALSE(whole_number("-1", 10));
}

TEST_CASE("rounded bytes stand for the roundest size that they may be") {
  CHECK(*snapped_bytes("8.19", 1'000) == 8'192);
  CHECK(*snapped_bytes("0.049", 1'000'000) == 49'152);
  CHECK(*snapped_bytes("12.54", 1'000) == 12'544);
  CHECK(*snapped_bytes("4096", 1) == 4'096);
  CHECK(*snapped_bytes("5", 1) == 5);
  CHECK(*snapped_bytes("0.000", 1'000'000) == 0);
  CHECK_FALSE(snapped_bytes("-1", 1));
}
