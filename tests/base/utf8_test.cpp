#include <gdsim/base/text.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

using namespace gdsim;

namespace {
const std::string kReplaced = "\xEF\xBF\xBD";
}  // namespace

TEST_CASE("a character of UTF-8 has one to four bytes") {
  CHECK(utf8_length("a") == 1);
  CHECK(utf8_length("\u00e9x") == 2);
  CHECK(utf8_length("\u20acx") == 3);
  CHECK(utf8_length("\U0001F600x") == 4);
  CHECK(utf8_length("\xED\x9F\xBF") == 3);      // the last before the surrogates
  CHECK(utf8_length("\xF4\x8F\xBF\xBF") == 4);  // the last of all
}

TEST_CASE("what begins no character has length 0") {
  for (const std::string bytes :
       {"", "\x80", "\xBF", "\xC1\xBF", "\xC3", "\xC3(", "\xE2\x82", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFC\x8E\xB1\xA8", "\xF8\x88\x80\x80\x80", "\xFF"})
    CHECK(utf8_length(bytes) == 0);
}

TEST_CASE("bytes that are no characters are replaced one by one, and what XML forbids") {
  CHECK(well_formed("a\xFFz") == "a" + kReplaced + "z");
  CHECK(well_formed("\xE2\x82") == kReplaced + kReplaced);
  CHECK(well_formed("\xEF\xBF\xBE\xEF\xBF\xBF") == kReplaced + kReplaced);
  CHECK(well_formed("\u00fcber \U0001F600") == "\u00fcber \U0001F600");
}

TEST_CASE("any bytes become well-formed, and what is well-formed stays") {
  rc::prop("for any bytes", [](const std::string& bytes) {
    const std::string text = well_formed(bytes);
    std::string_view rest = text;
    while (!rest.empty()) {
      RC_ASSERT(utf8_length(rest) > 0);
      rest.remove_prefix(utf8_length(rest));
    }
    RC_ASSERT(well_formed(text) == text);
  });
}

TEST_CASE("a prefix ends between characters") {
  CHECK(utf8_prefix("abc", 3) == "abc");
  CHECK(utf8_prefix("abcd", 3) == "abc");
  CHECK(utf8_prefix("ab\u20acd", 3) == "ab");
  CHECK(utf8_prefix("ab\u20acd", 4) == "ab");
  CHECK(utf8_prefix("ab\u20acd", 5) == "ab\u20ac");
}
