#include "support/builders.hpp"
#include "support/matches.hpp"
#include "support/temporary_folder.hpp"
#include "support/test_programs.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

// The architecture: which module stands on which layer, by sim/README.md, and which module may include which.

using namespace gdsim::testing;
namespace fs = std::filesystem;

namespace {

/// The layer of every module, read from lines such as `4  dispatch | check | analysis` of the README.
std::map<std::string, int> layers() {
  std::map<std::string, int> layer_of;
  std::istringstream readme(read_file(source_path("sim/README.md")));
  const std::regex layer_line("^([1-9][0-9]?) +((?:[a-z_]+)(?: \\| [a-z_]+)*)$");
  for (std::string line; std::getline(readme, line);) {
    std::smatch match;
    if (!std::regex_match(line, match, layer_line)) continue;
    std::istringstream modules(match[2].str());
    for (std::string module; modules >> module;)
      if (module != "|") layer_of[module] = std::stoi(match[1]);
  }
  return layer_of;
}

std::vector<fs::path> sources(const std::string& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(source_path(folder)))
    if (entry.path().extension() == ".hpp" || entry.path().extension() == ".cpp") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// The folder of sim/gdsim that a file lies in; the name of one that lies in none.
std::string module_of(const fs::path& file) { return *fs::relative(file, source_path("sim/gdsim")).begin(); }

/// The modules that a file of the library includes.
std::vector<std::string> included_modules(const fs::path& file) {
  std::vector<std::string> modules;
  const std::string text = read_file(file);
  const std::regex include("#include <gdsim/([a-z_]+)/");
  for (std::sregex_iterator match(text.begin(), text.end(), include), end; match != end; ++match)
    modules.push_back((*match)[1]);
  return modules;
}

/// The lines of a file that include something. What was read stays.
const std::string& includes_of(const fs::path& file) {
  static std::map<fs::path, std::string> known;
  const auto [place, is_new] = known.try_emplace(file);
  std::istringstream lines(is_new ? read_file(file) : std::string());
  for (std::string line; std::getline(lines, line);)
    if (line.find("#include ") != std::string::npos) place->second += line + '\n';
  return place->second;
}

/// Files below `folder` that include something matching `pattern`.
std::vector<std::string> files_that_include(const std::string& folder, const std::string& pattern) {
  std::vector<std::string> names;
  const std::regex include("#include [<\"]" + pattern);
  for (const fs::path& file : sources(folder))
    if (std::regex_search(includes_of(file), include)) names.push_back(fs::relative(file, source_path("")).string());
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a module includes only lower layers") {
  const auto layer_of = layers();
  REQUIRE(layer_of.size() >= 20);
  for (const fs::path& file : sources("sim/gdsim")) {
    const std::string module = module_of(file);
    if (module == "gdsim.hpp") continue;  // stands above all
    INFO(file);
    REQUIRE(layer_of.contains(module));
    for (const std::string& other : included_modules(file)) {
      INFO("includes " << other);
      REQUIRE(layer_of.contains(other));
      CHECK((other == module || layer_of.at(other) < layer_of.at(module)));
    }
  }
}

TEST_CASE("of the folders of dispatch, each includes only those before it") {
  const std::vector<std::string> order{"shares", "choice", "placement", "turn", "accounting"};
  for (auto folder = order.begin(); folder != order.end(); ++folder) {
    CHECK_FALSE(sources("sim/gdsim/dispatch/" + *folder).empty());
    for (auto later = std::next(folder); later != order.end(); ++later) {
      INFO(*folder << " includes " << *later);
      CHECK(files_that_include("sim/gdsim/dispatch/" + *folder, "gdsim/dispatch/" + *later + "/").empty());
    }
  }
}

TEST_CASE("dispatch decides without what explains it") {
  for (const std::string folder : {"choice", "placement", "turn"}) {
    INFO(folder);
    CHECK_FALSE(sources("sim/gdsim/dispatch/" + folder).empty());
    CHECK(files_that_include("sim/gdsim/dispatch/" + folder, "gdsim/dispatch/(accounting/|dispatching\\.hpp)").empty());
  }
  CHECK(files_that_include("sim/gdsim/dispatch", "gdsim/dispatch/accounting/dispatch_accounts\\.hpp") ==
        Names{"sim/gdsim/dispatch/accounting/dispatch_accounts.cpp", "sim/gdsim/dispatch/dispatching.hpp"});
  for (const std::string state : {"dispatch_state.hpp", "dispatchers.hpp"})
    CHECK(read_file(source_path("sim/gdsim/dispatch/" + state)).find("accounting/") == std::string::npos);
}

TEST_CASE("each outside library has one door") {
  CHECK(files_that_include("sim", "yaml\\.h") == Names{"sim/gdsim/yaml/yaml_document.cpp"});
  CHECK(files_that_include("sim", "boost/graph") == Names{"sim/gdsim/workload/launch_graph.cpp"});
  CHECK(files_that_include("sim", "boost/multiprecision") == Names{"sim/gdsim/base/decimal.cpp"});
  CHECK(files_that_include("sim", "protozero/pbf_reader") == Names{"sim/gdsim/import/profiles/ncu/ncu_report.cpp"});
  CHECK(files_that_include("sim", "protozero/[^/]*writer") == Names{"sim/gdsim/report/trace/perfetto_packets.cpp"});
  CHECK(files_that_include("sim", "muParser") == Names{"sim/gdsim/scenario/expressions/expression.cpp"});
  CHECK(files_that_include("sim", "sqlite3") == Names{"sim/gdsim/database/database.cpp"});
  CHECK(files_that_include("sim", "boost/uuid") == Names{"sim/gdsim/store/store_digests.cpp"});
  CHECK(files_that_include("sim", "(lz4|zstd)\\.h") == Names{"sim/gdsim/import/decompressed.cpp"});
  CHECK(files_that_include("sim", "nlopt") == Names{"sim/gdsim/calibrate/optimiser.cpp"});
  CHECK(files_that_include("sim", "re2/") == Names{"sim/gdsim/import/name_pattern.cpp"});
  CHECK(files_that_include("sim", "regex").empty());
  CHECK(files_that_include("tools", "(re2/|regex)").empty());
  CHECK(files_that_include("sim", "zlib\\.h") == Names{"sim/gdsim/import/profiles/byte_stream.cpp"});
  CHECK(files_that_include("sim", "nlohmann") == Names{"sim/gdsim/import/profiles/json/json_events.cpp"});
  CHECK(files_that_include("sim", "(spdlog|boost/program_options)").empty());
  CHECK(files_that_include("sim", "pybind11").empty());
  CHECK(files_that_include("tools/gdsim", "(pybind11|Python)").empty());
  CHECK(files_that_include("tools", "spdlog") == Names{"tools/gdsim/terminal/log.cpp"});
  CHECK(files_that_include("tools", "microhttpd") == Names{"tools/gdsim/serve/page_server.cpp"});
  CHECK(files_that_include("sim", "microhttpd").empty());
  CHECK(files_that_include("tools", "boost/program_options") == Names{"tools/gdsim/options/options.cpp"});
}

TEST_CASE("no file of the library or the tools is longer than 400 lines") {
  for (const std::string folder : {"sim/gdsim", "tools"})
    for (const fs::path& file : sources(folder)) {
      const std::string text = read_file(file);
      INFO(file);
      CHECK(std::count(text.begin(), text.end(), '\n') <= 400);
    }
}

TEST_CASE("the library stays clear of what clang 14 cannot compile with this standard library") {
  const std::regex ranges("#include <(ranges|format)>|std::(ranges|views|format)\\b");
  for (const fs::path& file : sources("sim")) {
    INFO(file);
    CHECK_FALSE(std::regex_search(read_file(file), ranges));
  }
}

TEST_CASE("every source of the library is compiled into it") {
  for (const fs::path& file : sources("sim/gdsim"))
    if (file.extension() == ".cpp") {
      INFO(file);
      const fs::path module = source_path("sim/gdsim/" + module_of(file));
      CHECK(read_file(module / "CMakeLists.txt").find("\n  " + fs::relative(file, module).string() + "\n") !=
            std::string::npos);
    }
}

TEST_CASE("lists of files in CMake are sorted, so that each stands where it is looked for") {
  const std::regex entry("^  ([A-Za-z0-9_/.${}-]+\\.(cpp|hpp))\\)?$");
  std::smatch match;
  std::set<std::string> lists{"sim/CMakeLists.txt", "tools/CMakeLists.txt", "tools/python/CMakeLists.txt"};
  for (const std::string& list : lists_of_tests()) lists.insert(list);
  for (const auto& module : fs::directory_iterator(source_path("sim/gdsim")))
    if (fs::exists(module.path() / "CMakeLists.txt"))
      lists.insert(fs::relative(module.path() / "CMakeLists.txt", source_path("")).string());
  REQUIRE(lists.size() > 60);
  for (const std::string& list : lists) {
    std::istringstream lines(read_file(source_path(list)));
    std::string before;
    for (std::string line; std::getline(lines, line);) {
      const std::string name = std::regex_match(line, match, entry) ? match[1].str() : std::string();
      if (!name.empty() && before != "gdsim/gdsim.hpp") {
        INFO(list << ": " << name);
        CHECK(before < name);
      }
      before = name;
    }
  }
}

TEST_CASE("files whose properties CMake sets by name exist") {
  std::size_t count = 0;
  for (const std::string folder : {"sim", "tools", "tests"})
    for (const auto& entry : fs::recursive_directory_iterator(source_path(folder))) {
      if (entry.path().filename() != "CMakeLists.txt") continue;
      for (const std::string& name :
           matches_of(read_file(entry.path()), "set_source_files_properties\\(([a-z_/]+\\.[a-z]+)")) {
        INFO(entry.path() << ": " << name);
        CHECK(fs::exists(entry.path().parent_path() / name));
        ++count;
      }
    }
  CHECK(count >= 2);
}

/// Every folder with sources below `folder`, and the ideas in it: names of files without their suffix.
std::map<std::string, std::set<std::string>> ideas_by_folder(const std::string& folder) {
  std::map<std::string, std::set<std::string>> ideas;
  for (const fs::path& file : sources(folder))
    ideas[fs::relative(file.parent_path(), source_path(folder)).string()].insert(file.stem().string());
  return ideas;
}

TEST_CASE("of the folders of the command line, each includes only those before it, and no command another") {
  const std::vector<std::string> layers{"terminal", "options", "output", "reference", "cases", "compiled"};
  const std::vector<std::string> commands{"commands", "devices",   "import", "inference",
                                          "mcp",      "occupancy", "run",    "serve"};
  const auto includes_none_of = [](const std::string& folder, auto from, auto end) {
    CHECK_FALSE(sources("tools/gdsim/" + folder).empty());
    for (; from != end; ++from) {
      INFO(folder << " includes " << *from);
      CHECK((*from == folder || files_that_include("tools/gdsim/" + folder, *from + "/").empty()));
    }
  };
  for (auto folder = layers.begin(); folder != layers.end(); ++folder) {
    includes_none_of(*folder, std::next(folder), layers.end());
    includes_none_of(*folder, commands.begin(), commands.end());
  }
  for (const std::string& folder : commands) includes_none_of(folder, commands.begin(), commands.end());
  CHECK(files_that_include("tools/gdsim", "[a-z/]*_command\\.hpp").empty());
  std::set<std::string> known{"."};
  known.insert(layers.begin(), layers.end());
  known.insert(commands.begin(), commands.end());
  for (const auto& [folder, ideas] : ideas_by_folder("tools/gdsim")) {
    INFO(folder);
    CHECK(known.contains(folder));
  }
}

TEST_CASE("a folder holds no more than 25 ideas") {
  for (const std::string root : {"sim/gdsim", "tools/gdsim", "tools/python"})
    for (const auto& [folder, ideas] : ideas_by_folder(root)) {
      INFO(root << "/" << folder);
      CHECK(ideas.size() <= 25);
    }
}

TEST_CASE("the README of the library says of every folder what lives there") {
  const std::string readme = read_file(source_path("sim/README.md"));
  for (const auto& [folder, ideas] : ideas_by_folder("sim/gdsim")) {
    if (folder == "." || folder.starts_with("report/")) continue;
    INFO(folder);
    CHECK((readme.find("| " + folder + " |") != std::string::npos ||
           readme.find("| " + folder + ",") != std::string::npos ||
           readme.find(", " + folder + " |") != std::string::npos ||
           readme.find(", " + folder + ",") != std::string::npos));
  }
}

TEST_CASE("each rule that decides to the picosecond stands in the file that the README of the library names, once") {
  const std::string readme = read_file(source_path("sim/README.md"));
  const std::size_t begin = readme.find("\n## Rules that decide to the picosecond");
  const std::string section = readme.substr(begin, readme.find("\n## ", begin + 1) - begin);
  const std::string heading = "// Rule, to the picosecond: ";
  std::set<std::string> named;
  const std::regex row("\\| ([A-Z][^|]*) \\| `([a-z0-9_/]+\\.hpp)` \\|");
  for (std::sregex_iterator match(section.begin(), section.end(), row), end; match != end; ++match) {
    std::string rule = (*match)[1];
    rule[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(rule[0])));
    INFO(rule);
    const std::string text = read_file(source_path("sim/gdsim/" + (*match)[2].str()));
    CHECK(text.find(heading + rule + ".\n") != std::string::npos);
    CHECK(named.insert(rule).second);
  }
  std::size_t rules = 0;
  for (const fs::path& file : sources("sim/gdsim")) {
    const std::string text = read_file(file);
    for (std::size_t at = text.find(heading); at != std::string::npos; at = text.find(heading, at + 1)) ++rules;
  }
  CHECK(rules == named.size());
  CHECK(rules >= 30);
}

