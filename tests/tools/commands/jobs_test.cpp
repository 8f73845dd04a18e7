#include "support/builders.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <map>

using namespace gdsim::testing;

// Many runs at once: the output is the same, byte for byte.

namespace {

/// Every file under a folder, by its path there.
std::map<std::string, std::string> files_under(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file())
      files[entry.path().lexically_relative(folder).string()] = read_file(entry.path().string());
  return files;
}

std::string varied(const std::string& more) {
  return "scenario: Varied\ndevice: tiny\nkernels:\n  k:\n    global: 800\n    local: 8\n    sub_group: 8\n"
         "    program: [compute: 1 us]\n    variation: {distribution: lognormal, cv: 0.2, seed: 1}\n"
         "launches: [kernel: k]\n" +
         more;
}

}  // namespace

TEST_CASE("cases give the same files and the same text with 1, 2 and 8 jobs", "[figures]") {
  const TemporaryFolder folder;
  const std::string scenario = source_path("scenarios/vector_add2.yaml");
  std::map<std::string, std::string> files;
  std::string text;
  for (const char* jobs : {"1", "2", "8"}) {
    const auto out = folder.path() / jobs;
    REQUIRE(run_gdsim({"run", scenario, "-o", out.string(), "--jobs", jobs}).status == 0);
    const Ran ran = run_gdsim({"run", scenario, "--jobs", jobs});
    REQUIRE(ran.status == 0);
    if (text.empty()) {
      files = files_under(out);
      text = ran.out;
      REQUIRE(files.size() > 20);
    }
    CHECK(files_under(out) == files);
    CHECK(ran.out == text);
  }
}

TEST_CASE("repetitions give the same files with 1, 2 and 8 jobs") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("varied.yaml", varied("repeat: 20\n"));
  std::map<std::string, std::string> files;
  for (const char* jobs : {"1", "2", "8"}) {
    const auto out = folder.path() / jobs;
    REQUIRE(run_gdsim({"run", scenario, "-o", out.string(), "-j", jobs}).status == 0);
    if (files.empty()) files = files_under(out);
    CHECK(files.contains("bands.csv"));
    CHECK(files_under(out) == files);
  }
}

TEST_CASE("many files are checked alike with 1, 2 and 8 jobs, bad ones included") {
  const TemporaryFolder folder;
  const std::string bad = folder.write("bad.yaml", "scenario: 1\n");
  const std::string silent = folder.write("silent.yaml", varied(""));
  const auto check = [&](const std::string& jobs) {
    return run_gdsim({"check", bad, source_path("scenarios/vector_add2.yaml"), silent,
                      source_path("scenarios/first_steps.yaml"), bad, "--jobs", jobs});
  };
  const Ran alone = check("1");
  CHECK(alone.status == 2);
  for (const char* jobs : {"2", "8"}) {
    const Ran ran = check(jobs);
    CHECK(ran.status == alone.status);
    CHECK(ran.out == alone.out);
    CHECK(ran.err == alone.err);
  }
}

TEST_CASE("a number of jobs that is none is refused") {
  for (const char* jobs : {"0", "-1", "1.5", "many", "100000"}) {
    const Ran ran = run_gdsim({"run", source_path("scenarios/first_steps.yaml"), std::string("--jobs=") + jobs});
    CHECK(ran.status == 2);
    CHECK_THAT(ran.err, Catch::Contains("is not a whole number from 1 to 1024"));
  }
}

// A sanitizer takes terabytes of addresses for itself.
#ifndef GDSIM_UNDER_SANITIZERS

TEST_CASE("where no thread can be started, the output is the same") {
  // Each thread would take a stack of 8 GB, of 1 GB of addresses.
  const std::string limits = "ulimit -s 8000000; ulimit -v 1000000; ";
  const std::string words = "run " + source_path("scenarios/vector_add2.yaml") + " --jobs 8";
  const Ran limited = run_shell(limits + "\"$GDSIM\" " + words);
  CHECK(limited.err.empty());
  CHECK(limited.status == 0);
  CHECK(limited.out == run_shell("\"$GDSIM\" " + words).out);
}

#endif
