#include "support/builders.hpp"
#include "support/markup.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <regex>

using namespace gdsim::testing;

namespace {
const std::string kDeclared =
    "The scenario declares the durations of compute steps: the run predicts the shape of occupancy, not wall time.\n";

Ran compare(const std::string& csv, std::vector<std::string> more = {}) {
  const TemporaryFolder folder;
  std::vector<std::string> words{"compare", kVectorAdd4, "--measured", folder.write("measured.csv", csv)};
  words.insert(words.end(), more.begin(), more.end());
  return run_gdsim(words);
}

/// The line with the one number.
std::string verdict(const Ran& ran) {
  INFO(ran.err);
  REQUIRE(ran.status == 0);
  const auto begin = ran.out.rfind("\napart by") + 1;
  return ran.out.substr(begin, ran.out.find(' ', begin + 9) - begin);
}
}  // namespace

TEST_CASE("a measured series stands beside every phase, and one number says how far they are apart") {
  const Ran ran = compare("time_ms,percent\n0,50\n10,25\n");
  CHECK(ran.status == 0);
  CHECK(ran.err.empty());
  CHECK_THAT(ran.out,
             Catch::Contains("1             0 s            8 ms     45.24 %     50.00 %       +4.76\n") &&
                 Catch::Contains("2            8 ms            2 ms     39.29 %     50.00 %      +10.71\n") &&
                 Catch::Contains("3           10 ms           10 ms     11.90 %     25.00 %      +13.10\n") &&
                 Catch::Contains("mean                                     27.98 %     37.50 %       +9.52\n"));
  CHECK(verdict(ran) == "apart by 9.52");  // (8 x 4.762 + 2 x 10.714 + 10 x 13.095) / 20
}

TEST_CASE("a run is not apart from its own samples where these meet its phases") {
  const TemporaryFolder folder;
  const std::string samples = folder.write("s.csv", run_gdsim({"run", kVectorAdd4, "--sample", "2ms"}).out);
  const std::string out = (folder.path() / "out").string();
  REQUIRE(run_gdsim({"run", kVectorAdd4, "-o", out}).status == 0);
  CHECK(verdict(run_gdsim({"compare", kVectorAdd4, "--measured", samples})) == "apart by 0.00");
  CHECK(verdict(run_gdsim({"compare", out, "--measured", samples})) == "apart by 0.00");
  const std::string coarse = folder.write("c.csv", run_gdsim({"run", kVectorAdd4, "--sample", "20 ms"}).out);
  const Ran ran = run_gdsim({"compare", kVectorAdd4, "--measured", coarse});
  // One sample of 27.976 %: (8 x 17.262 + 2 x 11.310 + 10 x 16.071) / 20.
  CHECK(verdict(ran) == "apart by 16.07");
}

TEST_CASE("VTune's columns are found by name, whatever separates them, idle samples around the kernels do not count") {
  const std::string name = "XVE Threads Occupancy(%)";
  const std::string rows = "5|0|9\n6|50.0|9\n16|25.0%|9\n26|0|9\n36|0|9\n";
  for (const char separator : {',', ';', '\t'}) {
    std::string csv = "Bin Start Time (ms)|" + name + "|Peak XVE Threads Occupancy(%)\n" + rows;
    std::replace(csv.begin(), csv.end(), '|', separator);
    CHECK(verdict(compare(csv)) == "apart by 9.52");
  }
  // As the user guide shows `vtune -report timeline`: seconds, with a begin and an end for each bin.
  CHECK(verdict(compare("timeBin,Bin Start Time,Bin End Time,XVE Threads Occupancy(%):Self\n0,0.000,1.000,0.0\n"
                        "1,1.000,2.000,50.0\n2,2.000,3.000,25.0\n3,3.000,4.000,0.0\n",
                        {"--stretch"})) == "apart by 9.52");
  CHECK(verdict(compare("timeBin;Bin Start Time;Bin End Time;XVE Threads Occupancy(%)\n0;0.000;0.010;50.0%\n"
                        "1;0.010;0.020;25.0%\n")) == "apart by 9.52");
  CHECK(verdict(compare("time,EU Threads Occupancy(%)\n0 ms,50\n10 ms,25\n")) == "apart by 9.52");
  CHECK(verdict(compare("Time,a,b\n0,1,50\n10,1,25\n", {"--column", "b", "--time-unit", "ms"})) == "apart by 9.52");
}