/// Returns true if a file of the project has this name, after whole folders: `steps/barriers.hpp`, or a part of a path
/// without its suffix, `steps/barriers.`. What CMake makes has the name of its template.
bool is_file(const std::string& name) {
  static const std::string paths = [] {
    std::string all;
    for (const std::string folder : {"sim", "tools", "tests"})
      for (const auto& entry : fs::recursive_directory_iterator(source_path(folder)))
        if (entry.is_regular_file()) all += entry.path().string() + '\n';
    return std::regex_replace(all, std::regex("\\.in\n"), "\n");
  }();
  return paths.find('/' + name) != std::string::npos;
}

TEST_CASE("the files that comments name exist") {
  // `(folder/file)` and `file.hpp`; not `<gdsim/file.hpp>`, which the compiler knows
  const std::regex name("\\(([a-z0-9_]+/[a-z0-9_/]+)\\)|[^</\\w]((\\w+/)*\\w+\\.[ch]pp)\\b");
  std::size_t count = 0;
  for (const std::string folder : {"sim/gdsim", "tools/gdsim"})
    for (const fs::path& file : sources(folder)) {
      std::istringstream lines(read_file(file));
      for (std::string line; std::getline(lines, line);) {
        line.erase(0, std::min(line.find("// "), line.find("//< ")));
        if (line.find("pp") == std::string::npos && line.find('(') == std::string::npos) continue;
        for (std::sregex_iterator match(line.begin(), line.end(), name), end; match != end; ++match, ++count) {
          INFO(file << ": " << line);
          CHECK(is_file((*match)[1].matched ? (*match)[1].str() + "." : (*match)[2].str() + "\n"));
        }
      }
    }
  CHECK(count >= 5);
}

