#include "import/profiles/samples.hpp"
#include "support/matches.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"
#include "support/texts.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

// `gdsim import` of profiles, as a user calls it: the scenario that comes of them, and what `gdsim check` says of it.

using namespace gdsim;
using namespace gdsim::testing;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

/// Imports a text as a profile, which must work; its scenario, and what was reported.
Ran imported(const std::string& text, std::vector<std::string> words = {}) {
  const TemporaryFolder folder;
  words.insert(words.begin(), {"import", folder.write("profile.csv", text)});
  const Ran ran = run_gdsim(words);
  INFO(ran.err);
  CHECK(ran.status == 0);
  return ran;
}

std::string checked(const std::string& scenario) {
  const TemporaryFolder folder;
  const Ran ran = run_gdsim({"check", folder.write("s.yaml", scenario)});
  return fmt::format("{} {}{}", ran.status, ran.out, ran.err);
}

/// Launches one after another on stream 1: start and duration in nanoseconds each.
std::string table_of(const std::vector<std::pair<long, long>>& launches) {
  std::string text = "name,start_ns,duration_ns,grid,block,registers,slm,stream\n";
  for (const auto& [start, duration] : launches) text += fmt::format("k,{},{},512,256,32,0,1\n", start, duration);
  return text;
}

/// The numbers below a column of a CSV table without quotes.
std::vector<double> numbers_below(const std::string& column, const std::string& table) {
  const std::vector<std::vector<std::string>> rows = all_cells_of(table);
  const std::vector<std::string>& names = rows.at(0);
  const auto at = static_cast<std::size_t>(std::find(names.begin(), names.end(), column) - names.begin());
  std::vector<double> numbers;
  for (std::size_t row = 1; row < rows.size(); ++row) numbers.push_back(std::stod(rows[row].at(at)));
  return numbers;
}

}  // namespace

TEST_CASE("`gdsim check` holds on what each format becomes, on the device that it names or that is asked for",
          "[figures]") {
  const TemporaryFolder folder;
  const std::vector<std::pair<std::string, std::string>> calls{{"own.csv", "a100-80gb"},
                                                               {"nsys.csv", ""},
                                                               {"nvprof.csv", ""},
                                                               {"rocprofv3.csv", "mi210"},
                                                               {"rocprof.csv", "mi100"},
                                                               {"vtune.csv", "max-1100"},
                                                               {"ncu.csv", ""},
                                                               {"ncu_raw.csv", ""},
                                                               {"ncu.txt", ""},
                                                               {"report.ncu-rep", ""},
                                                               {"trace.json", ""},
                                                               {"trace.json.gz", ""},
                                                               {"unitrace.txt", "max-1550"}};
  for (const auto& [name, device] : calls) {
    INFO(name);
    const std::string scenario = (folder.path() / "s.yaml").string();
    std::vector<std::string> words{"import", folder.write(name, sample(name)), "-o", scenario};
    if (!device.empty()) words.insert(words.end(), {"--device", device});
    const Ran ran = run_gdsim(words);
    INFO(ran.err);
    REQUIRE(ran.status == 0);
    CHECK(ran.out.empty());
    const Ran judged = run_gdsim({"check", scenario});
    INFO(judged.out << judged.err);
    CHECK(judged.status == 0);
    CHECK_THAT(read_file(scenario), Contains("duration: ") && !Contains("known_gap"));
  }
}

TEST_CASE("a database of Nsight Systems becomes kernels, a copy and their stream") {
  const TemporaryFolder folder;
  write_database(folder.path() / "p.sqlite", nsys_statements());
  const Ran ran = run_gdsim({"import", (folder.path() / "p.sqlite").string()});
  INFO(ran.err);
  REQUIRE(ran.status == 0);
  CHECK_THAT(ran.out, Contains("device: {base: \"a100-80gb\", dependency_gap: 0 ns, copy: {engines: 2, bandwidth: ") &&
                          Contains("slm: 16640 B") && Contains("queues:\n  \"stream 7\": {order: in_order}\n") &&
                          Contains("- {copy: {bytes: 400000 B, direction: host_to_device}, queue: \"stream 7\"}\n") &&
                          Contains("- {kernel: \"vector_add\", queue: \"stream 7\", at: 50 us}\n") &&
                          Contains("\"scale\": {begun: 79 us, duration: 10 us}"));
  CHECK_THAT(checked(ran.out), StartsWith("0 "));
}