TEST_CASE("compare --stretch compares only the shape") {
  // Only the first 20 us of 20 ms: (10 x 4.762 + 10 x 20.238) / 20.
  CHECK(verdict(compare("time_us,percent\n0,50\n10,25\n")) == "apart by 12.50");
  CHECK(verdict(compare("time_us,percent\n0,50\n10,25\n", {"--stretch"})) == "apart by 9.52");
}

TEST_CASE("only what was both simulated and measured is compared, and the rest is named") {
  const Ran shorter = compare("time_ms,percent\n0,50\n3,50\n6,50\n");
  CHECK_THAT(shorter.out,
             Catch::Contains("2            8 ms            2 ms     39.29 %     50.00 %      +10.71  (of 1 ms)\n") &&
                 Catch::Contains("3           10 ms           10 ms                       -\n") &&
                 Catch::Contains("compared over 9 ms; 11 ms more are only simulated\n"));
  CHECK(verdict(shorter) == "apart by 5.42");  // (8 x 4.762 + 1 x 10.714) / 9
  const Ran longer = compare("time_ms,percent\n0,50\n10,25\n20,10\n25,10\n");
  CHECK_THAT(longer.out, Catch::Contains("compared over 20 ms; 10 ms more are only measured\n"));
  CHECK(verdict(longer) == "apart by 9.52");
  const Ran gap = compare("time_ms,duration_ns,percent\n0,2000000,50\n10,10000000,25\n");
  CHECK_THAT(gap.out,
             Catch::Contains("2            8 ms            2 ms                       -\n") &&
                 Catch::Contains("compared over 12 ms, without 8 ms that the measured series does not cover\n"));
  CHECK(verdict(gap) == "apart by 11.71");  // (2 x 4.762 + 10 x 13.095) / 12
}

TEST_CASE("all problems of a measured series are reported, by line") {
  const Ran ran = compare("time_ms,percent\n0,5\n1,101\n1,50\n2\n3,x\n");
  CHECK(ran.status == 2);
  std::vector<std::string> places;
  const std::regex place("csv:([0-9]+):[0-9]+: error");
  for (std::sregex_iterator match(ran.err.begin(), ran.err.end(), place), end; match != end; ++match)
    places.push_back((*match)[1]);
  CHECK(places == std::vector<std::string>{"3", "4", "5", "6"});
}

TEST_CASE("a unit is given once: a second one that differs is an error") {
  const auto error = [](const std::string& csv) {
    const Ran ran = compare(csv, {"--time-unit", "us"});
    CHECK(ran.status == 2);
    return ran.err;
  };
  CHECK_THAT(error("time_ms,percent\n0,50\n10,25\n"),
             Catch::Contains(":1:1: error: the column 'time_ms' names another unit than --time-unit"));
  CHECK_THAT(error("time,percent\n0 ms,50\n10 ms,25\n"),
             Catch::Contains(":2:1: error: time: '0 ms' names a unit, and so does --time-unit"));
  CHECK(compare("time_us,percent\n0,50\n10000,25\n", {"--time-unit", "us"}).status == 0);
}

