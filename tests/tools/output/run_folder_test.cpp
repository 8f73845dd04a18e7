#include "support/builders.hpp"
#include "support/process.hpp"
#include "support/run_folders.hpp"
#include "support/temporary_folder.hpp"
#include "support/texts.hpp"

#include <catch2/catch.hpp>

using namespace gdsim::testing;

// The folder of a run whose files list what is written in them, but contradict each other.

namespace {

/// What is said of vector_add4's folder after `from` became `to` in one of its files.
std::string complaint(const std::string& name, const std::string& from, const std::string& to) {
  const TemporaryFolder folder;
  const std::filesystem::path out = folder.path() / "out";
  REQUIRE(run_gdsim({"run", kVectorAdd4, "-o", out.string()}).status == 0);
  rewrite_listed(out, name, replaced(read_file(out / name), from, to));
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

TEST_CASE("threads of a folder access memory for no longer than they execute") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  REQUIRE(run_gdsim({"run", kVectorAdd4, "-o", out}).status == 0);
  std::string text = read_file(out + "/summary.json");
  const std::string none = "\"accessing_memory_ns\": 0.000";
  REQUIRE(text.find(none) != std::string::npos);
  folder.write("out/summary.json",
               text.replace(text.find(none), none.size(), "\"accessing_memory_ns\": 9000000000.000"));
  const Ran ran = run_gdsim({"report", out, "-o", "-"});
  CHECK(ran.status == 2);
  CHECK_THAT(ran.err, Catch::Contains("summary.json:") &&
                          Catch::Contains("accessing_memory_ns: is more than executing_ns, of which it is a part"));
}

TEST_CASE("a work-group of a folder is one of its run, is there once, and lives within it") {
  const auto refused = [](const std::string& from, const std::string& to) {
    const std::string said = complaint("work_groups.csv", from, to);
    return said.find("error: this work-group contradicts the other files of the run") != std::string::npos ||
           said.find("error: there are more work-groups than the run has") != std::string::npos;
  };
  const std::string row = ",7,2,40,40,0.000,0.000,10000000.000";
  CHECK_FALSE(refused(row, ",7,2,40,40,0.000,0.000,9000000.000"));
  CHECK(refused(row, ",8,2,40,40,0.000,0.000,10000000.000"));  // there are eight
  CHECK(refused(row, ",6,2,40,40,0.000,0.000,10000000.000"));  // twice
  CHECK(refused(row, ",7,6,40,40,0.000,0.000,10000000.000"));  // there are six cores
  CHECK(refused(row, ",7,2,40,0,0.000,0.000,10000000.000"));   // never placed
  CHECK(refused(row, ",7,2,40,40,0.000,0.000,20000000.001"));  // the run ends before it
  CHECK(refused(row, ",7,2,40,40,9.000,9.000,8.000"));         // it ends before it begins
}

TEST_CASE("the bands of a folder follow each other without gaps, and are percentages from 0 to 100") {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("r.yaml",
                   "scenario: Repeated\ndevice: tiny\nkernels:\n  k: {global: 80, local: 8, sub_group: 8, program: "
                   "[compute: 1 us]}\nlaunches: [kernel: k]\nrepeat: 2\n");
  const std::filesystem::path out = folder.path() / "out";
  REQUIRE(run_gdsim({"run", file, "-o", out.string()}).status == 0);
  const std::string text = read_file(out / "bands.csv");
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
    lines.push_back(text.substr(at, text.find('\n', at) - at));
  REQUIRE(lines.size() > 4);
  // What is said once the second row has other times, or another last cell.
  const auto refused = [&](const std::string& start, const std::string& end, const std::string& last) {
    std::string changed;
    for (std::size_t i = 0; i < lines.size(); ++i)
      changed += (i != 2 ? lines[i] : start + "," + end + ",50,50,50,50,50," + last) + "\n";
    rewrite_listed(out, "bands.csv", changed);
    const Ran ran = run_gdsim({"report", out.string(), "-o", "-"});
    CHECK(ran.status == (ran.err.empty() ? 0 : 2));
    const std::size_t line = ran.err.find("bands.csv:");
    return line == std::string::npos ? std::string() : ran.err.substr(line, ran.err.find('\n', line) - line);
  };
  const std::string start = lines[2].substr(0, lines[2].find(','));
  const std::string end = lines[3].substr(0, lines[3].find(','));
  const auto less = [](std::string time) {  // by a picosecond
    std::string digits = std::to_string(std::stoll(time.erase(time.find('.'), 1)) - 1);
    return digits.insert(digits.size() - 3, ".");
  };
  CHECK(refused(start, end, "50").empty());
  CHECK(refused(start, end, "100").empty());
  CHECK(refused(start, end, "0").empty());
  const std::string gap = "error: this stretch of time does not follow the one before it";
  CHECK_THAT(refused(less(start), end, "50"), Catch::StartsWith("bands.csv:3:1: " + gap));
  CHECK_THAT(refused(start, less(end), "50"), Catch::StartsWith("bands.csv:4:1: " + gap));
  CHECK_THAT(refused(start, start, "50"), Catch::StartsWith("bands.csv:3:1: " + gap));
  CHECK_THAT(refused(start, "0.000", "50"), Catch::StartsWith("bands.csv:3:1: " + gap));
  CHECK_THAT(refused(start, end, "100.0001"),
             Catch::StartsWith("bands.csv:3:1: error: max_percent is no percentage from 0 to 100"));
  CHECK_THAT(refused(start, end, "-0.0001"),
             Catch::StartsWith("bands.csv:3:1: error: max_percent: '-0.0001' is negative"));
}
