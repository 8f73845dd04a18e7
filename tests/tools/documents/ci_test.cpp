#include "support/builders.hpp"
#include "support/process.hpp"
#include "support/scenarios.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <regex>
#include <set>
#include <string>

// The steps of the GitHub Action and of GitLab's component, run in a repository of a base and a change.

using namespace gdsim::testing;
using Catch::Contains;

namespace {

/// What `ptxas -v` prints of a kernel with so many registers.
std::string compiled_kernel(int registers) {
  return "ptxas info    : Compiling entry function 'k' for 'sm_90'\nptxas info    : Used " + std::to_string(registers) +
         " registers, used 0 barriers\n";
}

/// A repository whose branch `main` has two scenarios, a device and a compiled kernel. Its working tree is changed by
/// `change`, a line of shell.
std::string repository(const TemporaryFolder& folder, const std::string& change) {
  folder.write("r/one.yaml", plain_scenario());
  folder.write("r/own device.yaml", "device: own\nbase: tiny\n");
  folder.write("r/two cases.yaml",
               "scenario: S\ndevice: own device.yaml\nkernels:\n  k|1: {global: 16, local: 8, sub_group: 8, "
               "program: [{compute: 1 us}], variation: none}\nlaunches: [{kernel: k|1}]\n"
               "cases: [{name: a}, {name: b, set: {kernels.k|1.global: 64}}]\nexpect: [{outcome: completed}]\n");
  folder.write("r/k.cubin", compiled_kernel(32));
  const std::string path = (folder.path() / "r").string();
  const Ran ran =
      run_shell("cd " + path + " && git init -q -b main && git add . && git -c user.name=a -c user.email=a@b" +
                " commit -qm one && git checkout -qb change && " + change);
  INFO(ran.err);
  REQUIRE(ran.status == 0);
  return path;
}

/// Runs the steps with these variables; the summary is added to the output.
Ran run_steps(const std::string& repository, const std::string& variables = "") {
  return run_shell("cd " + repository + " && export HOME=$PWD/.git PATH=$(dirname \"$GDSIM\"):$PATH GDSIM_BASE=main" +
                   " GDSIM_DEVICE=h100-sxm GITHUB_STEP_SUMMARY=.git/summary.md " + variables + " && { " +
                   source_path("tools/ci/steps") + "; status=$?; cat .git/summary.md; exit $status; }");
}

std::set<std::string> variables_in(const std::string& text) {
  const std::regex name("GDSIM_[A-Z_]+");
  std::set<std::string> names;
  for (auto i = std::sregex_iterator(text.begin(), text.end(), name); i != std::sregex_iterator(); ++i)
    names.insert(i->str());
  return names;
}

}  // namespace

TEST_CASE("the steps of CI pass where nothing changed, and leave nothing behind in the repository") {
  const TemporaryFolder folder;
  const std::string path = repository(folder, "true");
  const Ran ran = run_steps(path);
  INFO(ran.out << ran.err);
  CHECK(ran.status == 0);
  CHECK_THAT(ran.out, Contains("No scenario and no compiled kernel differs"));
  CHECK(run_shell("cd " + path + " && git status --short && git worktree list | tail -n +2").out.empty());
}

TEST_CASE("a scenario that takes more than 5 % longer fails, and the summary has time and occupancy of its kernel") {
  const TemporaryFolder folder;
  const std::string path = repository(folder, "sed -i 's/compute: 1 us/compute: 1.1 us/' one.yaml");
  const Ran ran = run_steps(path);
  INFO(ran.out << ran.err);
  CHECK(ran.status == 1);
  CHECK_THAT(ran.out, Contains("| one.yaml | k | 1.00 us | 1.10 us (+10.0 %) |"));
  CHECK(run_steps(path, "GDSIM_FAIL_IF='duration > 12 %'").status == 0);
  CHECK(run_steps(path, "GDSIM_FAIL_IF='duration > 12 %\nactive_ns > 9 %'").status == 1);
  CHECK(run_steps(path, "GDSIM_PATHS='*.cubin\ntwo*.yaml'").status == 0);
}

TEST_CASE("a changed device compares the scenarios case by case, and a broken expectation fails") {
  const TemporaryFolder slower, broken;
  const Ran ran =
      run_steps(repository(slower, "echo 'cores: 1' >> 'own device.yaml'"), "GDSIM_FAIL_IF='duration > 99 %'");
  INFO(ran.out << ran.err);
  CHECK(ran.status == 1);
  CHECK_THAT(ran.out, Contains("| two cases.yaml, a | k\\|1 | 1.00 us |") && Contains("| two cases.yaml, b | k\\|1 |"));
  const Ran missed = run_steps(repository(broken, "sed -i 's/outcome: completed/outcome: stalled/' two*"));
  CHECK(missed.status == 1);
  CHECK_THAT(missed.out, Contains("stalled"));
}