TEST_CASE("what cannot be compared is reported with its place") {
  const auto error = [](const std::string& csv, std::vector<std::string> more = {}) {
    const Ran ran = compare(csv, more);
    CHECK(ran.status == 2);
    CHECK(ran.out.empty());
    return ran.err;
  };
  CHECK_THAT(error("time_ms,power\n0,50\n"), Catch::Contains(":1:1: error: no column is an occupancy"));
  CHECK_THAT(error("kernel,duration_ms\nvector_add4,20\n"), Catch::Contains("`launch,duration`, then `NAME,20 ms`"));
  CHECK_THAT(error("time_ms,percent,occupancy\n0,5,5\n"), Catch::Contains("several columns"));
  CHECK_THAT(error("t,percent\n0,50\n1,50\n"), Catch::Contains("no column is a time"));
  CHECK_THAT(error("time of day,percent\n0,50\n1,50\n"), Catch::Contains("error: time of day: '0' has no unit"));
  CHECK_THAT(error("time_ms,percent\n0,101\n1,50\n"), Catch::Contains(":2:1: error: percent: '101' is no percentage"));
  CHECK_THAT(error("time_ms,percent\n0,50\n0,50\n"), Catch::Contains(":3:1: error: times must rise"));
  CHECK_THAT(error("time_ms,percent\n0,50\n"), Catch::Contains("at least two rows"));
  CHECK_THAT(error("time_ms,end time (ms),percent\n0,2,50\n1,3,50\n"),
             Catch::Contains(":3:1: error: the sample begins before the one above it has ended"));
  CHECK_THAT(error("time_ms,end time (ms),percent\n0,0,50\n1,3,50\n"), Catch::Contains("does not end after it begins"));
  CHECK_THAT(error("time_ms,percent\n0,0\n1,0\n"), Catch::Contains("0 throughout"));
  CHECK_THAT(error(""), Catch::Contains("header"));
  CHECK_THAT(error("time_ms,percent\n0,50\n1,50\n", {"--time-unit", "weeks"}), Catch::Contains("known: ps, ns"));
  CHECK_THAT(error("time_s,percent\n0,50\n9e9,50\n"), Catch::Contains("too long a time"));
  CHECK(run_gdsim({"compare", kVectorAdd4}).status == 2);
}

TEST_CASE("a comparison is drawn: the measured line over the simulated device") {
  const TemporaryFolder folder;
  const std::string picture = (folder.path() / "both.svg").string();
  REQUIRE(compare("time_ms,percent\n0,50\n10,25\n", {"-o", picture}).status == 0);
  const std::string svg = read_file(picture);
  CHECK(fault_of_markup(svg).empty());
  // Half and a quarter of 1344 units of height.
  CHECK_THAT(svg,
             Catch::Contains("class=\"measured\" d=\"M0 672H5000000V1008H10000000\"") && Catch::Contains(">measured<"));
}

TEST_CASE("a measured line that ends later than the run is drawn to its end, and the run beside it") {
  const TemporaryFolder folder;
  const std::string picture = (folder.path() / "both.svg").string();
  REQUIRE(compare("time_ms,percent\n0,50\n20,25\n40,25\n", {"-o", picture}).status == 0);
  // The run lasts 20 ms, and the last measured value holds for as long as the one before: to 60 ms.
  CHECK_THAT(read_file(picture), Catch::Contains("class=\"measured\" d=\"M0 672H3333333V1008H6666667V1008H10000000\""));
}

TEST_CASE("a bare time is in seconds, with a warning, unless an option or the cells say otherwise") {
  const Ran bare = compare("time,percent\n0,50\n0.01,25\n");
  CHECK(verdict(bare) == "apart by 9.52");
  CHECK_THAT(bare.err, Catch::Contains("'time' name no unit and are taken as seconds; --time-unit sets another"));
  const Ran with_unit = compare("time,percent\n0,50\n10,25\n", {"--time-unit", "ms"});
  CHECK(verdict(with_unit) == "apart by 9.52");
  CHECK(with_unit.err.empty());
  CHECK(compare("time,percent\n0 ms,50\n10 ms,25\n").err.empty());
}

TEST_CASE("a time that cannot be read is one problem, not two") {
  const Ran ran = compare("time_ms,percent\n1,50\nx,50\n2,50\n");
  CHECK(ran.status == 2);
  CHECK_THAT(ran.err, Catch::Contains(":3:1: error: time_ms: 'x'") && !Catch::Contains("times must rise"));
}

