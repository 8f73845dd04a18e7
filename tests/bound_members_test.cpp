#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

// The functions that visit a state, or assign it by hand, bind all members of their class: `auto& [held_, ...] =
// *this`. The compiler counts them. These tests compare their names and order with the declarations, and see that each
// is used.

using namespace gdsim::testing;
namespace fs = std::filesystem;

namespace {

/// A list of names that is bound to the members of an object, and the rest of the function.
struct Binding {
  std::vector<std::string> names;
  std::string rest;
};

std::vector<Binding> bindings_in(const std::string& text) {
  std::vector<Binding> all;
  const std::regex head(R"(auto& \[([^\]]*)\] =\s*(\*this|other);)");
  for (std::sregex_iterator match(text.begin(), text.end(), head), end; match != end; ++match) {
    Binding& one = all.emplace_back();
    std::istringstream list((*match)[1]);
    for (std::string name; std::getline(list >> std::ws, name, ',');) one.names.push_back(name);
    const auto begin = static_cast<std::size_t>(match->position() + match->length());
    one.rest = text.substr(begin, text.find("\n}\n", begin) - begin);
  }
  return all;
}

std::vector<std::string> problems_of(const Binding& binding, const std::string& header) {
  std::vector<std::string> problems;
  std::size_t last = 0;
  for (const std::string& name : binding.names) {
    std::smatch declared;
    const std::regex declaration("[ >&*]" + name + R"(_( = [^;\n]*|\{[^;\n]*\})?;)");
    const std::string later = header.substr(last);
    if (!std::regex_search(later, declared, declaration)) {
      problems.push_back(name + "_ is not declared, or elsewhere in the order");
    } else {
      last += static_cast<std::size_t>(declared.position());
    }
    if (!std::regex_search(binding.rest, std::regex("\\b" + name + "\\b"))) problems.push_back(name + " is not used");
  }
  return problems;
}

}  // namespace

TEST_CASE("what binds the members of a class has their names, in their order, and uses each") {
  std::size_t count = 0;
  for (const std::string room : {"event", "fit", "dispatch", "model"})
    for (const auto& entry : fs::recursive_directory_iterator(source_path("sim/gdsim/" + room))) {
      const fs::path header = fs::path(entry.path()).replace_extension(".hpp");
      if (!entry.is_regular_file() || !fs::exists(header)) continue;
      for (const Binding& binding : bindings_in(read_file(entry.path()))) {
        ++count;
        INFO(entry.path());
        CHECK(problems_of(binding, read_file(header)) == std::vector<std::string>{});
      }
    }
  CHECK(count >= 30);
}

TEST_CASE("the comparison of bound names finds one that is not used, and one that stands elsewhere") {
  const std::string header = "class Sample {\n  int first_;\n  int second_ = 0;\n};\n";
  const auto problems = [&](const std::string& function) { return problems_of(bindings_in(function).at(0), header); };
  CHECK(problems("{\n  auto& [first, second] = *this;\n  visit(first, second);\n}\n").empty());
  CHECK(problems("{\n  auto& [first, second] = *this;\n  visit(first);\n}\n") ==
        std::vector<std::string>{"second is not used"});
  CHECK(problems("{\n  auto& [second, first] = *this;\n  visit(first, second);\n}\n") ==
        std::vector<std::string>{"first_ is not declared, or elsewhere in the order"});
}
