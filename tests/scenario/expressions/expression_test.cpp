#include <gdsim/scenario/expressions/expression.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <string>

using namespace gdsim;

namespace {

double value(const std::string& text) { return Expression(text).value({}); }

/// `POSITION: MESSAGE` of what is wrong.
std::string problem(const std::string& text) {
  try {
    return "none: " + number_text(value(text));
  } catch (const ExpressionError& error) {
    return std::to_string(error.position()) + ": " + error.what();
  }
}

}  // namespace

TEST_CASE("expressions follow the usual order of operations") {
  CHECK(value("2 + 3 * 4") == 14);
  CHECK(value("(2 + 3) * 4") == 20);
  CHECK(value("2 ^ 3 ^ 2") == 512);
  CHECK(value("-2 ^ 2") == -4);
  CHECK(value("10 / 4 * 2") == 5);
  CHECK(value("7 - 2 - 1") == 4);
  CHECK(value("1 + 2 < 4") == 1);
  CHECK(value("2 >= 3") == 0);
  CHECK(value("(1 == 1) + (1 != 1) + (2 <= 2) + (3 > 2)") == 3);
}

TEST_CASE("the functions of expressions are min, max, ceil, floor, log2, sqrt and if") {
  CHECK(value("min(3, 1, 2)") == 1);
  CHECK(value("max(3, 1, 2)") == 3);
  CHECK(value("ceil(7 / 2) + floor(7 / 2)") == 7);
  CHECK(value("log2(1024)") == 10);
  CHECK(value("sqrt(144)") == 12);
  CHECK(value("if(2 > 1, 5, 6)") == 5);
  CHECK_THAT(problem("sin(1)"), Catch::Contains("'(' is not expected here"));
}

TEST_CASE("mod of whole numbers is exact and has the sign of its second argument") {
  CHECK(value("mod(7, 4)") == 3);
  CHECK(value("mod(8, 4)") == 0);
  CHECK(value("mod(-1, 4)") == 3);
  CHECK(value("mod(1, -4)") == -3);
  CHECK(value("mod(9007199254740991, 2)") == 1);
  CHECK(value("mod(5.5, 2)") == 1.5);
  CHECK_THAT(problem("mod(1, 0)"), Catch::Contains("it divides by 0"));
  CHECK(Expression("mod + 1").names().front().text == "mod");
}

TEST_CASE("names are listed in the order in which they appear and take the values given") {
  const Expression expression("tile * stages + tile + device.cores");
  REQUIRE(expression.names().size() == 3);
  CHECK(expression.names()[0].text == "tile");
  CHECK(expression.names()[1].text == "stages");
  CHECK(expression.names()[1].position == 7);
  CHECK(expression.names()[2].text == "device.cores");
  CHECK(expression.value({16, 2, 108}) == 156);
  CHECK(expression.value({1, 2, 3}) == 6);
}

TEST_CASE("whole numbers are exact up to 2^53 and an error beyond") {
  CHECK(number_text(value("2 ^ 53")) == "9007199254740992");
  CHECK(number_text(value("9007199254740991")) == "9007199254740991");
  CHECK(number_text(value("2 ^ 53 - 1")) == "9007199254740991");
  CHECK(number_text(value("94906265 * 94906265")) == "9007199136250225");
  CHECK_THAT(problem("2 ^ 53 + 1"), Catch::Contains("leaves the numbers that are exact"));
  CHECK_THAT(problem("9007199254740993"), Catch::StartsWith("0: ") && Catch::Contains("more than 2^53"));
  // What leaves the exact numbers on the way is an error, even if the result would not.
  CHECK_THAT(problem("2 ^ 60 - 2 ^ 60 + 1"), Catch::Contains("leaves the numbers that are exact"));
  CHECK_THAT(problem("2 ^ 60 > 5"), Catch::Contains("leaves the numbers that are exact"));
}

TEST_CASE("what is not chosen by if need not have a value") {
  CHECK(value("if(1, 64, 1 / 0)") == 64);
  CHECK_THAT(problem("if(1 / 0, 1, 2)"), Catch::Contains("divides by 0"));
  CHECK_THAT(problem("min(1, 1 / 0)"), Catch::Contains("divides by 0"));
  CHECK_THAT(problem("sqrt(0 - 1)"), Catch::Contains("a root or a logarithm that does not exist"));
  CHECK_THAT(problem("log2(0)"), Catch::Contains("a root or a logarithm that does not exist"));
}

