#include <gdsim/base/printable.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

using namespace gdsim;

TEST_CASE("well-formed text stays readable on a terminal") {
  CHECK(printable("über Ω 漢字 \U0001F600 C:\\dir") == "über Ω 漢字 \U0001F600 C:\\dir");
  CHECK(printable("").empty());
}

TEST_CASE("whatever a terminal could obey is shown escaped") {
  CHECK(printable("a\x1b[31mb\x07\x7f") == "a\\x1b[31mb\\x07\\x7f");
  CHECK(printable("one\ntwo\tthree\rfour") == "one\\ntwo\\tthree\\rfour");
  CHECK(printable("\x9b"
                  "31m") == "\\x9b31m");  // CSI as one byte
  CHECK(printable("\xC2\x9B"
                  "31m") == "\\u009b31m");                // CSI as a character
  CHECK(printable("\xFF\xE2\x82") == "\\xff\\xe2\\x82");  // not UTF-8, and cut short
  CHECK(printable("x\u202Ey\u2066z\u200F\u061C") == "x\\u202ey\\u2066z\\u200f\\u061c");
  CHECK(printable("x\u2028y\u2029") == "x\\u2028y\\u2029");
  CHECK(printable(std::string_view("\0", 1)) == "\\x00");
}

TEST_CASE("text of several lines keeps its lines and nothing else that moves the cursor") {
  CHECK(printable_lines("a\nb\x1b\r\n") == "a\nb\\x1b\\r\n");
}

TEST_CASE("no bytes reach a terminal that it could obey, and what is printable comes back unchanged") {
  rc::prop("", [](const std::string& bytes) {
    const std::string shown = printable(bytes);
    for (const char c : shown) RC_ASSERT(static_cast<unsigned char>(c) >= 0x20 && c != 0x7F);
    RC_ASSERT(printable(shown) == shown);
  });
}
