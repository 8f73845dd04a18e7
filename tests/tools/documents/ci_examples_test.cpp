#include "support/builders.hpp"
#include "support/process.hpp"
#include "support/scenarios.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <sstream>
#include <string>

// The files for CI that users copy: their steps are run in a repository of two commits.

using namespace gdsim::testing;

namespace {

/// The lines of the literal block that begins behind `line`, without their indentation.
std::string block_behind(const std::string& text, const std::string& line) {
  std::istringstream in(text);
  std::string current, script;
  while (std::getline(in, current) && current != line) {
  }
  REQUIRE(in);
  const std::size_t indentation = line.find_first_not_of(" -");
  while (std::getline(in, current)) {
    const std::size_t begins = current.find_first_not_of(' ');
    if (begins <= line.find_first_not_of(' ')) break;
    script += current.substr(std::min(begins, indentation)) + "\n";
  }
  return script;
}

/// A repository whose branch `main` has one scenario, and whose working tree has it changed by `change`.
std::string repository(const TemporaryFolder& folder, const std::string& change) {
  folder.write("origin/scenarios/one.yaml", plain_scenario());
  const std::string make = "cd " + (folder.path() / "origin").string() +
                           " && git init -q -b main && git add . && git -c user.name=a -c user.email=a@b commit -qm one"
                           " && git clone -q . ../clone && cd ../clone && sed -i '" +
                           change + "' scenarios/one.yaml";
  const Ran ran = run_shell(make);
  INFO(ran.err);
  REQUIRE(ran.status == 0);
  return (folder.path() / "clone").string();
}

Ran run_step(const std::string& script, const std::string& repository) {
  return run_shell("cd " + repository +
                   " && export HOME=$PWD GITHUB_BASE_REF=main CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main" +
                   " PATH=$(dirname \"$GDSIM\"):$PATH && sh -e -c '" +
                   [&] {
                     std::string quoted;
                     for (const char c : script) quoted += c == '\'' ? "'\\''" : std::string(1, c);
                     return quoted;
                   }() +
                   "'");
}

}  // namespace

TEST_CASE("the CI files fail for a scenario that takes 5 % longer, and only then") {
  const std::string github = block_behind(read_file(source_path("tools/ci-examples/github.yml")), "        run: |");
  const std::string gitlab = block_behind(read_file(source_path("tools/ci-examples/gitlab.yml")), "    - |");
  for (const std::string& script : {github, gitlab}) {
    INFO(script);
    REQUIRE(script.find("gdsim diff") != std::string::npos);
    const TemporaryFolder same, slower;
    const Ran unchanged = run_step(script, repository(same, "s/none/none/"));
    CHECK(unchanged.status == 0);
    const Ran changed = run_step(script, repository(slower, "s/compute: 1 us/compute: 1.1 us/"));
    INFO(changed.out << changed.err);
    CHECK(changed.status == 1);
  }
}