TEST_CASE("a comparison with a run that did not complete says so, by its exit status, too") {
  const TemporaryFolder folder;
  const std::string measured = folder.write("m.csv", "time_us,percent\n0,50\n1,50\n");
  const auto stalls = [&](const std::string& program) {
    return folder.write(
        "a.yaml", "scenario: Stuck\ndevice: tiny\nkernels:\n  k: {global: 64, local: 32, sub_group: 8, program: [" +
                      program + "]}\nlaunches: [kernel: k]\n");
  };
  const std::string file = stalls("compute: 1 us, wait: never");
  const std::string picture = (folder.path() / "both.svg").string();
  const Ran ran = run_gdsim({"compare", file, "--measured", measured, "-o", picture});
  CHECK(ran.status == 3);
  CHECK_THAT(ran.err, Catch::Contains("Stuck deadlocked: nothing can happen any more"));
  CHECK_THAT(ran.out, Catch::Contains("apart by "));
  CHECK(std::filesystem::exists(picture));
  const std::string out = (folder.path() / "out").string();
  REQUIRE(run_gdsim({"run", file, "-o", out}).status == 3);
  const Ran of_folder = run_gdsim({"compare", out, "--measured", measured});
  CHECK(of_folder.out == ran.out);
  CHECK(of_folder.status == 3);
  CHECK_THAT(of_folder.err, Catch::Contains(out + " deadlocked: nothing can happen any more"));
}

TEST_CASE("occupancies of 0 to 1 are not taken for percent unless that is said") {
  const TemporaryFolder folder;
  const std::string shares = folder.write("shares.csv", "time_ms,occupancy\n0,0.4\n10,0.4\n");
  const Ran ran = run_gdsim({"compare", kVectorAdd4, "--measured", shares});
  CHECK(ran.status == 2);
  CHECK_THAT(ran.err, Catch::Contains("--occupancy-unit share"));
  CHECK_THAT(run_gdsim({"compare", kVectorAdd4, "--measured", shares, "--occupancy-unit", "share"}).out,
             Catch::Contains("40.00 %"));
  CHECK_THAT(run_gdsim({"compare", kVectorAdd4, "--measured", shares, "--occupancy-unit", "percent"}).out,
             Catch::Contains("0.40 %"));
  const std::string named = folder.write("named.csv", "time_ms,occupancy_percent\n0,0.4\n10,0.4\n");
  CHECK(run_gdsim({"compare", kVectorAdd4, "--measured", named}).status == 0);
  const std::string above = folder.write("above.csv", "time_ms,occupancy\n0,1.4\n10,0.4\n");
  CHECK_THAT(run_gdsim({"compare", kVectorAdd4, "--measured", above, "--occupancy-unit", "share"}).err,
             Catch::Contains("'1.4' is no share from 0 to 1"));
}

TEST_CASE("columns of Nsight Compute and rocprofv3 are known") {
  const TemporaryFolder folder;
  const std::string nsight = folder.write(
      "ncu.csv",
      "ID,Kernel Name,gpu__time_duration.sum,sm__warps_active.avg.pct_of_peak_sustained_active\n,,usecond,%\n"
      "0,k,10000,40.5\n1,k,10000,20.5\n");
  CHECK_THAT(run_gdsim({"compare", kVectorAdd4, "--measured", nsight}).out,
             Catch::Contains("measured 20 ms") && Catch::Contains("30.50 %"));
  const std::string rocprof =
      folder.write("rocprof.csv",
                   "Dispatch_Id,Kernel_Name,Counter_Name,Counter_Value,Start_Timestamp,End_Timestamp\n"
                   "1,k,OccupancyPercent,40,1000000,11000000\n1,k,SQ_WAVES,123456,1000000,11000000\n"
                   "2,k,OccupancyPercent,20,11000000,21000000\n");
  CHECK_THAT(run_gdsim({"compare", kVectorAdd4, "--measured", rocprof}).out,
             Catch::Contains("measured 20 ms") && Catch::Contains("30.00 %"));
  const std::string others =
      folder.write("others.csv", "Counter_Name,Counter_Value,Start_Timestamp,End_Timestamp\nSQ_WAVES,1,0,1\n");
  CHECK_THAT(run_gdsim({"compare", kVectorAdd4, "--measured", others}).err,
             Catch::Contains("others.csv:1:1: error: no row has OccupancyPercent as its Counter_Name"));
}

