#include "support/golden.hpp"
#include "support/builders.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

using namespace gdsim::testing;

namespace {
/// A summary without the list of the files beside it: each of them is compared itself.
std::string without_files(std::string text) {
  const std::size_t at = text.find(",\n  \"files\": [");
  if (at != std::string::npos) text.replace(at, text.find("\n  ]", at) + 4 - at, "");
  return text;
}
}  // namespace

TEST_CASE("golden: the files of a run are what they were approved to be") {
  const TemporaryFolder folder;
  for (const std::string scenario : {"first_steps", "host_time", "vector_add3", "vector_add4", "vector_add2"}) {
    const auto out = folder.path() / scenario;
    REQUIRE(run_gdsim({"run", std::string(GDSIM_SOURCE_ROOT) + "/scenarios/" + scenario + ".yaml", "-o", out.string()})
                .status == 0);
    for (const auto& entry : std::filesystem::recursive_directory_iterator(out)) {
      if (!entry.is_regular_file()) continue;
      // The cases of VectorAdd2 are many and alike: one with two waves stands for them.
      const std::string name = std::filesystem::relative(entry.path(), folder.path()).string();
      if (scenario == "vector_add2" && name.find("n44") == std::string::npos &&
          name.find("cases.csv") == std::string::npos && name.find("vector_add2/summary.json") == std::string::npos)
        continue;
      if (name.ends_with("scenario_as_run.yaml")) {
        CHECK((read_file(entry.path()) == read_file(source_path("scenarios/" + scenario + ".yaml"))));
        continue;
      }
      CHECK(difference_to_golden(name, without_files(read_file(entry.path()))).empty());
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
  CHECK(difference_to_golden("text/help_report.txt", text({"report", "--help"})).empty());
  CHECK(difference_to_golden("text/help_compare.txt", text({"compare", "--help"})).empty());
  CHECK(difference_to_golden("text/help_check.txt", text({"check", "--help"})).empty());
}

TEST_CASE("golden: the pictures of README and scenarios are those of today") {
  const TemporaryFolder folder;
  const std::string scenarios = std::string(GDSIM_SOURCE_ROOT) + "/scenarios/";
  const std::string file = (folder.path() / "picture.svg").string();
  const auto picture = [&](const std::string& scenario, std::vector<std::string> more) {
    more.insert(more.begin(), {"report", scenarios + scenario + ".yaml", "-o", file});
    REQUIRE(run_gdsim(more).status == 0);
    return read_file(file);
  };
  for (const std::string scenario : {"first_steps", "vector_add1", "vector_add3", "vector_add4"})
    CHECK(difference_to_approved("scenarios/pictures/" + scenario + ".svg", picture(scenario, {})).empty());
  CHECK(difference_to_approved("scenarios/pictures/vector_add2_n44.svg", picture("vector_add2", {"--case", "n44"}))
            .empty());
  CHECK(difference_to_approved("scenarios/pictures/max_1550_r5.svg",
                               picture("max_1550_work_group_size_r", {"--case", "R5"}))
            .empty());
}