TEST_CASE("a compiled kernel whose occupancy falls fails, and so does input that cannot be read") {
  const TemporaryFolder folder, other;
  const std::string path = repository(folder, "cat > k.cubin <<'E'\n" + compiled_kernel(40) + "E");
  const Ran ran = run_steps(path);
  INFO(ran.out << ran.err);
  CHECK(ran.status == 1);
  CHECK_THAT(ran.out, Contains("| k.cubin | k | 32 | 40 (+25.0 %) | 100.0 % | 75.0 % (-25.0 %) |"));
  CHECK_THAT(ran.out, Contains("the occupancy of k falls from 100.0 % to 75.0 %"));
  CHECK(run_steps(path, "GDSIM_OCCUPANCY_DROP=30").status == 0);
  CHECK(run_steps(path, "GDSIM_BASE=nowhere").status == 2);
  CHECK(run_steps(repository(other, "sed -i 's/compute/comptue/' one.yaml")).status == 2);
}

TEST_CASE("a scenario that expects to be refused passes, and a file called as an option is a file") {
  const TemporaryFolder refused, option;
  const Ran ran =
      run_steps(repository(refused,
                           "sed 's/local: 8/local: 3/' one.yaml > three.yaml && "
                           "echo 'expect: [{error: global_not_a_multiple}]' >> three.yaml && git add three.yaml"));
  INFO(ran.out << ran.err);
  CHECK(ran.status == 0);
  const Ran named = run_steps(repository(option, "cp one.yaml ./--trace=out.yaml && git add ./--trace=out.yaml"));
  INFO(named.out << named.err);
  CHECK(named.status == 0);
  CHECK_THAT(named.out, Contains("| --trace=out.yaml | k |"));
}

TEST_CASE("scenarios that read a changed table or device are compared, as renamed files are, and no others") {
  const TemporaryFolder table, moved, renamed, compiled;
  const std::string with_table =
      "sed 's/1 us.}/1 us], variation: {work_groups: t.csv}}/' one.yaml > table.yaml && "
      "{ echo work_group,duration; seq -f '%g,1 us' 0 7; } > t.csv && git add . && git -c user.name=a -c "
      "user.email=a@b "
      "commit -qm two && git branch -f main && ";
  const Ran of_table = run_steps(repository(table, with_table + "sed -i 's/1 us/2 us/' t.csv"));
  INFO(of_table.out << of_table.err);
  CHECK(of_table.status == 1);
  CHECK_THAT(of_table.out, Contains("| table.yaml | k | 1.00 us | 2.00 us (+100.0 %) |") && !Contains("| one.yaml"));
  const Ran of_device = run_steps(repository(moved,
                                             "mkdir d && git mv 'own device.yaml' d/ && sed -i 's|device: own |"
                                             "device: d/own |' two* && echo text > README.md && git add ."));
  INFO(of_device.out << of_device.err);
  CHECK(of_device.status == 0);
  CHECK_THAT(of_device.out, Contains("| two cases.yaml, a |") && !Contains("| one.yaml"));
  const Ran of_name = run_steps(repository(renamed, "git mv one.yaml other.yaml && sed -i 's/1 us/2 us/' other.yaml"));
  INFO(of_name.out << of_name.err);
  CHECK(of_name.status == 1);
  CHECK_THAT(of_name.out, Contains("| other.yaml (was one.yaml) | k | 1.00 us | 2.00 us (+100.0 %) |"));
  const Ran of_cubin = run_steps(repository(compiled, "git mv k.cubin l.cubin"));
  CHECK_THAT(of_cubin.out, Contains("| l.cubin (was k.cubin) | k | 32 | 32 (+0.0 %) |"));
}

TEST_CASE("what is no condition, no device or no percentage is refused though nothing changed") {
  const TemporaryFolder folder;
  const std::string path = repository(folder, "true");
  for (const char* wrong : {"GDSIM_FAIL_IF='duration > 5'", "GDSIM_FAIL_IF='duratoin > 5 %'", "GDSIM_FAIL_IF='a.b > 5'",
                            "GDSIM_DEVICE=h100-smx", "GDSIM_OCCUPANCY_DROP=five"}) {
    INFO(wrong);
    CHECK(run_steps(path, wrong).status == 2);
  }
  CHECK(run_steps(path, "GDSIM_FAIL_IF='kernels.k.achieved < -5 %'").status == 0);
}

TEST_CASE("the action and the component give the steps every input") {
  const std::set<std::string> read = variables_in(read_file(source_path("tools/ci/steps")));
  CHECK(read.size() >= 8);
  std::set<std::string> github = variables_in(read_file(source_path("tools/ci/action.yml")));
  github.insert("GDSIM_SUMMARY");  // GITHUB_STEP_SUMMARY
  const std::set<std::string> gitlab = variables_in(read_file(source_path("tools/ci/gitlab.yml")));
  CHECK(github == read);
  CHECK(gitlab == read);
}
