#include "support/golden.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

using namespace gdsim::testing;

TEST_CASE("golden: the files of a run are what they were approved to be") {
  const TemporaryFolder folder;
  for (const std::string scenario : {"first_steps", "vector_add3", "vector_add4", "vector_add2"}) {
    const auto out = folder.path() / scenario;
    REQUIRE(run_gdsim({"run", std::string(GDSIM_SOURCE_ROOT) + "/scenarios/" + scenario + ".yaml", "-o", out.string()})
                .status == 0);
    for (const auto& entry : std::filesystem::recursive_directory_iterator(out)) {
      if (!entry.is_regular_file()) continue;
      // The cases of VectorAdd2 are many and alike: one with two waves stands for them.
      const std::string name = std::filesystem::relative(entry.path(), folder.path()).string();
      if (scenario == "vector_add2" && name.find("n44") == std::string::npos &&
          name.find("cases.csv") == std::string::npos)
        continue;
      CHECK(difference_to_golden(name, read_file(entry.path())).empty());
    }
  }
}

TEST_CASE("golden: what a person reads is what it was approved to be") {
  const auto text = [](const std::vector<std::string>& words) { return run_gdsim(words).out; };
  const std::string scenarios = std::string(GDSIM_SOURCE_ROOT) + "/scenarios/";
  CHECK(difference_to_golden("text/vector_add4.txt", text({"run", scenarios + "vector_add4.yaml"})).empty());
  CHECK(difference_to_golden("text/vector_add2.txt", text({"run", scenarios + "vector_add2.yaml"})).empty());
  CHECK(difference_to_golden("text/help.txt", text({"--help"})).empty());
  CHECK(difference_to_golden("text/help_run.txt", text({"run", "--help"})).empty());
  CHECK(difference_to_golden("text/help_check.txt", text({"check", "--help"})).empty());
}
