#include "support/builders.hpp"
#include "support/temporary_folder.hpp"
#include <gdsim/sweep/study_writers.hpp>
#include <gdsim/sweep/sweep.hpp>

#include <catch2/catch.hpp>

#include <fstream>
#include <vector>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

constexpr const char* kText =
    "scenario: s\ndevice: tiny\nparameters: {tile: 8}\n"
    "kernels: {k: {global: = tile * 8, local: 8, sub_group: 8, program: [{compute: 1 us}]}}\n"
    "launches: [{kernel: k}]\n";

SweepRequest request_of(const std::filesystem::path& scenario, std::optional<std::string> text) {
  SweepRequest request;
  request.scenario = scenario;
  request.text = std::move(text);
  request.read.models = {source_path("models")};
  request.axes = {{"tile", {"8", "16", "64"}}};
  request.jobs = {1};
  return request;
}

std::vector<std::optional<std::int64_t>> durations(SweepRequest request) {
  Sweep sweep(std::move(request));
  CHECK(sweep.run() == SweepEnd::complete);
  std::vector<std::optional<std::int64_t>> found;
  StudyTable(sweep.store(), sweep.space(), sweep.identity(), metric_of("duration"), std::nullopt)
      .for_each([&](const StudyRow& row) { found.push_back(row.result.duration); });
  return found;
}

}  // namespace

TEST_CASE("a scenario that stands in no file is swept as one that does") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "s.yaml";
  std::ofstream(file) << kText;
  const auto of_text = durations(request_of("<text>", kText));
  REQUIRE(of_text.size() == 3);
  CHECK(of_text.front() < of_text.back());
  CHECK(of_text == durations(request_of(file, std::nullopt)));
}

TEST_CASE("the places of a scenario that stands in no file are in what it is called") {
  CHECK_THROWS_WITH(Sweep(request_of("<text>", std::string(kText) + "none: 1\n")),
                    Catch::Contains("<text>:6:1: error") && Catch::Contains("'none'"));
}