TEST_CASE("the files exist on the way from a scenario to its tables that the README of the library shows") {
  const std::string readme = read_file(source_path("sim/README.md"));
  const std::size_t begin = readme.find("\n## From the file to the table");
  const auto names =
      matches_of(readme.substr(begin, readme.find("\n## ", begin + 1) - begin), "\n *([a-z]+/[a-z_/]+) +[a-z]");
  for (const std::string& name : names) {
    INFO(name);
    CHECK(is_file(name + '.'));
  }
  CHECK(names.size() >= 20);
}

TEST_CASE("every file of tests is compiled into a program") {
  std::size_t count = 0;
  for (const fs::path& file : sources("tests")) {
    if (!file.filename().string().ends_with("_test.cpp")) continue;
    ++count;
    fs::path folder = file.parent_path();
    while (!fs::exists(folder / "CMakeLists.txt")) folder = folder.parent_path();
    INFO(file);
    const std::regex entry("[ \n]" + fs::relative(file, folder).string() + "[)\n]");
    CHECK(std::regex_search(read_file(folder / "CMakeLists.txt"), entry));
    const std::string name = fs::relative(folder, source_path("tests")).begin()->string();
    CHECK((name == "." ||
           std::regex_search(read_file(source_path("tests/CMakeLists.txt")), std::regex("[ \n(]" + name + "[ \n)]"))));
  }
  CHECK(count > 100);
}

