#include "support/builders.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"
#include "support/texts.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <string>

using namespace gdsim::testing;

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
  const auto rows = all_cells_of(run_gdsim({"run", many, "--print", "work-groups"}).out);
  std::size_t blocks = 0;
  for (std::size_t launch = 1; launch < 4; ++launch) {
    const auto& kernel = written["times"][launch];
    CHECK(kernel["block_times"].size() == 2 * kernel["block_count"].get<std::size_t>());
    for (std::size_t i = 0; i < kernel["block_count"]; ++i, ++blocks) {
      const std::vector<std::string>& cell = rows.at(1 + blocks);
      REQUIRE(cell[0] == kernel["kernel_name"]);
      CHECK(std::stoul(cell[3]) == kernel["block_smids"][i]);
      CHECK(std::stod(cell[6]) == Approx(kernel["block_times"][2 * i].get<double>() * 1e9));
      CHECK(std::stod(cell[8]) == Approx(kernel["block_times"][2 * i + 1].get<double>() * 1e9));
    }
  }
  CHECK(blocks == 1600);
}

namespace {

// 7 blocks of 8 warps on 2 SMs, 3 of which fit on one because of their registers; each loads 8 x 4 KiB.
const std::string kSevenBlocks =
    "scenario: S\ndevice: {base: a100-80gb, cores: 2}\nkernels:\n  k: {global: 1792, local: 256, registers: 72, "
    "slm: 8 KiB, program: [memory: 4 KiB, compute: 10 us], variation: none}\nlaunches: [{kernel: k, count: 2}]\n";

/// The metrics of the launch with this number, as texts.
std::map<std::string, std::string> ncu_metrics(const std::string& csv, const std::string& id) {
  std::map<std::string, std::string> metrics;
  for (const std::string& row : lines_of(csv)) {
    if (!row.starts_with(id + ",")) continue;
    const std::size_t last = row.rfind(',');
    const std::size_t unit = row.rfind(',', last - 1);
    const std::size_t name = row.rfind(',', unit - 1) + 1;
    metrics[row.substr(name, unit - name)] = row.substr(last + 1) + " " + row.substr(unit + 1, last - unit - 1);
  }
  return metrics;
}

}  // namespace

TEST_CASE("the metrics of a run have the names, units and meaning that Nsight Compute gives them") {
  const TemporaryFolder folder;
  const std::string file = folder.write("s.yaml", kSevenBlocks);
  const Ran ran = run_gdsim({"run", file, "--print", "ncu"});
  INFO(ran.err);
  REQUIRE(ran.status == 0);
  CHECK(ran.out.starts_with(
      "ID,Kernel Name,Stream,Block Size,Grid Size,Device,Metric Name,Metric Unit,Metric Value\n"
      "0,k,,\"(256, 1, 1)\",\"(7, 1, 1)\",0,device__attribute_display_name,,NVIDIA A100 80GB SXM\n"));
  const auto metrics = ncu_metrics(ran.out, "1");
  const auto has = [&](const std::string& name, const std::string& value) {
    INFO(name);
    REQUIRE(metrics.contains(name));
    CHECK(metrics.at(name) == value);
  };
  has("launch__grid_size", "7 ");
  has("launch__block_size", "256 ");
  has("launch__registers_per_thread", "72 register/thread");
  has("launch__shared_mem_per_block_static", "8192 byte/block");
  has("launch__sm_count", "2 SM");
  has("launch__occupancy_limit_warps", "8 block");
  has("launch__occupancy_limit_blocks", "32 block");
  // Warps take 72 x 32 registers in units of 256: 8 x 2,304 of 65,536.
  has("launch__occupancy_limit_registers", "3 block");
  has("launch__waves_per_multiprocessor", "1.17 ");
  has("sm__maximum_warps_per_active_cycle_pct", "37.50 %");
  has("dram__bytes.sum", "229376 byte");
  const auto launches = all_cells_of(gdsim_output({"run", file, "--print", "launches"}));
  const std::vector<std::string>& header = launches.front();
  const auto cell = [&](const std::string& name) {
    const auto column = std::find(header.begin(), header.end(), name) - header.begin();
    return std::stod(launches.at(2).at(static_cast<std::size_t>(column)));
  };
  const double duration = std::stod(metrics.at("gpu__time_duration.sum"));
  CHECK(duration == Approx(cell("duration_ns")));
  CHECK(std::stod(metrics.at("sm__cycles_elapsed.max")) == Approx(duration * 1.41));
  CHECK(std::stod(metrics.at("dram__bytes.sum.per_second")) == Approx(229376 / duration * 1e9));
  CHECK(std::stod(metrics.at("sm__warps_active.avg.pct_of_peak_sustained_active")) ==
        Approx(cell("achieved_occupancy_percent")).margin(0.006));
}

TEST_CASE("what a run prints as Nsight Compute would is imported as a profile of it, with the same durations") {
  const TemporaryFolder folder;
  const Ran ran = run_gdsim({"run", folder.write("s.yaml", kSevenBlocks), "--print", "ncu"});
  REQUIRE(ran.status == 0);
  const Ran imported = run_gdsim({"import", folder.write("ncu.csv", ran.out), "--device", "a100-80gb"});
  INFO(imported.out << imported.err);
  REQUIRE(imported.status == 0);
  CHECK_THAT(imported.out, Catch::Contains("registers: 72") && Catch::Contains("global: 1792") &&
                               Catch::Contains("local: 256") && Catch::Contains("slm: 8192 B"));
  CHECK(run_gdsim({"check", folder.write("back.yaml", imported.out)}).status == 0);
}

TEST_CASE("of several devices, each row of Nsight Compute's metrics has its device's number") {
  const TemporaryFolder folder;
  const Ran ran =
      run_gdsim({"run",
                 folder.write("s.yaml",
                              "scenario: S\ndevices: {a: a100-80gb, b: a100-80gb}\nkernels:\n  k: {global: "
                              "256, local: 256, program: [compute: 1 us]}\nlaunches: [{kernel: k, device: a}, "
                              "{kernel: k, device: b}]\n"),
                 "--print", "ncu"});
  INFO(ran.out << ran.err);
  REQUIRE(ran.status == 0);
  CHECK_THAT(ran.out, Catch::Contains(",0,device__attribute_display_name,,NVIDIA A100 80GB SXM,a\n") &&
                          Catch::Contains(",1,device__attribute_display_name,,NVIDIA A100 80GB SXM,b\n"));
}

TEST_CASE("metrics of Nsight Compute are refused for a device of another vendor") {
  const Ran ran = run_gdsim({"run", kVectorAdd4, "--print", "ncu"});
  CHECK(ran.status == 2);
  CHECK_THAT(ran.err, Catch::Contains("'nvidia'") && Catch::Contains("--print launches"));
}