TEST_CASE("each column of a measured series has the unit that its name says") {
  const TemporaryFolder folder;
  const auto out = [&](const std::string& text) {
    return run_gdsim({"compare", kVectorAdd4, "--measured", folder.write("u.csv", text)}).out;
  };
  CHECK_THAT(out("start_timestamp_us,percent\n0,40\n10000,20\n"), Catch::Contains("measured 20 ms"));
  CHECK_THAT(out("gpu__time_duration.sum [us],sm__warps_active.avg.pct_of_peak_sustained_active\n10000,40\n10000,20\n"),
             Catch::Contains("measured 20 ms"));
  CHECK_THAT(out("Start Time (us),End Time (ns),percent\n0,10000000,40\n10000,20000000,20\n"),
             Catch::Contains("measured 20 ms"));
  CHECK_THAT(out("time_ms,Suspend Time,percent\n0,0,40\n10,0,20\n"), Catch::Contains("measured 20 ms"));
}

TEST_CASE("the columns of a measured series can be named") {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.csv", "when_ms,full,else\n0,40,x\n10,20,y\n");
  CHECK_THAT(run_gdsim({"compare", kVectorAdd4, "--measured", file, "--time-column", "when_ms", "--occupancy-column",
                        "full", "--occupancy-unit", "percent"})
                 .out,
             Catch::Contains("30.00 %"));
  CHECK_THAT(run_gdsim({"compare", kVectorAdd4, "--measured", file, "--time-column", "then", "--column", "full"}).err,
             Catch::Contains("there is no column 'then'"));
}

TEST_CASE("measured times near the end of 64-bit picoseconds are reported with their line") {
  const auto refused = [](const std::string& csv, const std::string& complaint) {
    const Ran ran = compare(csv);
    CHECK(ran.status == 2);
    CHECK_THAT(ran.err, Catch::Contains(complaint));
    CHECK_THAT(ran.err, !Catch::Contains("simulated time"));
  };
  refused("time_ns,percent\n1,50\n9223372036854775.806,25\n",
          "measured.csv:3:1: error: the sample ends too late: a time must fit into 64-bit picoseconds");
  refused("time_ns,duration_ns,percent\n1,9223372036854775.807,50\n",
          "measured.csv:2:1: error: the sample ends too late");
}

TEST_CASE("a measurement that, begun with a late run, leaves 64-bit picoseconds is reported with its line") {
  const TemporaryFolder folder;
  const std::string late = folder.write("late.yaml",
                                        "scenario: Late\ndevice: tiny\n"
                                        "kernels: {k: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}}\n"
                                        "launches: [{kernel: k, at: 9000000 s}]\n");
  const std::string csv = folder.write("m.csv", "time,duration_ns,percent\n0 s,300000000000000,50\n");
  const Ran ran = run_gdsim({"compare", late, "--measured", csv});
  CHECK(ran.status == 2);
  CHECK_THAT(ran.err, Catch::Contains("m.csv:2:1: error: the measured time of ") &&
                          Catch::Contains("ends beyond 64-bit picoseconds") && Catch::Contains("--stretch"));
  CHECK(run_gdsim({"compare", late, "--measured", csv, "--stretch"}).status == 0);
}

TEST_CASE("a measured placement is compared work-group by work-group") {
  // VectorAdd4: work-groups on cores 0 0 0 1 1 1 2 2, all begun at 0.
  const Ran places = compare("work_group,core\n0,0\n1,0\n3,1\n7,0\n");
  INFO(places.err);
  CHECK(places.status == 0);
  CHECK_THAT(places.out, Catch::Contains("work-groups measured        4\n") &&
                             Catch::Contains("not measured                4\n") &&
                             Catch::Contains("on the same core            75.0 % (3 of 4)\n"));
  // Two of them as they ran, 5 us later in the log's time; the other six are the area.
  const Ran times = compare("work_group,core,start,end\n0,0,5 us,10005 us\n1,1,6 us,10005 us\n");
  INFO(times.err);
  CHECK_THAT(times.out, Catch::Contains("on the same core            50.0 % (1 of 2)\n") &&
                            Catch::Contains("begun at the same time      50.0 % (1 of 2)\n") &&
                            Catch::Contains("area between the curves     "));
}

