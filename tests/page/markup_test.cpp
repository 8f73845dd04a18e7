#include <gdsim/page/markup.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;

TEST_CASE("markup becomes references, control characters blanks") {
  CHECK(markup_text("<a b=\"c\">'&") == "&lt;a b=&quot;c&quot;&gt;&#39;&amp;");
  CHECK(markup_text("a\x1B[1m\x7F\tb\nc") == "a [1m \tb\nc");
}

TEST_CASE("what XML does not allow is replaced, so that pages and JUnit files can be read") {
  CHECK(markup_text("a\xFF<\xEF\xBF\xBE") == "a\xEF\xBF\xBD&lt;\xEF\xBF\xBD");
}
