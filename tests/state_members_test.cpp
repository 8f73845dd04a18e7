#include "support/builders.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <regex>

// Every member of a class that describes its state is visited, or says why it need not be.

using namespace gdsim::testing;
namespace fs = std::filesystem;

namespace {

/// The bodies of all functions of that name, one after the other.
std::string bodies_of(const std::string& text, const std::string& function) {
  std::string bodies;
  const std::regex head(function + R"(\([^;{]*\)[^;{]*\{)");
  for (std::sregex_iterator match(text.begin(), text.end(), head), end; match != end; ++match) {
    const auto begin = static_cast<std::size_t>(match->position() + match->length());
    std::size_t at = begin;
    for (int depth = 1; depth > 0 && at < text.size(); ++at) depth += text[at] == '{' ? 1 : text[at] == '}' ? -1 : 0;
    bodies += text.substr(begin, at - begin);
  }
  return bodies;
}

bool says_why_not(const std::string& comment) {
  const std::regex reason(R"(\[(constant|derived|scratch|statistics)\]|visited)");
  return std::regex_search(comment, reason) && comment.find("not visited") == std::string::npos;
}

bool names(const std::string& text, const std::string& name) {
  return std::regex_search(text, std::regex("\\b" + name + "\\b"));
}

/// Members ending with `suffix` that are declared in `header`, are no references to what is constant, do not say why
/// they need not be visited, and are not named in `visits`.
std::vector<std::string> unvisited(const std::string& header, const std::string& suffix, const std::string& visits) {
  const std::regex member("\n  ((?!return|using|static|struct|class|friend)[A-Za-z_][A-Za-z0-9_:<>,*&. ]*)[ \n]+(\\w*" +
                          suffix + ")( = [^;\n]*|\\{[^;\n]*\\})?;([^\n]*)");
  std::vector<std::string> missed;
  for (std::sregex_iterator match(header.begin(), header.end(), member), end; match != end; ++match) {
    const std::string type = (*match)[1];
    const bool is_constant =
        type.rfind("Bound<const ", 0) == 0 || (type.rfind("const ", 0) == 0 && type.find('&') != std::string::npos);
    if (!is_constant && !says_why_not((*match)[4]) && !names(visits, (*match)[2])) missed.push_back((*match)[2]);
  }
  return missed;
}

bool copies_members_of_another(const std::string& assignment) {
  return std::regex_search(assignment, std::regex(R"(_ = other\.\w+_;)"));
}

/// Members of the class that an assignment written by hand does not name. References to neighbours stay as they are.
std::vector<std::string> unassigned(const std::string& header, const std::string& assignment) {
  const std::regex member(R"(\n  ((?!return|using|static|struct|class|friend|Bound<)[A-Za-z_][A-Za-z0-9_:<>,*&. ]*) )"
                          R"((\w*_)( = [^;\n]*|\{[^;\n]*\})?;)");
  std::vector<std::string> missed;
  for (std::sregex_iterator match(header.begin(), header.end(), member), end; match != end; ++match)
    if (!names(assignment, (*match)[2])) missed.push_back((*match)[2]);
  return missed;
}

std::string source_of(const fs::path& header) {
  const fs::path source = fs::path(header).replace_extension(".cpp");
  return fs::exists(source) ? read_file(source) : std::string();
}

}  // namespace

TEST_CASE("no mutable member of what describes its state is left unvisited") {
  std::size_t classes = 0;
  for (const std::string room : {"event", "fit", "dispatch", "model"})
    for (const auto& entry : fs::recursive_directory_iterator(source_path("sim/gdsim/" + room))) {
      if (entry.path().extension() != ".hpp") continue;
      const std::string header = read_file(entry.path());
      const std::string visits = bodies_of(header + source_of(entry.path()), "visit_state");
      if (visits.empty()) continue;
      ++classes;
      INFO(entry.path());
      CHECK(unvisited(header, "_", visits) == std::vector<std::string>{});
    }
  CHECK(classes >= 20);
}

TEST_CASE("no mutable member of the state of a model or of its dispatchers is left unvisited") {
  const std::vector<std::pair<std::string, std::string>> states{
      {"model/step_state.hpp", "model/visit_model.cpp"},
      {"model/model_state.hpp", "model/visit_model.cpp"},
      {"dispatch/dispatch_state.hpp", "dispatch/dispatch_state.cpp"},
      {"dispatch/dispatch_unit.hpp", "dispatch/dispatch_unit.hpp"}};
  for (const auto& [declares, visits] : states) {
    INFO(declares);
    const std::string source = read_file(source_path("sim/gdsim/" + visits));
    const std::string bodies = bodies_of(source, "visit_state");
    const std::string header = read_file(source_path("sim/gdsim/" + declares));
    CHECK(unvisited(header, "[a-z]", bodies.empty() ? source : bodies) == std::vector<std::string>{});
  }
}

TEST_CASE("no member is left out of an assignment that is written by hand") {
  std::size_t classes = 0;
  for (const std::string room : {"base", "event", "fit", "dispatch", "model", "record"})
    for (const auto& entry : fs::recursive_directory_iterator(source_path("sim/gdsim/" + room))) {
      if (entry.path().extension() != ".hpp") continue;
      const std::string header = read_file(entry.path());
      const std::string assignment = bodies_of(header + source_of(entry.path()), R"(operator=)");
      if (!copies_members_of_another(assignment)) continue;
      ++classes;
      INFO(entry.path());
      CHECK(unassigned(header, assignment) == std::vector<std::string>{});
    }
  CHECK(classes >= 4);
}

TEST_CASE("the search for members that are left out of an assignment finds one") {
  const std::string header =
      "class Sample {\n private:\n  int copied_ = 0;\n  int missed_;  ///< [derived]\n"
      "  Bound<Sample> neighbour_;\n};\n";
  CHECK(unassigned(header, "copied_ = other.copied_;") == std::vector<std::string>{"missed_"});
}

TEST_CASE("the search for unvisited members finds one") {
  const std::string header =
      "class Sample {\n private:\n  int seen_ = 0;\n  std::vector<int> missed_;  ///< by core\n"
      "  int told_;  ///< [constant] by the device\n};\n";
  CHECK(unvisited(header, "_", "visitor.plain(seen_);") == std::vector<std::string>{"missed_"});
}