TEST_CASE("what is wrong with a measured placement is said with its line") {
  CHECK_THAT(compare("work_group,core\n0,x\n").err,
             Catch::Contains("measured.csv:2:1: error: core: 'x' is no whole number from 0 to 99999"));
  CHECK_THAT(compare("work_group,core\n0,1\n0,1\n").err,
             Catch::Contains("measured.csv:3:1: error: work_group: 0 stands there twice"));
  CHECK_THAT(compare("work_group,core,start\n0,1,1 us\n").err,
             Catch::Contains("'start' and 'end' are needed both, or neither"));
  CHECK_THAT(compare("work_group,core,sm\n0,1,1\n").err,
             Catch::Contains("unknown column 'sm'; known: launch, work_group, core, start, end"));
  CHECK_THAT(compare("work_group,core,start,end\n0,1,2 us,1 us\n").err, Catch::Contains("end: lies before the start"));
  CHECK(compare("work_group,core\n0,0\n", {"--stretch"}).status == 2);
  CHECK_THAT(compare("work_group,core\n99,0\n").err, Catch::Contains("the run has none of the measured work-groups"));
}

TEST_CASE("a measured placement is compared with the folder of a run as with its scenario") {
  const TemporaryFolder folder;
  const std::string run = (folder.path() / "run").string();
  REQUIRE(run_gdsim({"run", kVectorAdd4, "-o", run}).status == 0);
  for (const std::string csv :
       {"work_group,core\n0,0\n1,0\n3,1\n7,0\n", "work_group,core,start,end\n0,0,5 us,10005 us\n1,1,6 us,10005 us\n"}) {
    const std::string file = folder.write("m.csv", csv);
    const Ran with_folder = run_gdsim({"compare", run, "--measured", file});
    INFO(with_folder.err);
    CHECK(with_folder.status == 0);
    CHECK(with_folder.out == run_gdsim({"compare", kVectorAdd4, "--measured", file}).out);
  }
  CHECK(
      run_gdsim({"compare", run, "--measured", (folder.path() / "m.csv").string(), "--set", "device.cores=3"}).status ==
      2);
}

TEST_CASE("a column distinguishes several launches, and each one's share is printed") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("two.yaml", R"(scenario: Two
device: tiny
kernels:
  k: {global: 16, local: 8, sub_group: 8, program: [compute: 10 us]}
launches:
  - {kernel: k, name: a}
  - {kernel: k, name: b, after: [a]}
)");
  const std::string run = (folder.path() / "run").string();
  REQUIRE(run_gdsim({"run", scenario, "-o", run}).status == 0);
  const auto compared = [&](const std::string& with, const std::string& csv) {
    return run_gdsim({"compare", with, "--measured", folder.write("m.csv", csv)});
  };
  for (const std::string& with : {scenario, run}) {
    const Ran both = compared(with,
                              "launch,work_group,core,start,end\na,0,0,1 us,11 us\na,1,0,1 us,11 us\n"
                              "b,0,0,11 us,21 us\nb,1,1,12 us,21 us\n");
    INFO(both.err);
    CHECK(both.out ==
          "Two\n"
          "work-groups measured        4\n"
          "on the same core            75.0 % (3 of 4)\n"
          "  of a                      100.0 % (2 of 2)\n"
          "  of b                      50.0 % (1 of 2)\n"
          "begun at the same time      75.0 % (3 of 4)\n"
          "area between the curves     2.6 % of what was measured\n" +
              kDeclared);
    // Only the second was measured: the first is in no curve, and no time is before the first that was measured.
    CHECK(compared(with, "launch,work_group,core,start,end\nb,0,0,0 us,10 us\nb,1,0,0 us,10 us\n").out ==
          "Two\n"
          "work-groups measured        2\n"
          "launches not measured       1\n"
          "on the same core            100.0 % (2 of 2)\n"
          "begun at the same time      100.0 % (2 of 2)\n"
          "area between the curves     0.0 % of what was measured\n" +
              kDeclared);
    CHECK_THAT(compared(with, "work_group,core\n0,0\n").err,
               Catch::Contains("the run has 2 launches (a, b): the measured file needs a column `launch`"));
    CHECK_THAT(compared(with, "launch,work_group,core\na,0,0\nc,0,0\n").err,
               Catch::Contains("m.csv:3:1: error: launch: 'c' is none of the run, which has a, b"));
  }
}