TEST_CASE("a database of rocprofv3 becomes kernels whose grids were work-items, on the GPU that it describes") {
  const TemporaryFolder folder;
  write_database(
      folder.path() / "p.db",
      {"CREATE TABLE rocpd_info_agent (id INTEGER, type TEXT, name TEXT, product_name TEXT, extdata TEXT)",
       "INSERT INTO rocpd_info_agent VALUES (0, 'CPU', 'x86', '', '{}'), (4, 'GPU', 'gfx90a', 'Special', "
       "'{\"cu_count\": 104, \"wave_front_size\": 64, \"max_engine_clk_fcompute\": 1700}')",
       "CREATE TABLE dispatches (name TEXT, start INTEGER, end INTEGER, agent_id INTEGER, stream_id INTEGER, "
       "grid_x INTEGER, workgroup_x INTEGER, lds_size INTEGER, vgpr_count INTEGER)",
       "INSERT INTO dispatches VALUES ('vector_add', 1000, 21000, 4, 1, 131072, 256, 512, 8)",
       "CREATE VIEW kernels AS SELECT * FROM dispatches"});
  const Ran ran = run_gdsim({"import", (folder.path() / "p.db").string()});
  INFO(ran.err);
  REQUIRE(ran.status == 0);
  CHECK_THAT(ran.out, Contains("device: {base: \"gfx90a\", cores: 104, clock: 1.7 GHz}") &&
                          Contains("global: 131072  # 512 work-groups") && Contains("sub_group: 64") &&
                          Contains("slm: 512 B"));
  CHECK_THAT(checked(ran.out), StartsWith("0 "));
}

