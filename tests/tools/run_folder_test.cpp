#include "support/builders.hpp"
#include "support/process.hpp"
#include "support/run_folders.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

using namespace gdsim::testing;

// The folder of a run whose files list what is written in them, but contradict each other.

namespace {

/// What is said of vector_add4's folder after `from` became `to` in one of its files.
std::string complaint(const std::string& name, const std::string& from, const std::string& to) {
  const TemporaryFolder folder;
  const std::filesystem::path out = folder.path() / "out";
  REQUIRE(run_gdsim({"run", kVectorAdd4, "-o", out.string()}).status == 0);
  std::string text = read_file(out / name);
  REQUIRE(text.find(from) != std::string::npos);
  rewrite_listed(out, name, text.replace(text.find(from), from.size(), to));
  const Ran ran = run_gdsim({"report", out.string(), "-o", "-"});
  if (ran.status == 0) return {};
  CHECK(ran.status == 2);
  CHECK(ran.out.empty());
  return ran.err;
}

}  // namespace

TEST_CASE("a phase of a folder that has no length is refused, one of a picosecond is not") {
  CHECK_THAT(complaint("phases.csv", "8000000.000,10000000.000", "8000000.000,8000000.000"),
             Catch::Contains("contradict each other"));
  CHECK_THAT(complaint("phases.csv", "8000000.000,10000000.000", "8000000.000,7999999.999"),
             Catch::Contains("contradict each other"));
  CHECK(complaint("phases.csv", "8000000.000,10000000.000", "8000000.000,8000000.001").empty());
}

TEST_CASE("a phase of a folder that lies outside its run is refused") {
  CHECK_THAT(complaint("phases.csv", "10000000.000,20000000.000", "10000000.000,20000000.001"),
             Catch::Contains("contradict each other"));
}