std::set<std::string> public_headers() {
  std::set<std::string> headers;
  std::istringstream list(read_file(source_path("sim/CMakeLists.txt")));
  const std::regex entry("^  (gdsim/[a-z0-9_/]+\\.hpp)$");
  std::smatch match;
  for (std::string line; std::getline(list, line);)
    if (std::regex_match(line, match, entry)) headers.insert(match[1]);
  return headers;
}

TEST_CASE("a public header includes the standard library and other public headers, and is reached from the top") {
  std::set<std::string> headers = public_headers();
  REQUIRE(headers.size() >= 20);
  CHECK(headers.size() <= 25);          // what a scenario says, its texts and its reader are three
  headers.insert("gdsim/version.hpp");  // made by CMake
  std::set<std::string> included{"gdsim/gdsim.hpp", "gdsim/report/run_tables.hpp", "gdsim/scenario/read_scenario.hpp"};
  const std::regex include("#include <([^>]+)>");
  for (const std::string& header : headers) {
    if (header == "gdsim/version.hpp") continue;
    INFO(header);
    const std::string text = read_file(source_path("sim/" + header));
    for (std::sregex_iterator found(text.begin(), text.end(), include), end; found != end; ++found) {
      const std::string other = (*found)[1];
      INFO("includes " << other);
      if (other == "gdsim/gdsim.hpp") continue;  // in the example of its comment
      CHECK((other.find('/') == std::string::npos || headers.contains(other)));
      included.insert(other);
    }
  }
  for (const std::string& header : headers) {
    INFO(header);
    CHECK(included.contains(header));
  }
}

