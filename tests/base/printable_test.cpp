#include <gdsim/base/text.hpp>

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

TEST_CASE("a character of two bytes is escaped if it is a control, at the end of the text as before any other") {
  for (const std::string behind : {"", "a", "\x1b", "\u00E9", "\u0085", "\u3000", "\xBF", "\x80"}) {
    INFO(printable(behind));
    CHECK(printable("\u0085" + behind) == "\\u0085" + printable(behind));
    CHECK(printable("\u0080" + behind) == "\\u0080" + printable(behind));
    CHECK(printable("\u009F" + behind) == "\\u009f" + printable(behind));
    CHECK(printable("\u00A0" + behind) == "\u00A0" + printable(behind));
    CHECK(printable("\u00E9" + behind) == "\u00E9" + printable(behind));
    CHECK(printable("\u061B" + behind) == "\u061B" + printable(behind));
    CHECK(printable("\u061C" + behind) == "\\u061c" + printable(behind));
    CHECK(printable("\u061D" + behind) == "\u061D" + printable(behind));
  }
}

TEST_CASE("of marks of direction and separators of lines, exactly those are escaped that a terminal obeys") {
  for (const auto& [first, last] : {std::pair(0x200EU, 0x200FU), {0x2028U, 0x202EU}, {0x2066U, 0x2069U}})
    for (std::uint32_t code = first - 1; code <= last + 1; ++code) {
      const std::string text{static_cast<char>(0xE0U | code >> 12), static_cast<char>(0x80U | (code >> 6 & 0x3FU)),
                             static_cast<char>(0x80U | (code & 0x3FU))};
      INFO(std::hex << code);
      CHECK((printable(text) != text) == (first <= code && code <= last));
    }
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

TEST_CASE("what a spreadsheet would compute begins as a formula") {
  for (const char* text : {"=1", "+1", "-1", "@a", "\ta", "\ra"}) CHECK(begins_as_formula(text));
  for (const char* text : {"", "a=1", "1", " =1"}) CHECK_FALSE(begins_as_formula(text));
}