TEST_CASE("decimals are written with the digits that they were meant to have") {
  CHECK(number_text(value("0.1 + 0.2")) == "0.3");
  CHECK(number_text(value("1 / 8")) == "0.125");
  CHECK(number_text(value("0 - 0")) == "0");
}

TEST_CASE("numbers may have an exponent, with or without a sign") {
  CHECK(value("1e3") == 1'000);
  CHECK(value("1E3") == 1'000);
  CHECK(value("2e+1") == 20);
  CHECK(value("25E-1") == 2.5);
  CHECK(value("1e0") == 1);
  CHECK(value("1.5e2 + 1") == 151);
  CHECK(value("1e1-1") == 9);  // the second sign is the operation
  CHECK(value("1e-1+1") == 1.1);
  CHECK(value("2e1*2e1") == 400);
  CHECK(value("max(1e2,1e1)") == 100);
}

TEST_CASE("an exponent without digits, or with more behind it, is refused with the number as it is written") {
  for (const std::string text : {"1e", "1E", "1e+", "1e-", "2.5e"}) {
    INFO(text);
    CHECK_THAT(problem(text), Catch::StartsWith("0: '" + text + "' "));
    CHECK_THAT(problem("7 + " + text + " * 2"), Catch::StartsWith("4: '" + text + "' "));
  }
  CHECK(problem("1e3x") == "3: a sign such as '*' is missing behind '1e3'");
  CHECK(problem("1e3e3") == "3: a sign such as '*' is missing behind '1e3'");
  CHECK_THAT(problem("1e3.5"), !Catch::StartsWith("none"));
  CHECK_THAT(problem("1e--3"), Catch::StartsWith("0: '1e-' "));
  CHECK_THAT(problem("1e17"), Catch::StartsWith("0: '1e17' is more than 2^53"));
}

TEST_CASE("a text that is no expression is refused where it goes wrong") {
  CHECK(problem("2 *") == "3: a value is missing at its end");
  CHECK(problem("(2") == "2: a ')' is missing");
  CHECK(problem("2)") == "1: this ')' closes nothing");
  CHECK(problem("1, 2") == "1: ',' separates arguments of a function; none is open here");
  CHECK(problem("a = 2") == "2: a comparison is written '=='");
  CHECK(problem("a ? 1 : 2") == "2: '?' is not known; write if(condition, a, b)");
  CHECK(problem("min(1") == "5: a ')' is missing");
  CHECK(problem("if(1, 2)") == "7: 'if' has too few arguments");
  CHECK(problem("sqrt(1, 2)") == "9: 'sqrt' has too many arguments");
  CHECK(problem("max + 1") == "0: 'max' is a function: a '(' belongs behind it");
  CHECK(problem("2x") == "1: a sign such as '*' is missing behind '2'");
  CHECK(problem("0x10") == "1: a sign such as '*' is missing behind '0'");
  CHECK_THAT(problem("\"a\""), Catch::StartsWith("0: '\"' is not known"));
  CHECK_THAT(problem("a && b"), Catch::StartsWith("2: '&' is not known"));
  CHECK_THAT(problem("\xC3\xA4"), Catch::StartsWith("0: "));
  CHECK_THAT(problem(""), Catch::StartsWith("0: "));
}

TEST_CASE("hostile expressions are refused by their length and their depth") {
  CHECK_THAT(problem(std::string(1'001, '1')), Catch::Contains("1001 bytes; at most 1000"));
  CHECK_THAT(problem(std::string(51, '(') + "1" + std::string(51, ')')), Catch::StartsWith("50: brackets are nested"));
  CHECK(value(std::string(50, '(') + "1" + std::string(50, ')')) == 1);
  CHECK_THAT(problem("9" + std::string(900, '^') + "9"), !Catch::StartsWith("none"));
  std::string powers = "9";
  for (int i = 0; i < 200; ++i) powers += "^9";
  CHECK_THAT(problem(powers), Catch::Contains("leaves the numbers that are exact"));
}

TEST_CASE("comparisons tell what is equal from what is less and from what is more") {
  struct Row {
    std::string sign;
    double less, equal, more;
  };
  for (const Row& row :
       {Row{"<", 1, 0, 0}, {"<=", 1, 1, 0}, {">", 0, 0, 1}, {">=", 0, 1, 1}, {"==", 0, 1, 0}, {"!=", 1, 0, 1}}) {
    INFO(row.sign);
    CHECK(value("1 " + row.sign + " 2") == row.less);
    CHECK(value("2 " + row.sign + " 2") == row.equal);
    CHECK(value("3 " + row.sign + " 2") == row.more);
  }
}

TEST_CASE("what is exactly 2^53 has a value, what was rounded to it has none") {
  const std::string most = "9007199254740992";
  for (const std::string text : {"9007199254740991 + 1", "9007199254740990 + 2", "0 + 9007199254740992",
                                 "2 ^ 27 * 2 ^ 26", "9007199254740992 / 1", "4503599627370496 / 0.5"}) {
    INFO(text);
    CHECK(number_text(value(text)) == most);
    CHECK(number_text(value("0 - (" + text + ")")) == "-" + most);
  }
  for (const std::string text : {"9007199254740991 + 2", "9007199254740992 + 0.5", "2 ^ 54", "94906267 * 94906267",
                                 "9007199254740992 / 0.5", "3 ^ 64", "3 ^ 65", "10 ^ 16", "1.5 ^ 91"}) {
    INFO(text);
    CHECK_THAT(problem(text), Catch::Contains("leaves the numbers that are exact, 2^53 = 9007199254740992 at most"));
  }
}

TEST_CASE("powers may be negative and of negative numbers, where they exist") {
  CHECK(value("2 ^ -1") == 0.5);
  CHECK(value("(0-2) ^ 3") == -8);
  CHECK(value("(0-2) ^ -1") == -0.5);
  CHECK(value("0 ^ 0") == 1);
  CHECK(value("0 ^ 2") == 0);
  CHECK(value("1 ^ 1000") == 1);
  CHECK(value("(0-1) ^ 1001") == -1);
  CHECK(value("1.5 ^ 2") == 2.25);
  CHECK(value("4 ^ 0.5") == 2);
  CHECK(value("2 ^ -53") == std::pow(2.0, -53));
  CHECK(problem("0 ^ (0-1)") == "0: it divides by 0");
  CHECK(problem("(0-8) ^ 0.5") == "0: it takes a root or a logarithm that does not exist");
}

TEST_CASE("roots, logarithms and rounding at their ends") {
  CHECK(value("sqrt(0)") == 0);
  CHECK(value("sqrt(2)") == std::sqrt(2.0));
  CHECK(value("log2(1)") == 0);
  CHECK(value("log2(0.5)") == -1);
  CHECK(value("log2(3)") == std::log2(3.0));
  CHECK(value("log2(2 ^ 53)") == 53);
  CHECK(problem("log2(0-1)") == "0: it takes a root or a logarithm that does not exist");
  CHECK(value("ceil(0-1.5)") == -1);
  CHECK(value("floor(0-1.5)") == -2);
  CHECK(value("ceil(2)") == 2);
  CHECK(value("max(0-3, 0-1, 0-2)") == -1);
  CHECK(value("min(2)") == 2);
  CHECK(value("if(0, 1 / 0, 3)") == 3);
  CHECK(value("if(0.1, 1, 2)") == 1);
  CHECK(value("if(0-1, 1, 2)") == 1);
}

TEST_CASE("what has no value passes its reason through everything that depends on it") {
  const std::string none = "(1 / 0)";
  for (const std::string text :
       {"1 + X",   "X - 1",    "1 - X",   "X * 0",   "0 / X",       "X ^ 0",        "0 ^ X",
        "-X",      "X < 1",    "1 >= X",  "X == X",  "X != 1",      "min(1, X, 2)", "max(X, 1)",
        "ceil(X)", "floor(X)", "log2(X)", "sqrt(X)", "if(X, 1, 2)", "if(1, X, 2)",  "if(0, 1, X)"}) {
    INFO(text);
    std::string filled = text;
    for (std::size_t at = filled.find('X'); at != std::string::npos; at = filled.find('X', at + 1))
      filled.replace(at, 1, none);
    CHECK(problem(filled) == "0: it divides by 0");
  }
}

TEST_CASE("an expression has up to 1000 bytes") {
  CHECK(value("1" + std::string(998, ' ') + " ") == 1);
  CHECK(problem("1" + std::string(1'000, ' ')) == "0: it has 1001 bytes; at most 1000 are allowed");
}

TEST_CASE("numbers are written whole if they are, else with 15 digits") {
  CHECK(number_text(-0.0) == "0");
  CHECK(number_text(-2) == "-2");
  CHECK(number_text(1.0 / 3) == "0.333333333333333");
  CHECK(number_text(1e15 + 0.5) == "1e+15");
}
