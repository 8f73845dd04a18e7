#include "infer/logs.hpp"

#include <catch2/catch.hpp>

#include <random>

// Reading placement logs: names of columns, times, launches, and what is refused.

using namespace gdsim;
using namespace gdsim::testing;
using Catch::Matchers::Contains;

namespace {

struct ReadLog {
  PlacementLog log;
  std::string problems;
};

ReadLog read(const std::string& text, const std::string& device = "tiny") {
  const SourceText source("log.csv", text);
  Diagnostics problems;
  ReadLog read;
  read.log = read_placement_log(source, device, problems);
  for (const Diagnostic& one : problems.problems()) read.problems += to_text(one) + "\n";
  return read;
}

const std::string kSmall =
    "kernel,block,sm,start,end,threads,registers,shared_bytes\n"
    "k,0,0,10,20,32,32,0\nk,1,1,10,30,32,32,0\nl,0,1,12,31,64,32,1024\n";

}  // namespace

TEST_CASE("columns go by their usual names") {
  for (const char* header : {"block,sm", "work_group,core", "thread_block,smid", "wg,cu", "WG,SM"}) {
    const ReadLog found = read(std::string(header) + "\n0,3\n1,4\n");
    INFO(header << "\n" << found.problems);
    REQUIRE(found.problems.empty());
    CHECK(found.log.groups() == 2);
    CHECK(found.log.sessions.front().cores == 5);
    CHECK(found.log.time == LogTime::none);
  }
}

TEST_CASE("times are ticks, or have a unit in the header or the cell, and the last cycle is still held") {
  CHECK(read("block,sm,start,end\n0,0,1,2\n").log.time == LogTime::ticks);
  CHECK(read("block,sm,start_ns,end_ns\n0,0,1,2\n").log.sessions[0].launches[0].groups[0].end == 2'000);
  CHECK(read("block,sm,start,end\n0,0,1 us,2 us\n").log.sessions[0].launches[0].groups[0].end == 2'000'000);
  CHECK(read("block,sm,first_cycle,last_cycle\n0,0,1,2\n").log.sessions[0].launches[0].groups[0].end ==
        3 * kUnitsPerTick);
}

TEST_CASE("without times, launches of one kernel and several sizes ran one after the other") {
  const ReadLog found = read("test,kernel,blocks,block,sm\n2,K,2,0,0\n2,K,2,1,1\n2,K,1,0,0\n8,K,1,0,0\n8,L,1,0,1\n");
  REQUIRE(found.problems.empty());
  REQUIRE(found.log.sessions.size() == 3);
  CHECK(found.log.sessions[0].launches.size() == 1);
  CHECK(found.log.sessions[2].launches.size() == 2);
}

TEST_CASE("of several GPUs the rows of the device are taken") {
  const ReadLog found = read("gpu,block,sm\nV100,0,0\nA100,0,2\nA100,1,4\n", "a100-40gb");
  REQUIRE(found.problems.empty());
  CHECK(found.log.groups() == 2);
  CHECK(found.log.notes.size() == 1);
  CHECK_THAT(read("gpu,block,sm\nV100,0,0\nA100,0,2\n", "mi300x").problems, Contains("none of them is the device"));
}

TEST_CASE("rows of threads become work-groups by how many in a row are always on one core") {
  const ReadLog found = read(
      "kernel,se,sa,wgp,simd,slot,start,end\nk,0,0,1,0,0,1,9\nk,0,0,1,1,0,2,8\nk,0,1,0,0,0,3,9\nk,0,1,0,1,0,4,9\n");
  REQUIRE(found.problems.empty());
  const LoggedLaunch& launch = found.log.sessions.front().launches.front();
  REQUIRE(launch.groups.size() == 2);
  CHECK(launch.threads == 2U);
  CHECK(launch.groups[0].end == 9 * kUnitsPerTick);
  CHECK(launch.groups[0].thread_ends.size() == 2);
}

TEST_CASE("cores of a shader engine are in groups if it has several arrays of equal size, else in none") {
  const auto groups_of = [](const std::string& rows) {
    const SourceText source("log.csv", "kernel,se,sa,wgp,simd,slot,start,end\n" + rows);
    Diagnostics problems;
    PlacementLog log = read_placement_log(source, "tiny", problems);
    const DeviceSpec device = device_of_log(small_device(), log, source, problems);
    CHECK(problems.empty());
    std::vector<std::uint32_t> counts;
    for (const CoreGroupLevel& level : device.core_groups) counts.push_back(level.count);
    return counts;
  };
  const std::string first = "k,0,0,0,0,0,1,9\nk,0,0,1,0,0,2,8\n";
  CHECK(groups_of(first).empty());
  CHECK(groups_of(first + "k,0,1,0,0,0,3,9\n").empty());
  CHECK(groups_of(first + "k,0,1,0,0,0,3,9\nk,0,1,1,0,0,4,9\n") == std::vector<std::uint32_t>{2});
}

TEST_CASE("what a log lacks or has too much of is refused with its place, all at once") {
  CHECK_THAT(read("block,smm\n0,0\n").problems, Contains("log.csv:1:7: error: unknown column 'smm'") &&
                                                    Contains("did you mean 'sm'?") &&
                                                    Contains("a column with the core is needed"));
  CHECK_THAT(read("block,sm,start\n0,0,1\n").problems, Contains("a start and an end are needed both, or neither"));
  CHECK_THAT(read("block,sm\n0,0\n0,1\n").problems,
             Contains("log.csv:3:1: error: work-group 0 of the launch stands there twice"));
  CHECK_THAT(read("block,sm,start,end\n0,0,5,4\nx,-1,1,1\n").problems,
             Contains("log.csv:2:1: error: end: lies before the start") &&
                 Contains("log.csv:3:1: error: block: 'x' is no whole number") &&
                 Contains("sm: '-1' is no whole number from 0 to 99999"));
  CHECK_THAT(read("block,sm,blocks\n7,0,3\n").problems, Contains("work-group 7 is none of 3 work-groups"));
  CHECK_THAT(read("block,sm\n").problems, Contains("no work-group stands below the header"));
  CHECK_THAT(infer("block,sm\n0,9\n", one_core()).problems, Contains("the log has sm 9, but"));
  CHECK_THAT(infer("block,sm,threads\n0,0,4096\n", one_core()).problems, Contains("log.csv:2:1: error:"));
}

TEST_CASE("a log that ends anywhere, or with bytes changed, is inferred from or refused") {
  const DeviceSpec device = with(small_device(), [](DeviceSpec& d) { d.sub_group_sizes = {32}; });
  for (std::size_t size = 0; size <= kSmall.size(); ++size) {
    const Inferred found = infer(kSmall.substr(0, size), device);
    CHECK((found.inference.tried > 0 || found.problems.find("error: ") != std::string::npos));
  }
  std::mt19937_64 random(5);
  for (int i = 0; i < 300; ++i) {
    std::string text = kSmall;
    for (int j = 0; j < 3; ++j) text[random() % text.size()] = static_cast<char>(random() % 256);
    const Inferred found = infer(text, device);
    CHECK((found.inference.tried > 0 || found.problems.find("error: ") != std::string::npos));
  }
}
