#include "support/builders.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

using namespace gdsim::testing;

// Which columns of a measured series are found, in which unit: 50 % for 10 ms, then 25 % for as long, which is 9.52
// percentage points from vector_add4 however it is written.

namespace {

Ran compare_series(const std::string& csv, const std::vector<std::string>& more = {}) {
  const TemporaryFolder folder;
  std::vector<std::string> words{"compare", kVectorAdd4, "--measured", folder.write("measured.csv", csv)};
  words.insert(words.end(), more.begin(), more.end());
  return run_gdsim(words);
}

void check_is_series(const std::string& csv) {
  INFO(csv);
  const Ran ran = compare_series(csv);
  INFO(ran.err);
  CHECK(ran.status == 0);
  CHECK_THAT(ran.out, Catch::Contains("measured 20 ms") && Catch::Contains("apart by 9.52 "));
}

void check_is_refused(const std::string& csv, const std::string& message) {
  INFO(csv);
  const Ran ran = compare_series(csv);
  CHECK(ran.status == 2);
  CHECK_THAT(ran.err, Catch::Contains(message));
}

}  // namespace

TEST_CASE("an occupancy is found by each name that a profiler gives its column, in any case", "[figures]") {
  for (const std::string name :
       {"occupancy_percent", "percent", "occupancy", "occupancy(%)", "occupancy (%)", "OccupancyPercent",
        "Achieved Occupancy", "achieved occupancy (%)", "achieved_occupancy", "SM Warp Occupancy",
        "sm__warps_active.avg.pct_of_peak_sustained_active", "Counter_Value", "EU Threads Occupancy",
        "XVE Threads Occupancy(%):Self"})
    check_is_series("time_ms," + name + "\n0,50\n10,25\n");
  for (const std::string name : {"occupancy2", "Peak EU Threads Occupancy", "percents", "threads"})
    check_is_refused(
        "time_ms," + name + "\n0,50\n10,25\n",
        "measured.csv:1:1: error: no column is an occupancy; --occupancy-column names one (time_ms, " + name + ")");
}

TEST_CASE("the unit of a time stands at the end of its column's name, set apart", "[figures]") {
  for (const auto& [name, second] : std::vector<std::pair<std::string, std::string>>{{"time_ps", "10000000000"},
                                                                                     {"Time (ns)", "10000000"},
                                                                                     {"time[us]", "10000"},
                                                                                     {"time:ms", "10"},
                                                                                     {"time ms", "10"},
                                                                                     {"time_s", "0.01"},
                                                                                     {"time (sec)", "0.01"},
                                                                                     {"Bin Start Time", "0.01"},
                                                                                     {"Start_Timestamp", "10000000"},
                                                                                     {"start time (us)", "10000"}})
    check_is_series(name + ",percent\n0,50\n" + second + ",25\n");
  for (const std::string name : {"timems", "times", "time_minutes", "time_"})
    check_is_refused(name + ",percent\n0,50\n10,25\n", ":2:1: error: " + name + ": '0' has no unit");
}

TEST_CASE("the first time that stands in the header is it, but for bins and durations") {
  check_is_series("timeBin,time duration,time_ms,time_us,percent\n7,1,0,3,50\n7,1,10,4,25\n");
  check_is_series("percent,Start Time (ms)\n50,0\n25,10\n");
}

TEST_CASE("a sample ends where its row says, by its end or its length") {
  check_is_series("time_ms,End Time (ms),percent\n0,10,50\n10,20,25\n");
  check_is_series("time_ms,duration_ns,percent\n0,10000000,50\n10,10000000,25\n");
  check_is_series("start_timestamp,end_timestamp,percent\n0,10000000,50\n10000000,20000000,25\n");
  check_is_refused("time_ms,end time (ms),percent\n0,10,50\n10,10,25\n",
                   "measured.csv:3:1: error: the sample does not end after it begins");
  check_is_refused("time_ms,duration_ns,percent\n0,0,50\n10,1,25\n",
                   "measured.csv:2:1: error: the sample does not end after it begins");
}

TEST_CASE("kernels without times are laid in line, in the unit of Nsight Compute's second row or in nanoseconds") {
  const std::string header = "gpu__time_duration.sum,sm__warps_active.avg.pct_of_peak_sustained_active\n";
  for (const auto& [unit, length] : std::vector<std::pair<std::string, std::string>>{
           {"nsecond", "10000000"}, {"usecond", "10000"}, {"msecond", "10"}, {"second", "0.01"}, {"us", "10000"}})
    check_is_series(header + unit + ",%\n" + length + ",50\n" + length + ",25\n");
  check_is_series(header + "10000000,50\n10000000,25\n");
  check_is_refused(header + "10000000,50\nusecond,%\n", "measured.csv:3:1: error: ");
}

TEST_CASE("occupancies of at most 1 are percent where a column or a cell says so", "[figures]") {
  for (const std::string name :
       {"percent", "occupancy (%)", "OccupancyPercent", "sm__warps_active.avg.pct_of_peak_sustained_active"}) {
    INFO(name);
    CHECK(compare_series("time_ms," + name + "\n0,1\n10,0.5\n").status == 0);
  }
  CHECK(compare_series("time_ms,occupancy\n0,1%\n10,0.5\n").status == 0);
  CHECK(compare_series("time_ms,occupancy\n0,1.0001\n10,0.5\n").status == 0);
  for (const std::string name : {"occupancy", "achieved_occupancy", "SM Warp Occupancy", "counter_value"})
    check_is_refused("time_ms," + name + "\n0,1\n10,0.5\n",
                     "measured.csv:1:1: error: no occupancy is above 1, so 1 may mean 1 % or the whole device");
}

TEST_CASE("an occupancy of 100 percent is taken, as a share of 1, and anything above is refused", "[figures]") {
  CHECK(compare_series("time_ms,percent\n0,100\n10,0\n").status == 0);
  check_is_refused("time_ms,percent\n0,100.0001\n10,0\n", "percent: '100.0001' is no percentage from 0 to 100");
  const std::vector<std::string> share{"--occupancy-unit", "share"};
  CHECK_THAT(compare_series("time_ms,occupancy\n0,1\n10,1\n", share).out, Catch::Contains("100.00 %"));
  CHECK_THAT(compare_series("time_ms,occupancy\n0,1.000001\n10,0\n", share).err,
             Catch::Contains("occupancy: '1.000001' is no share from 0 to 1"));
}
