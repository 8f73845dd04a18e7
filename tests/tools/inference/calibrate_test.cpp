#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <nlohmann/json.hpp>

#include <catch2/catch.hpp>

using namespace gdsim::testing;
using nlohmann::json;

// gdsim calibrate as a user calls it.

namespace {

const std::string kScenario =
    "scenario: fitted\ndevice: tiny\nkernels: {k: {global: 64, local: 8, sub_group: 8, program: [compute: 5 us]}}\n"
    "launches: [{kernel: k}]\n";

/// Times of 1.5 us for each wave of 8 work-groups.
const std::string kTimes = "kernels.k.global,time_us\n128,3\n256,6\n512,12\n1024,24\n";

}  // namespace

TEST_CASE("calibrate prints parameters, errors, and a line to paste, and JSON has the same", "[calibrate]") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("s.yaml", kScenario);
  const std::string times = folder.write("times.csv", kTimes);
  const std::vector<std::string> words{
      "calibrate", scenario, "--measured", times, "--fit", "kernels.k.program.0.compute=1.0 us..9.0 us",
      "--holdout", "0.25",   "--seed",     "3"};
  const Ran text = run_gdsim(words);
  INFO(text.err);
  REQUIRE(text.status == 0);
  CHECK_THAT(text.out,
             Catch::StartsWith("fitted\nThe error is 0.00 % on the 3 rows that were fitted, and 0.00 % on 1") &&
                 Catch::Contains("the data determine 1 of 1 parameters") &&
                 Catch::Contains("paste: --set 'kernels.k.program.0.compute=1.5 us'"));
  auto as_json = words;
  as_json.insert(as_json.end(), {"--format", "json", "--jobs", "2", "-o", (folder.path() / "fit.csv").string()});
  const Ran answer = run_gdsim(as_json);
  REQUIRE(answer.status == 0);
  const json fit = json::parse(answer.out);
  CHECK(fit["parameters"][0]["value"] == "1.5 us");
  CHECK(fit["parameters"][0]["knowledge"] == "determined");
  CHECK(fit["rows_held_out"] == 1);
  CHECK_THAT(read_file(folder.path() / "fit.csv"), Catch::StartsWith("path,value,low,high,knowledge"));
}

TEST_CASE("what calibrate cannot use is refused with exit status 2", "[calibrate]") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("s.yaml", kScenario);
  const std::string times = folder.write("times.csv", kTimes);
  const std::string fit = "kernels.k.program.0.compute=1 us..9 us";
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"calibrate", scenario, "--fit", fit},
           {"calibrate", scenario, "--measured", times},
           {"calibrate", "--measured", times, "--fit", fit},
           {"calibrate", scenario, "--measured", times, "--fit", "kernels.k.program.0.compute=9 us..1 us"},
           {"calibrate", scenario, "--measured", times, "--fit", "no.such.key=1..9"},
           {"calibrate", scenario, "--measured", times, "--fit", fit, "--holdout", "1"},
           {"calibrate", scenario, "--measured", times, "--fit", fit, "--seed", "-1"},
           {"calibrate", scenario, "--measured", "missing.csv", "--fit", fit},
           {"calibrate", scenario, "--measured", times, "--fit", fit, "-o", times}}) {
    const Ran ran = run_gdsim(words);
    INFO(ran.err);
    CHECK(ran.status == 2);
    CHECK_THAT(ran.err, Catch::Contains("error: "));
  }
}