TEST_CASE("the runner can name every test: no name has a semicolon or begins with a minus") {
  const std::regex bad("TEST_CASE\\(\"(-|[^\"]*;)[^\"]*");
  std::vector<std::string> names;
  for (const fs::path& file : sources("tests")) {
    const std::string text = read_file(file);
    for (std::sregex_iterator match(text.begin(), text.end(), bad), end; match != end; ++match)
      names.push_back(match->str());
  }
  CHECK(names == std::vector<std::string>{});
}

TEST_CASE("each line that is planted as a mutant by name stands once in its file") {
  std::istringstream picked(read_file(source_path("tests/mutation/picked.txt")));
  std::size_t lines = 0;
  for (std::string line; std::getline(picked, line);) {
    if (line.empty() || line.front() == '#') continue;
    INFO(line);
    const std::size_t file = line.find(": ");
    const std::size_t arrow = line.find(" ==> ");
    REQUIRE(file < arrow);
    const std::string text = read_file(source_path(line.substr(0, file)));
    const std::string was = line.substr(file + 2, arrow - file - 2);
    CHECK((text.find(was) != std::string::npos && text.find(was) == text.rfind(was)));
    ++lines;
  }
  CHECK(lines > 0);
}

// <gdsim/gdsim.hpp> compiles in one second more than <vector>. <functional>, <map>, <stop_token>, <iterator> or
// <iostream> would each add as much as several of our own headers. <memory> does, too, but owning pointers need it.
TEST_CASE("a public header asks nothing of the standard library that takes long to compile") {
  const std::set<std::string> quick{
      "array",       "compare",     "concepts", "cstddef", "cstdint",   "initializer_list",
      "limits",      "memory",      "optional", "span",    "stdexcept", "string",
      "string_view", "type_traits", "utility",  "variant", "vector"};
  const std::set<std::string> of_files{"deque", "filesystem"};
  const std::regex include("#include <([a-z_]+)>");
  for (const std::string& header : public_headers()) {
    INFO(header);
    const bool reads_files = header.find("/scenario/") != std::string::npos;
    const std::string text = read_file(source_path("sim/" + header));
    for (std::sregex_iterator found(text.begin(), text.end(), include), end; found != end; ++found) {
      INFO("includes " << (*found)[1]);
      CHECK((quick.contains((*found)[1]) || (reads_files && of_files.contains((*found)[1]))));
    }
  }
}

TEST_CASE("no two headers define a type of the same name") {
  // Compilers do not tell: one of the two would be taken for both.
  std::map<std::string, std::set<std::string>> headers_of;
  const std::regex definition("\n(?:struct|class|enum class) ([A-Z]\\w*)[^;{]*\\{");
  for (const fs::path& file : sources("sim/gdsim")) {
    if (file.extension() != ".hpp") continue;
    const std::string text = read_file(file);
    for (std::sregex_iterator match(text.begin(), text.end(), definition), end; match != end; ++match)
      headers_of[(*match)[1]].insert(fs::relative(file, source_path("")).string());
  }
  REQUIRE(headers_of.size() > 300);
  for (const auto& [name, headers] : headers_of) {
    INFO(name);
    CHECK(headers.size() == 1);
  }
}

TEST_CASE("nothing makes a file of a predictable name in a folder that others share") {
  // Another user could have put a link there.
  const std::regex process_number("\\$\\$|getpid\\(\\)");
  for (const std::string folder : {"tools", "tests", ".ci"})
    for (const auto& entry : fs::recursive_directory_iterator(source_path(folder))) {
      if (!entry.is_regular_file() || entry.path().filename() == "architecture_test.cpp") continue;
      const std::string text = read_file(entry.path());
      INFO(entry.path());
      const bool names_shared_folder =
          text.find("TMPDIR:-") != std::string::npos || text.find("temp_directory_path()") != std::string::npos;
      if (!names_shared_folder) continue;
      CHECK_FALSE(std::regex_search(text, process_number));
      CHECK((text.find("mktemp") != std::string::npos || text.find("mkdtemp") != std::string::npos));
    }
}