TEST_CASE("launches of equal shape whose durations are within 0.5 % share a kernel, and --exact gives each its own") {
  const std::string table = table_of({{0, 20'000}, {30'000, 20'050}, {60'000, 40'000}, {120'000, 20'090}});
  const Ran close = imported(table, {"--device", "a100-80gb"});
  CHECK(times_in(close.out, "global: ") == 2);
  CHECK_THAT(close.out, Contains("# measured: 3 launches, 20 us to 20.09 us"));
  CHECK_THAT(close.err, Contains("4 launches, 2 kernels in the scenario"));
  const Ran exact = imported(table, {"--device", "a100-80gb", "--exact"});
  CHECK(times_in(exact.out, "global: ") == 4);
  const Ran merged = imported(table, {"--device", "a100-80gb", "--merge"});
  CHECK(times_in(merged.out, "global: ") == 1);
  CHECK_THAT(merged.out, Contains("variation: {distribution: lognormal, cv: 0.3"));
  CHECK_THAT(merged.out, !Contains("k#2\": {") && !Contains("known_gap"));
  CHECK_THAT(merged.err, Contains("expected of 4 of 4 launches; without it, they are"));
  CHECK_THAT(close.err, Contains("largest deviation of a begin: 0 s for "));
  CHECK_THAT(close.out,
             Contains("# `begun` is compared with the time since the first launch; none is further off than 0 s"));
  for (const Ran* ran : {&close, &exact, &merged}) CHECK_THAT(checked(ran->out), StartsWith("0 "));
}

TEST_CASE("rows that stand for no launch, and spreads that no draw has, are read and said") {
  const Ran none =
      imported("name,start_us,duration_us,grid,block,count\nk,0,5,512,256,0\n", {"--device", "a100-80gb", "--merge"});
  CHECK_THAT(none.err, Contains("0 launches"));
  std::vector<std::pair<long, long>> launches;
  for (long i = 0; i < 400; ++i) launches.emplace_back(i * 1'000'000, i == 0 ? 900'000'000 : 4'000);
  const Ran wide = imported(table_of(launches), {"--device", "a100-80gb", "--merge"});
  CHECK_THAT(wide.err, Contains("which is more than can be drawn"));
}

TEST_CASE("with --merge, launches last as long as they did on average, and differ as much") {
  // 200 launches of 10 or 30 us in turn: 20 us on average, a deviation of 10 us; 512 work-groups each.
  std::vector<std::pair<long, long>> launches;
  for (long i = 0; i < 200; ++i) launches.emplace_back(i * 50'000, i % 2 == 0 ? 10'000 : 30'000);
  const Ran merged = imported(table_of(launches), {"--device", "a100-80gb", "--merge"});
  REQUIRE(merged.status == 0);
  const TemporaryFolder folder;
  const Ran run = run_gdsim({"run", folder.write("s.yaml", merged.out), "--print", "launches"});
  INFO(run.out << run.err);
  REQUIRE(run.status == 0);
  const std::vector<double> durations = numbers_below("duration_ns", run.out);
  REQUIRE(durations.size() == 200);
  const double mean = std::accumulate(durations.begin(), durations.end(), 0.0) / 200;
  double squares = 0;
  for (const double duration : durations) squares += (duration - mean) * (duration - mean);
  CHECK(mean == Approx(20'000).epsilon(0.08));
  CHECK(std::sqrt(squares / 200) == Approx(10'000).epsilon(0.2));
}

TEST_CASE("a part of a profile is chosen by name, time and rank, and the rest is counted") {
  const std::string table =
      "name,start_us,duration_us,grid,block\na,0,5,4,64\nb,10,9,4,64\nlong,30,90,4,64\na,200,5,4,64\n";
  const auto chosen = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--device", "a100-80gb"});
    return imported(table, words);
  };
  const Ran named = chosen({"--kernel", "^a$"});
  CHECK(times_in(named.out, "- {kernel: \"a\"") == 2);
  CHECK_THAT(named.err, Contains("left out: launches whose names --kernel does not match, and copies: 2"));
  CHECK(times_in(chosen({"--from", "5 us", "--to", "200 us"}).out, "- {kernel: ") == 2);
  const Ran top = chosen({"--top", "1"});
  CHECK_THAT(top.out, Contains("- {kernel: \"long\"") && !Contains("- {kernel: \"a\""));
}

TEST_CASE("a row that stands for several launches counts as so many, one behind the other") {
  const std::string table =
      "name,start_us,duration_us,grid,block,count\nsmall,0,10,108,256,50\nbig,1000,200,108,256,1\n";
  const Ran all = imported(table, {"--device", "a100-80gb"});
  CHECK(times_in(all.out, "kernel: \"small\"") == 50);
  CHECK_THAT(all.out, Contains("at: 490 us") && !Contains("out_of_order"));
  CHECK_THAT(all.out, Contains("that these follow each other is assumed"));
  CHECK_THAT(checked(all.out), StartsWith("0 "));
  CHECK_THAT(imported(table, {"--device", "a100-80gb", "--top", "1"}).out,
             Contains("\"small\"") && !Contains("\"big\""));
}

TEST_CASE("a launch whose duration is not the time from its start to its end is refused") {
  const TemporaryFolder folder;
  const std::string table = "name,start_ns,end_ns,duration_ns,grid,block\nk,0,500,100000,108,256\n";
  const Ran ran = run_gdsim({"import", folder.write("profile.csv", table), "--device", "a100-80gb"});
  CHECK(ran.status == 2);
  CHECK_THAT(ran.err,
             Contains("profile.csv:2:1: error: the launch's duration is not the time from its start to its end"));
  CHECK(ran.out.empty());
}

TEST_CASE("a launch that ends too late for a scenario is refused with its row") {
  const TemporaryFolder folder;
  const std::string table = "name,start_ns,duration_ns,grid,block\nk,0,500,108,256\nk,3000000000000000,500,108,256\n";
  const Ran ran = run_gdsim({"import", folder.write("profile.csv", table), "--device", "a100-80gb"});
  CHECK(ran.status == 2);
  CHECK_THAT(ran.err, Contains("profile.csv:3:1: error: the launch ends more than 26 days after the first one starts"));
}

TEST_CASE("copies of one direction that overlap get an engine each, and those that follow each other do not") {
  const auto scenario = [](const std::string& second) {
    return imported(
               "name,start_ns,duration_us,grid_x,block_x,bytes\nk,0,5,4,64,\n[CUDA memcpy HtoD],9000,8,,,400000\n"
               "[CUDA memcpy HtoD]," +
                   second + ",8,,,400000\n",
               {"--device", "a100-80gb"})
        .out;
  };
  CHECK_THAT(scenario("17000"), Contains("copy: {engines: 2,"));
  CHECK_THAT(scenario("12000"), Contains("copy: {engines: 4,"));
}

TEST_CASE("a launch of which a run would take minutes is left out, and said to be") {
  const TemporaryFolder folder;
  const std::string table = "name,duration_us,grid_x,grid_z,block\nk,5,4,1,64\nhuge,5,40,2147483648,64\n";
  const Ran ran = run_gdsim({"import", folder.write("profile.csv", table), "--device", "a100-80gb"});
  CHECK(ran.status == 0);
  CHECK_THAT(ran.err, Contains("left out: launches of more than 2^26 work-groups"));
}

TEST_CASE("streams whose launches overlap are out of order, and what overlaps is fitted beside the others") {
  const Ran ran =
      imported("name,start_us,duration_us,grid,block,stream\na,0,50,108,256,1\nb,10,50,108,256,2\nc,20,50,108,256,2\n",
               {"--device", "a100-80gb"});
  CHECK_THAT(ran.out, Contains("\"stream 1\": {order: in_order}") && Contains("\"stream 2\": {order: out_of_order}") &&
                          Contains("# stream 2: its launches overlap in the file"));
  CHECK_THAT(checked(ran.out), StartsWith("0 "));
}

TEST_CASE("launches that wait for others' cores get durations that hold beside these") {
  // 13 blocks of 8 warps for each SM do not fit beside 13 others: some of b wait for a.
  const Ran ran = imported("name,start_us,duration_us,grid,block,stream\na,0,50,700,256,1\nb,10,60,700,256,2\n",
                           {"--device", "a100-80gb"});
  CHECK_THAT(ran.out, Contains("fitted beside the launches that overlap it") && !Contains("known_gap"));
  CHECK_THAT(checked(ran.out), StartsWith("0 "));
}

TEST_CASE("what cannot be as measured is a known gap of the scenario, and is reported") {
  // The second launch begins while the first one still waits for room: the model dispatches one after the other.
  const Ran ran = imported("name,start_us,duration_us,grid,block,stream\na,0,100,4000,1024,1\nb,1,5,4000,1024,2\n",
                           {"--device", "a100-80gb"});
  CHECK_THAT(ran.out, Contains("status: known_gap"));
  CHECK_THAT(ran.err, Contains("known gaps: ") && Contains("largest deviation of a launch: "));
  CHECK_THAT(checked(ran.out), StartsWith("0 "));
}

TEST_CASE("an import of which most launches do not begin or last as measured warns that a check says nothing",
          "[figures]") {
  std::string table = "name,start_us,duration_us,grid,block,stream\na,0,100,4000,1024,1\n";
  for (int i = 1; i < 6; ++i) table += fmt::format("b,{},5,4000,1024,{}\n", i, i + 1);
  const Ran most = imported(table, {"--device", "a100-80gb"});
  CHECK_THAT(most.err, Contains("most launches do not begin or last as measured"));
  CHECK_THAT(imported(table_of({{0, 50'000}}), {"--device", "a100-80gb"}).err, !Contains("most launches"));
}

TEST_CASE("a launch that is shorter than the model's launch cost lowers that, and says so", "[figures]") {
  const Ran ran = imported(table_of({{0, 900}, {10'000, 20'000}}), {"--device", "a100-80gb"});
  CHECK_THAT(ran.out, Contains("launch_cost: {serial: ") && Contains("is more than launches of the file allow"));
  CHECK_THAT(checked(ran.out), StartsWith("0 "));
}

TEST_CASE("a file without times gives launches to be filled in, and nothing is expected", "[figures]") {
  const TemporaryFolder folder;
  folder.write("kernel-1.traceg", sample("kernel-1.traceg"));
  const std::string list = folder.write("kernelslist.g", "MemcpyHtoD,0x00007fb0fc400000,200000\nkernel-1.traceg\n");
  const Ran ran = run_gdsim({"import", list, "--device", "a100-80gb"});
  INFO(ran.err);
  REQUIRE(ran.status == 0);
  CHECK_THAT(ran.out,
             Contains("program: placeholder") && Contains("global: 50176  # 196 work-groups") && !Contains("expect:"));
  const std::string scenario = folder.write("s.yaml", ran.out);
  const Ran run = run_gdsim({"run", scenario, "-o", (folder.path() / "out").string()});
  INFO(run.err);
  CHECK(run.status == 0);
  CHECK_THAT(run.out + run.err, !Contains(" after "));
  CHECK_THAT(read_file((folder.path() / "out" / "summary.json").string()),
             Contains("\"duration_ns\": null") && Contains("\"start_ns\": null") &&
                 Contains("\"peak_occupancy_percent\": ") && !Contains("\"peak_occupancy_percent\": null"));
  const auto rows = all_cells_of(read_file((folder.path() / "out" / "launches.csv").string()));
  REQUIRE(rows.size() >= 2);
  CHECK(rows[0].at(7) == "ended_ns");
  for (std::size_t row = 1; row < rows.size(); ++row) CHECK((rows[row].at(7).empty() && !rows[row].at(8).empty()));
  CHECK(run_gdsim({"diff", scenario, scenario}).status == 2);
}

TEST_CASE("a profile of kernels without geometry is refused with its reason and counts, also beside copies") {
  const auto kernel = [](const std::string& more) {
    return R"({"ph": "X", "cat": "kernel", "name": "k", "ts": 1, "dur": 20, "args": {)" + more + "}}";
  };
  const std::string copy =
      R"({"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD", "ts": 40, "dur": 9, "args": {"bytes": 4096}})";
  const TemporaryFolder folder;
  for (const std::string& events : {kernel(""), kernel("") + "," + copy}) {
    const Ran ran =
        run_gdsim({"import", folder.write("t.json", trace_of(events, R"("name": "NVIDIA A100-SXM4-80GB")"))});
    CHECK(ran.status == 2);
    CHECK_THAT(ran.err, Contains("holds no launch of a kernel that can be simulated; left out: launches of which the "
                                 "file does not say how large their grid and block are: 1"));
  }
}

TEST_CASE("the device is that of the file, its family with the file's numbers, or what --device says") {
  const auto trace = [](const std::string& device) {
    return trace_of(R"({"ph": "X", "cat": "kernel", "name": "k", "ts": 1, "dur": 20, )"
                    R"("args": {"grid": [8, 1, 1], "block": [64, 1, 1]}})",
                    device);
  };
  CHECK_THAT(imported(trace(R"("name": "NVIDIA A100-SXM4-80GB")")).out,
             Contains("device: {base: \"a100-80gb\", dependency_gap: 0 ns}\n"));
  const std::string family = imported(trace(R"("name": "NVIDIA A100X Special")")).out;
  CHECK_THAT(family, Contains("device: {base: \"cc-8.0\", cores: 108, dependency_gap: 0 ns}\n") &&
                         Contains("# no model is of NVIDIA A100X Special: this is its family"));
  const Ran replaced = imported(trace(R"("name": "NVIDIA A100-SXM4-80GB")"), {"--device", "h100-sxm"});
  CHECK_THAT(replaced.out, Contains("\"h100-sxm\""));
  CHECK_THAT(replaced.err, Contains("the launches were measured on NVIDIA A100-SXM4-80GB, cc-8.0, 108 cores"));
}

TEST_CASE("a profile that does not say where it was made is refused, naming --device") {
  const TemporaryFolder folder;
  const Ran ran = run_gdsim({"import", folder.write("own.csv", sample("own.csv"))});
  CHECK(ran.status == 2);
  CHECK(ran.out.empty());
  CHECK_THAT(ran.err, Contains("does not say on which device it was recorded; choose a model: --device"));
}

TEST_CASE("a product's name means the board that its driver calls so, or one without a model by its family and cores") {
  const auto device_line = [](const std::string& product) {
    std::string trace = sample("nsys.csv");
    const std::string written = "NVIDIA A100-SXM4-80GB";
    for (std::size_t at = trace.find(written); at != std::string::npos; at = trace.find(written, at + product.size()))
      trace.replace(at, written.size(), product);
    const TemporaryFolder folder;
    const Ran ran = run_gdsim({"import", folder.write("trace.csv", trace)});
    return ran.out.substr(0, ran.out.find("\nkernels:")) + ran.err;
  };
  CHECK_THAT(device_line("NVIDIA H100 80GB HBM3"), Contains("\"h100-sxm\""));
  CHECK_THAT(device_line("NVIDIA H100 PCIe"), Contains("\"h100-pcie\""));
  CHECK_THAT(device_line("NVIDIA A100-SXM4-80GB"), Contains("\"a100-80gb\""));
  CHECK_THAT(device_line("NVIDIA A100-PCIE-40GB"), Contains("\"a100-40gb\""));
  CHECK_THAT(device_line("NVIDIA H100"), Contains("a device that matches several models (NVIDIA H100); choose a model: "
                                                  "--device h100-nvl (or h100-pcie, h100-sxm); `gdsim devices` lists"));
  CHECK_THAT(device_line("NVIDIA H100 NVL"), Contains("\"h100-nvl\""));
  CHECK_THAT(device_line("NVIDIA GeForce RTX 4090 Laptop GPU"),
             Contains("device: {base: \"cc-8.9\", cores: 76, ") &&
                 Contains("no model is of NVIDIA GeForce RTX 4090 Laptop GPU: this is its family"));
}

TEST_CASE("a family stands for the device of a file that gives the number of its cores, and for no other") {
  const TemporaryFolder folder;
  const Ran counted = run_gdsim({"import", folder.write("trace.json", sample("trace.json")), "--device", "cc-8.6"});
  CHECK_THAT(counted.out, Contains("device: {base: \"cc-8.6\", cores: 108"));
  const Ran uncounted = run_gdsim({"import", folder.write("nsys.csv", sample("nsys.csv")), "--device", "cc-8.0"});
  CHECK(uncounted.status == 2);
  CHECK_THAT(
      uncounted.err,
      Contains(
          "--device cc-8.0 is a family, which has no core count, and the file gives none; choose a model: --device "));
}

TEST_CASE("the model that a refusal suggests is one of the file's family, or at least of its vendor") {
  const TemporaryFolder folder;
  const Ran amd = run_gdsim({"import", folder.write("rocprofv3.csv", sample("rocprofv3.csv"))});
  CAPTURE(amd.err);
  CHECK(amd.status == 2);
  CHECK_THAT(amd.err, Contains("--device mi"));
  const Ran intel = run_gdsim({"import", folder.write("unitrace.txt", sample("unitrace.txt"))});
  CHECK(intel.status == 2);
  CHECK_THAT(intel.err, Contains("--device max-1550"));
}

TEST_CASE("shared memory goes by any of its usual names in a table of one's own") {
  for (const std::string name : {"shared", "smem", "sharedMem", "shared_memory", "static_shared", "dynamic_shared"}) {
    INFO(name);
    const Ran ran =
        imported("name,start_us,duration_us,grid,block,registers," + name + ",stream\nk,0,5,4,64,32,4096,1\n",
                 {"--device", "a100-80gb"});
    CHECK_THAT(ran.out, Contains("slm: 4096 B"));
    CHECK_THAT(ran.err, !Contains("not used"));
  }
}

TEST_CASE("options of compiled kernels are refused for profiles, and those of profiles for compiled kernels") {
  const TemporaryFolder folder;
  const std::string own = folder.write("own.csv", sample("own.csv"));
  CHECK_THAT(run_gdsim({"import", own, "--block", "64"}).err, Contains("--block is for compiled kernels"));
  CHECK_THAT(run_gdsim({"import", own, "--exact", "--merge"}).err, Contains("exclude each other"));
  CHECK_THAT(run_gdsim({"import", own, "--from", "soon"}).err, Contains("--from: 'soon'"));
}

TEST_CASE("the same profile gives the same bytes, and an output is replaced whole or not at all") {
  const TemporaryFolder folder;
  const std::string file = folder.write("trace.json", sample("trace.json"));
  CHECK(run_gdsim({"import", file}).out == run_gdsim({"import", file}).out);
  const std::string output = folder.write("s.yaml", "mine\n");
  CHECK(run_gdsim({"import", folder.write("bad.json", "{\"traceEvents\": ["), "-o", output}).status == 2);
  CHECK(read_file(output) == "mine\n");
  CHECK(run_gdsim({"import", file, "-o", file}).status == 2);
}

TEST_CASE("a second file adds what it says of kernels and devices, and a second profile is refused") {
  const TemporaryFolder folder;
  const std::string timeline = sample("unitrace.txt").substr(0, sample("unitrace.txt").find("\n=== Kernel"));
  const std::string table = sample("unitrace.txt").substr(sample("unitrace.txt").find("=== Kernel"));
  const std::string t = folder.write("t.txt", timeline);
  const std::string d = folder.write("d.txt", "=== Device Timing Summary ===\n\n" + table);
  const Ran alone = run_gdsim({"import", t, "--device", "max-1550"});
  CHECK_THAT(alone.out, Contains("# slm: not in the file") && !Contains("large_grf"));
  for (const auto& files : {std::vector<std::string>{t, d}, std::vector<std::string>{d, t}}) {
    const Ran both = run_gdsim({"import", files[0], files[1], "--device", "max-1550"});
    INFO(both.err);
    CHECK(both.status == 0);
    CHECK_THAT(both.out, Contains("slm: 2048 B") && Contains("large_grf: true"));
  }
  const std::string timestamps = folder.write("timestamps.csv", sample("rocprof.csv"));
  const std::string system = folder.write(
      "sysinfo.csv", "hostname,gpu_model,gpu_arch,cu_per_gpu,wave_size,max_sclk\nh,MI100,gfx908,120,64,1502\n");
  const Ran described = run_gdsim({"import", timestamps, system});
  INFO(described.err);
  CHECK_THAT(described.out, Contains("device: \"mi100\"") || Contains("device: {base: \"mi100\""));
  CHECK(run_gdsim({"import", timestamps, folder.write("own.csv", sample("own.csv"))}).status == 2);
}

TEST_CASE("names that cannot be printed, or look alike, stay names of their own") {
  const Ran ran = imported(
      "name,start_us,duration_us,grid,block,stream\n\"a\x1b[2J\",0,5,4,64,\x01\n=SUM(A1),10,5,4,64,\\x01\nk#2,20,5,4,"
      "64,1\nk,30,5,"
      "4,64,1\nk,40,5,4,64,1\ncopy,50,5,4,64,1\n",
      {"--device", "a100-80gb"});
  CHECK_THAT(ran.out, !Contains("\x1b") && Contains("\"kernel =SUM"));
  CHECK_THAT(checked(ran.out), StartsWith("0 "));
}

TEST_CASE("a configuration of GPGPU-Sim becomes a device on its family, and options without a place are reported") {
  const TemporaryFolder folder;
  const std::string config = folder.write(
      "gpgpusim.config",
      "# functional\n-gpgpu_compute_capability_major 7\n-gpgpu_compute_capability_minor 0\n-gpgpu_n_clusters 80\n"
      "-gpgpu_n_cores_per_cluster 1\n-gpgpu_clock_domains 1132:1132:1132:850\n-gpgpu_shader_core_pipeline 2048:32\n"
      "-gpgpu_num_sched_per_core 4\n-gpgpu_shader_cta 32\n-gpgpu_shader_registers 65536\n"
      "-gpgpu_kernel_launch_latency 5000\n-gpgpu_cache:dl1 S:4:128:64,L:T\n");
  const std::string device = (folder.path() / "volta.yaml").string();
  const Ran ran = run_gdsim({"import", config, "-o", device});
  INFO(ran.err);
  REQUIRE(ran.status == 0);
  CHECK_THAT(read_file(device),
             Contains("device: \"volta\"\nbase: cc-7.0\n") && Contains("clock: 1.132 GHz\ncores: 80\n") &&
                 Contains("contexts_per_engine: 16\n") && Contains("registers: {per_engine: 16384}\n") &&
                 Contains("launch_cost: 5000 cycles\n"));
  CHECK_THAT(ran.err, Contains("options that were not used: -gpgpu_cache:dl1"));
  CHECK(run_gdsim({"occupancy", "--device", device, "--local", "256", "--sub-group", "32"}).status == 0);
  const Ran wrong = run_gdsim({"import", folder.write("b.config", "-gpgpu_n_clusters many\n-gpgpu_clock_domains x\n")});
  CHECK(wrong.status == 2);
  CHECK_THAT(wrong.err,
             Contains("b.config:1:1: error: -gpgpu_n_clusters is 'many'") && Contains("b.config:2:1: error: "));
}

namespace {

/// Imports a database of Nsight Systems of one launch: its clusters, and what the driver said of it.
Ran imported_launch(const std::string& device, const std::string& values) {
  const TemporaryFolder folder;
  write_database(
      folder.path() / "p.sqlite",
      {"CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT)", "INSERT INTO StringIds VALUES (1, 'gemm')",
       "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, streamId "
       "INTEGER, demangledName INTEGER, registersPerThread INTEGER, gridX INTEGER, blockX INTEGER, "
       "dynamicSharedMemory INTEGER, sharedMemoryExecuted INTEGER, clusterX INTEGER, maxActiveClusters "
       "INTEGER)",
       "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1000, 91000, 0, 7, 1, " + values + ")"});
  return run_gdsim({"import", (folder.path() / "p.sqlite").string(), "--device", device});
}

}  // namespace

TEST_CASE("what the driver set aside as shared memory is compared with the model, and a note says what holds it") {
  // 17 KiB with the reserve: nine blocks fit in 164 KiB, eight by their threads, three in 64 KiB.
  const Ran few = imported_launch("a100-80gb", "32, 512, 256, 16384, 65536, 0, 0");
  REQUIRE(few.status == 0);
  CHECK_THAT(few.err, Contains("gemm: the driver set 64 KiB of each SM aside as shared memory (sharedMemoryExecuted), "
                               "in which 3 blocks fit; the model holds 8. `carveout_percent: 39` of the kernel"));
  std::string scenario = few.out;
  scenario.insert(scenario.find("    slm: "), "    carveout_percent: 39\n");
  const TemporaryFolder folder;
  const auto most_resident = [&](const std::string& text) {
    const Ran run = run_gdsim({"run", folder.write("s.yaml", text), "--print", "kernels"});
    const std::vector<double> resident = numbers_below("work_groups_resident", run.out);
    return *std::max_element(resident.begin(), resident.end());
  };
  CHECK(most_resident(few.out) == 512);  // all, of 8 on each of 108 SMs
  CHECK(most_resident(scenario) == 3 * 108);
  CHECK_THAT(imported_launch("a100-80gb", "32, 512, 256, 16384, 8192, 0, 0").err,
             Contains("8 KiB of each SM aside as shared memory (sharedMemoryExecuted), in which no block of 17 KiB "
                      "fits: it is not used"));
  CHECK_THAT(imported_launch("a100-80gb", "32, 512, 256, 16384, 70000, 0, 0").err,
             Contains("to which the model of a100-80gb does not set it"));
  CHECK_THAT(imported_launch("a100-80gb", "32, 512, 256, 16384, 167936, 0, 0").err, !Contains("sharedMemoryExecuted"));
}

TEST_CASE("the clusters that the driver counts at once are compared with the model") {
  const Ran same = imported_launch("h100-sxm", "168, 512, 384, 218112, 233472, 2, 66");
  REQUIRE(same.status == 0);
  CHECK_THAT(same.err, !Contains("maxActiveClusters") && !Contains("sharedMemoryExecuted"));
  CHECK_THAT(imported_launch("h100-sxm", "168, 512, 384, 218112, 233472, 2, 60").err,
             Contains("gemm: the driver counts 60 clusters at once (maxActiveClusters), the model of h100-sxm 66"));
}

TEST_CASE("a database of rocprofv3 names GPUs by index, has copies, and counts what its views do not show") {
  const TemporaryFolder folder;
  write_database(
      folder.path() / "p.db",
      {"CREATE TABLE rocpd_info_agent (id INTEGER, absolute_index INTEGER, type TEXT, name TEXT)",
       "INSERT INTO rocpd_info_agent VALUES (11, 0, 'CPU', 'x86'), (12, 1, 'GPU', 'gfx942'), (13, 2, 'GPU', 'gfx942')",
       "CREATE TABLE rocpd_kernel_dispatch (id INTEGER, start INTEGER, end INTEGER, agent_id INTEGER)",
       "INSERT INTO rocpd_kernel_dispatch VALUES (1, 1000, 21000, 13), (2, 30000, 40000, 12), (3, 50000, 60000, 13)",
       "CREATE VIEW kernels AS SELECT 'k' AS name, start, end, agent_id - 11 AS agent_abs_index, 1 AS stream_id, "
       "1024 AS grid_x, 256 AS workgroup_x, 40 AS arch_vgpr_count, 8 AS accum_vgpr_count FROM rocpd_kernel_dispatch "
       "WHERE id < 3",
       "CREATE VIEW memory_copies AS SELECT 62000 AS start, 72000 AS end, 4096 AS size, 'CPU' AS src_agent_type, 'GPU' "
       "AS dst_agent_type, 0 AS src_agent_abs_index, 2 AS dst_agent_abs_index",
       "CREATE TABLE ray_traces (start INTEGER, end INTEGER, agent_id INTEGER)",
       "INSERT INTO ray_traces VALUES (1, 2, 13)"});
  const Ran ran = run_gdsim({"import", (folder.path() / "p.db").string(), "--device", "mi300x"});
  INFO(ran.err);
  REQUIRE(ran.status == 0);
  CHECK_THAT(ran.out, Contains("registers: 40\n    accumulation_registers: 8\n") &&
                          Contains("copy: {bytes: 4096 B, direction: host_to_device}"));
  CHECK_THAT(ran.err, Contains("1 launch, 1 kernel in the scenario; 1 copy") &&
                          Contains("launches on other devices than the one with the most time: 1") &&
                          Contains("rows of rocpd_kernel_dispatch, which the view `kernels` does not show: 1") &&
                          Contains("rows of ray_traces, which is not read: 1"));
}

TEST_CASE("a measured launch stays, whatever key of its kernel's needs the model lacks, and a note says which") {
  const std::string table =
      "name,start_ns,duration_us,grid_x,block_x,registers,accum_vgpr_count,sgpr_count,static_slm,cluster\n"
      "k,1000,20,512,256,32,16,96,4096,2\n";
  const TemporaryFolder folder;
  const std::string bare = folder.write(
      "bare.yaml",
      "device: bare\nname: Bare\ncores: 4\nengines_per_core: 4\ncontexts_per_engine: 8\nsub_group_sizes: [32]\n"
      "max_work_group_size: 1024\nwork_groups_per_core: 16\nbarriers_per_core: 16\n"
      "slm: {per_core: 64 KiB, per_work_group: 48 KiB}\ndispatch: {placement: fill_first}\n");
  const std::string hopper =
      folder.write("hopper.yaml", "device: my-hopper\nbase: cc-9.0\ncores: 100\nclock: 1.5 GHz\n");
  const Ran ran = imported(table, {"--device", bare});
  CHECK_THAT(ran.out, Contains("- {kernel: \"k\"") && Contains("\"k\": {begun: 0 s, duration: 20 us}"));
  CHECK_THAT(ran.err, !Contains("left out"));
  CHECK_THAT(ran.err,
             Contains("simulated without `cluster`, `scalar_registers`, which the model of bare does not have"));
  CHECK_THAT(imported(table, {"--device", hopper}).out, Contains("cluster: 2"));
}
