#include "support/builders.hpp"
#include "support/golden.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <regex>

using namespace gdsim::testing;

namespace {
std::string decoded(const std::string& file) {
  const Ran ran = run_shell("protoc --proto_path=" + source_path("tests/report/trace") +
                            " --decode=gdsim.Trace perfetto_subset.proto < " + file);
  INFO(ran.err);
  CHECK(ran.status == 0);
  return ran.out;
}
}  // namespace

TEST_CASE("golden: a trace, decoded by protoc against our part of the format") {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "run.pftrace").string();
  const Ran ran = run_gdsim({"run", kVectorAdd4, "--trace", file});
  REQUIRE(ran.status == 0);
  CHECK(ran.out == run_gdsim({"run", kVectorAdd4}).out);
  CHECK(folder.listing() == "run.pftrace");
  const std::string text = decoded(file);
  CHECK(difference_to_golden("report/vector_add4_trace.txt", text).empty());
  // protoc shows fields that the format does not know by their number.
  CHECK_FALSE(std::regex_search(text, std::regex("(^|\n) *[0-9]+(:| \\{)")));
}

TEST_CASE("a trace is written for one run, whole or not at all") {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "run.pftrace").string();
  CHECK(run_gdsim({"run", source_path("scenarios/vector_add2.yaml"), "--trace", file}).status == 2);
  CHECK(run_gdsim({"run", source_path("scenarios/slm_too_large.yaml"), "--trace", file}).status == 2);
  CHECK(folder.listing().empty());
  CHECK(run_gdsim({"run", kVectorAdd4, "--trace", (folder.path() / "no" / "run.pftrace").string()}).status == 2);
  CHECK(run_gdsim({"run", kVectorAdd4, "--trace", folder.path().string()}).status == 2);
  CHECK(folder.listing().empty());
  CHECK(run_gdsim({"run", source_path("scenarios/vector_add2.yaml"), "--case", "n44", "--trace", file}).status == 0);
  CHECK(folder.listing() == "run.pftrace");
}
