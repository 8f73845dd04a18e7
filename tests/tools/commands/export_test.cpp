#include "support/builders.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <sstream>

using namespace gdsim::testing;

namespace {}

TEST_CASE("samples are means over equal intervals, the last as long as what is left") {
  const Ran ran = run_gdsim({"run", kVectorAdd4, "--sample", "7.5 ms"});
  CHECK(ran.status == 0);
  // The second: 0.5 ms of 304 and 2 ms of 264 and 5 ms of 80 threads.
  CHECK(ran.out ==
        "time_ns,duration_ns,occupancy_percent,threads_resident,threads_running,threads_stalled,"
        "executing,waiting_for_issue,waiting_for_memory,waiting_for_slm,stalled_at_barrier,held_after_end,"
        "waiting_for_child,copies,dispatch,waiting_for_memory_core,waiting_for_memory_L3,waiting_for_memory_LLC,"
        "waiting_for_memory_DRAM,accessing_memory\n"
        "0.000,7500000.000,45.2381,304.0000,240.0000,64.0000,240.0000,0.0000,0.0000,0.0000,64.0000,0.0000,0.0000,"
        "0.0000,0.0000,0.0000,0.0000,0.0000,0.0000,0.0000\n"
        "7500000.000,7500000.000,21.4286,144.0000,122.6667,21.3333,122.6667,0.0000,0.0000,0.0000,21.3333,0.0000,"
        "0.0000,0.0000,0.0000,0.0000,0.0000,0.0000,0.0000,0.0000\n"
        "15000000.000,5000000.000,11.9048,80.0000,80.0000,0.0000,80.0000,0.0000,0.0000,0.0000,0.0000,0.0000,0.0000,"
        "0.0000,0.0000,0.0000,0.0000,0.0000,0.0000,0.0000\n");
}

TEST_CASE("accesses to memory are a part of executing for as long as they take alone, and waiting beyond that") {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "a.yaml",
      "scenario: S\ndevice: {base: tiny, memory: {core_bandwidth: 1 GB/s, levels: [{name: M, latency: 100 ns}]}}\n"
      "kernels:\n  k: {global: 16, local: 16, sub_group: 8, program: [memory: 100 B, compute: 100 ns], "
      "variation: none}\nlaunches: [kernel: k]\n");
  // Both threads share the core's 1 GB/s for 200 ns, of which each needs 100 ns alone; then 100 ns of latency.
  CHECK(run_gdsim({"run", file, "--sample", "100 ns"}).out ==
        "time_ns,duration_ns,occupancy_percent,threads_resident,threads_running,threads_stalled,"
        "executing,waiting_for_issue,waiting_for_memory,waiting_for_slm,stalled_at_barrier,held_after_end,"
        "waiting_for_child,copies,dispatch,waiting_for_memory_core,waiting_for_memory_M,accessing_memory\n"
        "0.000,100.000,12.5000,2.0000,2.0000,0.0000,1.0000,0.0000,1.0000,0.0000,0.0000,0.0000,0.0000,0.0000,"
        "0.0000,1.0000,0.0000,1.0000\n"
        "100.000,100.000,12.5000,2.0000,2.0000,0.0000,1.0000,0.0000,1.0000,0.0000,0.0000,0.0000,0.0000,0.0000,"
        "0.0000,1.0000,0.0000,1.0000\n"
        "200.000,100.000,12.5000,2.0000,2.0000,0.0000,2.0000,0.0000,0.0000,0.0000,0.0000,0.0000,0.0000,0.0000,"
        "0.0000,0.0000,0.0000,2.0000\n"
        "300.000,100.000,12.5000,2.0000,2.0000,0.0000,2.0000,0.0000,0.0000,0.0000,0.0000,0.0000,0.0000,0.0000,"
        "0.0000,0.0000,0.0000,0.0000\n");
  const std::string out = (folder.path() / "out").string();
  REQUIRE(run_gdsim({"run", file, "-o", out}).status == 0);
  CHECK_THAT(read_file(out + "/summary.json"), Catch::Contains("\"executing_ns\": 600.000") &&
                                                   Catch::Contains("\"waiting_for_memory_ns\": 200.000") &&
                                                   Catch::Contains("\"accessing_memory_ns\": 400.000"));
  CHECK_THAT(run_gdsim({"run", file}).out,
             Catch::Contains("executing 75.0 % (memory accesses 50.0 %, other 25.0 %), waiting for memory 25.0 %"));
}

TEST_CASE("with -o, samples are a file beside the tables, for every case") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  REQUIRE(run_gdsim({"run", kVectorAdd4, "--sample", "1ms", "-o", out}).status == 0);
  CHECK(read_file(folder.path() / "out/samples.csv") == run_gdsim({"run", kVectorAdd4, "--sample", "1ms"}).out);
  const std::string many = source_path("scenarios/vector_add2.yaml");
  CHECK(run_gdsim({"run", many, "--sample", "1ms"}).status == 2);
  REQUIRE(run_gdsim({"run", many, "--sample", "1ms", "-o", out}).status == 0);
  CHECK(read_file(folder.path() / "out/n44/samples.csv") ==
        run_gdsim({"run", many, "--case", "n44", "--sample", "1ms"}).out);
}

TEST_CASE("an interval of samples is a time, not 0, and not too short for the run") {
  for (const std::string interval : {"1", "0 ms", "fast", "-1 ms", ""})
    CHECK(run_gdsim({"run", kVectorAdd4, "--sample", interval}).status == 2);
  CHECK_THAT(run_gdsim({"run", kVectorAdd4, "--sample", "1 ps"}).err, Catch::Contains("more than 10000000 samples"));
}

TEST_CASE("block times in the JSON of cuda_scheduling_examiner are those of work_groups.csv") {
  const std::string many = source_path("tests/browser/many_cores.yaml");
  const auto written = nlohmann::json::parse(run_gdsim({"run", many, "--print", "block-times"}).out);
  REQUIRE(written["times"].size() == 4);
  CHECK(written["times"][0].empty());
  CHECK(written["max_resident_threads"] == 132 * 2048);
  std::istringstream csv(run_gdsim({"run", many, "--print", "work-groups"}).out);
  std::string row;
  std::getline(csv, row);
  std::size_t blocks = 0;
  for (std::size_t launch = 1; launch < 4; ++launch) {
    const auto& kernel = written["times"][launch];
    CHECK(kernel["block_times"].size() == 2 * kernel["block_count"].get<std::size_t>());
    for (std::size_t i = 0; i < kernel["block_count"]; ++i, ++blocks) {
      std::getline(csv, row);
      std::istringstream cells(row);
      std::vector<std::string> cell;
      for (std::string text; std::getline(cells, text, ',');) cell.push_back(text);
      REQUIRE(cell[0] == kernel["kernel_name"]);
      CHECK(std::stoul(cell[3]) == kernel["block_smids"][i]);
      CHECK(std::stod(cell[6]) == Approx(kernel["block_times"][2 * i].get<double>() * 1e9));
      CHECK(std::stod(cell[8]) == Approx(kernel["block_times"][2 * i + 1].get<double>() * 1e9));
    }
  }
  CHECK(blocks == 1600);
}
