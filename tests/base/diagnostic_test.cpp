#include <gdsim/base/diagnostic.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;

TEST_CASE("a diagnostic shows its place, its message, the line and a caret") {
  const SourceText source("kernel.yaml", "first: 1\n  second: 9\r\nthird: 3\n");
  Diagnostics problems;
  problems.add({&source, 2, 11}, "second: 9 is too much");
  CHECK(to_text(problems.problems().front()) ==
        "kernel.yaml:2:11: error: second: 9 is too much\n"
        "  2 |   second: 9\n"
        "    |           ^");
}

TEST_CASE("a diagnostic about a whole file has no line") {
  CHECK(to_text(Diagnostic{"", "is a directory", "folder", 0, 0, ""}) == "folder: error: is a directory");
}

TEST_CASE("control characters of a scenario are shown escaped, and the caret stands below the right character") {
  const SourceText source("e\x1bvil.yaml", "k\u00fc: \x1b[31m\tred\n");
  Diagnostics problems;
  problems.add({&source, 1, 11}, "'\x9b\n' is bad");
  CHECK(to_text(problems.problems().front()) ==
        "e\\x1bvil.yaml:1:11: error: '\\x9b\\n' is bad\n"
        "  1 | k\u00fc: \\x1b[31m red\n"
        "    |              ^");
}

TEST_CASE("an input error lists all problems at once") {
  Diagnostics problems;
  CHECK_NOTHROW(problems.throw_if_any());
  problems.add({}, "one");
  problems.add({}, "two");
  CHECK_THROWS_WITH(problems.throw_if_any(), "error: one\nerror: two");
}

TEST_CASE("an input that is refused without a reason is a defect of the program") {
  CHECK_THROWS_AS(InputError(std::vector<Diagnostic>{}), DefectError);
  CHECK_THROWS_AS(InputError(""), DefectError);
  CHECK_THROWS_AS(InputError({Diagnostic{"", "one", "f", 0, 0, ""}, Diagnostic{"", "", "f", 0, 0, ""}}), DefectError);
}

TEST_CASE("a text knows its lines, whatever ends them") {
  const SourceText source("x", "a\r\nb\n\nd");
  CHECK(source.line(1) == "a");
  CHECK(source.line(2) == "b");
  CHECK(source.line(3).empty());
  CHECK(source.line(4) == "d");
  CHECK(source.line(5).empty());
  CHECK(source.line(0).empty());
}

TEST_CASE("a column far behind the end of its line is shown at the end") {
  const Diagnostic far{"", "is wrong", "file", 1, 4'000'000'000, "ab"};
  CHECK(to_text(far) == "file:1:4000000000: error: is wrong\n  1 | ab\n    |   ^");
}
