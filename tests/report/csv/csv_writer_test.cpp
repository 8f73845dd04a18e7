#include "support/string_sink.hpp"

#include <gdsim/report/csv/csv_writer.hpp>
#include <gdsim/report/number_format.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

using namespace gdsim;
using gdsim::testing::StringSink;

namespace {
std::string fraction(Ratio ratio) {
  std::string text;
  append_fraction(text, ratio);
  return text;
}
}  // namespace

TEST_CASE("a CSV has a header, commas and LF, and quotes what needs it") {
  StringSink sink;
  CsvWriter csv(sink, {"a", "b,c"});
  csv.text("plain").text("say \"hi\", you\nthere").end_row();
  csv.time(Duration{1234567}).time(std::optional<Duration>{}).end_row();
  csv.count(42).fraction({1, 3}).end_row();
  csv.finish();
  CHECK(sink.text ==
        "a,\"b,c\"\n"
        "plain,\"say \"\"hi\"\", you\nthere\"\n"
        "1234.567,\n"
        "42,0.3333\n");
}

TEST_CASE("cells that are made once are those of texts written one by one") {
  StringSink sink;
  CsvWriter csv(sink, {"a", "b", "c"});
  const std::string made = csv_cells({"say \"hi\"", ""});
  csv.cells(made).count(1).end_row();
  csv.cells(csv_cells({"x,y"})).text("").empty().end_row();
  csv.finish();
  CHECK(sink.text == "a,b,c\n\"say \"\"hi\"\"\",,1\n\"x,y\",,\n");
}

TEST_CASE("a cell longer than the writer's buffer is written whole") {
  StringSink sink;
  CsvWriter csv(sink, {"a", "b"});
  const std::string long_text(300'000, '"');
  csv.count(5).text(long_text).end_row();
  csv.cells(csv_cells({long_text})).count(6).end_row();
  csv.finish();
  const std::string doubled = "\"" + long_text + long_text + "\"";
  CHECK(sink.text == "a,b\n5," + doubled + "\n" + doubled + ",6\n");
}

TEST_CASE("many rows reach the sink, in order and complete") {
  StringSink sink;
  CsvWriter csv(sink, {"n"});
  std::string expected = "n\n";
  for (std::uint64_t i = 0; i < 50'000; ++i) {
    csv.count(i).end_row();
    expected += std::to_string(i) + "\n";
  }
  csv.finish();
  CHECK(sink.text == expected);
}

TEST_CASE("counts are written as the standard library writes them") {
  const auto check = [](std::uint64_t value) {
    std::string text;
    append_count(text, value);
    return text == std::to_string(value);
  };
  for (std::uint64_t power = 1, i = 0; i < 20; ++i, power *= 10) {
    CHECK(check(power - 1));
    CHECK(check(power));
    CHECK(check(power + 1));
  }
  CHECK(check(UINT64_MAX));
  for (unsigned bit = 0; bit < 64; ++bit) CHECK(check(std::uint64_t{1} << bit));
  rc::prop("of any number of bits",
           [&](std::uint64_t value, std::uint8_t shift) { RC_ASSERT(check(value >> shift % 64)); });
}

TEST_CASE("seconds have twelve decimals") {
  std::string text;
  append_seconds(text, SimTime{5});
  append_seconds(text, SimTime{1'020'304'050'607'080});
  CHECK(text == "0.0000000000051020.304050607080");
}

TEST_CASE("picoseconds are nanoseconds with three decimals") {
  std::string text;
  append_nanoseconds(text, {0});
  text += ' ';
  append_nanoseconds(text, {7});
  text += ' ';
  append_nanoseconds(text, {INT64_MAX});
  CHECK(text == "0.000 0.007 9223372036854775.807");
}

TEST_CASE("fractions have four decimals, halves away from zero, however large they are") {
  CHECK(fraction({30400, 672}) == "45.2381");
  CHECK(fraction({1, 20000}) == "0.0001");
  CHECK(fraction({1, 20001}) == "0.0000");
  CHECK(fraction({UInt128{1} << 100, UInt128{3} << 98}) == "1.3333");
  rc::prop("the quick way and the exact way agree", [](std::uint32_t numerator, std::uint32_t denominator) {
    RC_PRE(denominator > 0U);
    RC_ASSERT(fraction({numerator, denominator}) == to_fixed({numerator, denominator}, 4));
  });
}