TEST_CASE("columns whose names only contain those of a placement are those of an occupancy") {
  // As timeline.csv has them.
  const Ran ran = compare("time_ns,work_groups_resident,cores_busy,occupancy_percent\n0,8,1,50\n10000000,4,1,25\n");
  INFO(ran.err);
  CHECK(ran.status == 0);
  CHECK_THAT(ran.out, Catch::Contains("apart by"));
  CHECK_THAT(compare("\"work_group\",\"core\"\n0,0\n").out, Catch::Contains("on the same core"));
}

TEST_CASE("options of an occupancy over time are refused where a placement is compared, each by its name") {
  for (const std::string option : {"occupancy-column", "column", "time-column"}) {
    const Ran ran = compare("work_group,core\n0,0\n", {"--" + option, "core"});
    CHECK(ran.status == 2);
    CHECK_THAT(ran.err, Catch::Contains("--" + option + " is for an occupancy over time, not for work-groups"));
  }
  CHECK_THAT(compare("work_group,core\n0,0\n", {"--occupancy-unit", "share"}).err,
             Catch::Contains("--occupancy-unit is for an occupancy over time"));
  CHECK_THAT(compare("work_group,core\n0,0\n", {"--time-unit", "ms"}).err,
             Catch::Contains("--time-unit is for an occupancy over time"));
}

TEST_CASE("durations are compared launch by launch, without what the timer adds, which is documented") {
  // VectorAdd4 takes 20 ms.
  const Ran plain = compare("duration\n20 ms\n");
  CHECK(plain.status == 0);
  CHECK_THAT(plain.out, Catch::Contains("+0.0 %") && !Catch::Contains("Timer"));
  const Ran events = compare("launch,duration\nvector_add4,25 ms\n", {"--timer", "events"});
  CHECK_THAT(events.out,
             Catch::Contains("vector_add4") && Catch::Contains("24.996 ms") && Catch::Contains("-20.0 %") &&
                 Catch::Contains("\nTimer: a pair of events around one launch adds about 4 us to a kernel's "
                                 "duration (") &&
                 Catch::Contains("The scenario declares the durations of compute steps"));
  CHECK_THAT(compare("duration\n20.0014 ms\n", {"--timer", "nvbench"}).out, Catch::Contains("+0.0 %"));
  CHECK_THAT(
      compare("duration\n1 us\n", {"--timer", "do_bench"}).out,
      Catch::Contains(" 0 s ") &&
          Catch::Contains(
              "The timer itself adds 2.5 us, and a measured time that is not longer shows nothing of the device"));
  CHECK_THAT(compare("duration\n20 ms\n", {"--timer", "profiler"}).out, Catch::Contains("adds nothing"));
}

TEST_CASE("a timer stands beside a measured occupancy, too, and what makes no sense is refused") {
  CHECK_THAT(compare("time_ms,percent\n0,50\n10,25\n", {"--timer", "nvbench"}).out,
             Catch::Contains("measured 20 ms, without 1.4 us of the timer 19.999 ms; simulated 20 ms (+0.0 %)\n"));
  CHECK_THAT(compare("duration\n20 ms\n", {"--timer", "event"}).err,
             Catch::Contains("known: nvbench, do_bench, cuda_events, profiler"));
  CHECK_THAT(compare("time_ms,percent\n0,50\n10,25\n", {"--timer", "events", "--stretch"}).err,
             Catch::Contains("--timer is about the duration"));
  CHECK_THAT(compare("work_group,core\n0,0\n", {"--timer", "events"}).err, Catch::Contains("not about work-groups"));
  CHECK_THAT(compare("duration\n20 ms\n", {"--stretch"}).err, Catch::Contains("not for durations"));
  CHECK_THAT(compare("launch,duration\nother,20 ms\n").err, Catch::Contains("'other' is none of the run"));
  CHECK_THAT(compare("duration\n20\n").err, Catch::Contains("measured.csv:2:1: error: duration: "));
}
