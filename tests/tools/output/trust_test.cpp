// What the program reports of a run must be what was requested, and what ran.
#include "support/builders.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"
#include "support/texts.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

using namespace gdsim::testing;

namespace {

const std::string kSteps = source_path("scenarios/first_steps.yaml");

std::string jittered(const std::string& device, const std::string& launches) {
  return "scenario: Jittered\ndevice: " + device +
         "\nkernels:\n  k:\n    global: 640000\n    local: 256\n    sub_group: 32\n    program: [compute: 100 us]\n"
         "    variation: {distribution: lognormal, cv: 0.5, per: work_group, seed: 1}\nlaunches:\n" +
         launches;
}

const std::string kPlain =
    "scenario: Plain\ndevice: tiny\nkernels:\n  k: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}\n"
    "launches: [kernel: k]\n";

const std::string kTwoCases =
    "scenario: Cases\ndevice: tiny\nkernels:\n  k: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}\n"
    "launches: [kernel: k]\ncases:\n  - {name: good, set: {kernels.k.global: 16}}\n"
    "  - {name: bad, set: {kernels.k.slm: 1 GiB}}\n  - {name: last, set: {kernels.k.global: 32}}\n";

}  // namespace

TEST_CASE("a kernel of lognormal durations on a large device has a plateau and a tail, not dozens of phases") {
  const TemporaryFolder folder;
  for (const std::string device : {"rtx-4090", "h100-sxm"}) {
    const std::string file = folder.write("a.yaml", jittered(device, "  - kernel: k\n"));
    const auto phases = all_cells_of(run_gdsim({"run", file, "--print", "phases"}).out);
    REQUIRE(phases.size() > 2);
    CHECK(phases.size() - 1 <= 6);
    // Slots recover between their work-groups: the plateau is a narrow band.
    CHECK(phases[1][8] == "band");
    CHECK(phases.back()[8] == "tail");
  }
}

TEST_CASE("a GEMM with SLM tiles of drawn durations, begun part by part, is a ramp, a plateau and a tail") {
  const TemporaryFolder folder;
  std::string launches;
  for (int i = 0; i < 256; ++i) launches += "  - {kernel: gemm, at: " + std::to_string(8 * i) + " us}\n";
  const std::string file = folder.write(
      "gemm.yaml",
      "scenario: GEMM\ndevice: arc-b580\nkernels:\n  gemm:\n    global: [32, 256]\n    local: [16, 16]\n"
      "    sub_group: 16\n    slm: 8 KiB\n    program:\n"
      "      - loop: {count: 16, body: [memory: 512 B, barrier, slm: {accesses: 32, stride: 1}, issue: 64 cycles,\n"
      "          barrier]}\n"
      "    variation: {distribution: lognormal, cv: 0.5, per: work_group, seed: 1}\nlaunches:\n" +
          launches);
  const auto phases = all_cells_of(run_gdsim({"run", file, "--print", "phases"}).out);
  std::vector<std::string> kinds;
  for (std::size_t i = 1; i < phases.size(); ++i) kinds.push_back(phases[i][8]);
  REQUIRE(kinds.size() == 3);
  CHECK(kinds.front() == "ramp");
  CHECK((kinds[1] == "constant" || kinds[1] == "band"));
  CHECK(kinds.back() == "tail");
}

TEST_CASE("no phase of a run of 60 launches is off its timeline", "[figures]") {
  const TemporaryFolder folder;
  std::string launches;
  for (int i = 0; i < 60; ++i) launches += "  - {kernel: k, queue: q}\n";
  const std::string file = folder.write("a.yaml", jittered("h100-sxm", launches) + "queues: {q: {order: in_order}}\n");
  const std::string out = (folder.path() / "out").string();
  REQUIRE(run_gdsim({"run", file, "-o", out}).status == 0);
  const auto phases = all_cells_of(read_file(folder.path() / "out/phases.csv"));
  const auto timeline = all_cells_of(read_file(folder.path() / "out/timeline.csv"));
  REQUIRE(phases.size() > 60);
  std::vector<std::pair<double, double>> threads;  // from when on, how many
  for (std::size_t row = 1; row < timeline.size(); ++row)
    threads.emplace_back(std::stod(timeline[row][0]), std::stod(timeline[row][1]));
  for (std::size_t i = 1; i < phases.size(); ++i) {
    const double start = std::stod(phases[i][1]);
    const double end = std::stod(phases[i][2]);
    double integral = 0;
    for (std::size_t row = 0; row < threads.size(); ++row) {
      const double from = std::max(start, threads[row].first);
      const double to = row + 1 < threads.size() ? std::min(end, threads[row + 1].first) : end;
      if (from < to) integral += (to - from) * threads[row].second;
    }
    CHECK(std::stod(phases[i][5]) == Approx(integral / (end - start) * 100 / 8448).margin(0.6));
  }
}

TEST_CASE("many launches are shown as a table of kernels, and one line with the critical path") {
  const TemporaryFolder folder;
  std::string launches;
  for (int i = 0; i < 12; ++i) launches += "  - {kernel: k, queue: q}\n";
  const std::string file = folder.write("a.yaml", jittered("rtx-4090", launches) + "queues: {q: {order: in_order}}\n");
  const std::string text = run_gdsim({"run", file}).out;
  CHECK_THAT(text,
             Catch::Contains("kernel  launches      total time  mean occupancy  largest total wait\nk             12"));
  CHECK_THAT(text, Catch::Contains(", summed over 12 launches\n"));
  CHECK_THAT(text, Catch::Contains("critical path of 12 launches: k -> k#2"));
  CHECK_THAT(text, Catch::Contains("more; `--print phases` shows all"));
}

TEST_CASE("a phase in which only a copy passes says so") {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "a.yaml",
      "scenario: Copy\ndevice: {base: tiny, copy: {bandwidth: 1 GB/s}}\nqueues: {q: {order: in_order}}\nkernels:\n"
      "  k: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}\nlaunches:\n"
      "  - {name: upload, copy: {bytes: 1 MiB, direction: host_to_device}, queue: q}\n  - {kernel: k, queue: q, at: 2 "
      "ms}\n");
  const std::string text = run_gdsim({"run", file}).out;
  CHECK_THAT(text, Catch::Contains("copy alone: upload"));
}

TEST_CASE("threads that wait for banks are not called executing") {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "a.yaml",
      "scenario: Banks\ndevice: xe-lp-tgl\nkernels:\n  k:\n    global: 65536\n    local: 128\n    sub_group: 16\n"
      "    slm: 8 KiB\n    variation: none\n    program: [slm: {accesses: 640, stride: 16}]\nlaunches: [kernel: k]\n");
  const auto rows = all_cells_of(run_gdsim({"run", file, "--print", "time-use"}).out);
  REQUIRE(rows.size() > 10);
  CHECK(rows[0][3] == "executing");
  CHECK(rows[0][6] == "waiting_for_slm");
  const auto& middle = rows[rows.size() / 4];
  // One thread of each of the six cores continues, all others wait.
  CHECK(std::stod(middle[3]) == Approx(6).margin(0.1));
  CHECK(std::stod(middle[3]) + std::stod(middle[6]) == Approx(std::stod(middle[2])).margin(0.001));
  const std::string page = (folder.path() / "a.html").string();
  REQUIRE(run_gdsim({"report", file, "-o", page}).status == 0);
  CHECK_THAT(read_file(page), Catch::Contains("id=\"time-use\"") && Catch::Contains("class=\"t-slm\"") &&
                                  Catch::Contains("waiting for banks of SLM"));
  CHECK_THAT(run_gdsim({"run", file, "--chart"}).out, Catch::Contains("waiting for banks of SLM"));
}

TEST_CASE("a case that the device refuses is a row, and the others run") {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.yaml", kTwoCases);
  const std::string out = (folder.path() / "out").string();
  const Ran ran = run_gdsim({"run", file, "-o", out});
  CHECK(ran.status == 2);
  CHECK_THAT(ran.err, Catch::Contains(":6:") || Catch::Contains("slm"));
  CHECK_THAT(ran.err, Catch::Contains("(case bad)"));
  const std::string table = read_file(folder.path() / "out/cases.csv");
  CHECK_THAT(table, Catch::Contains("good,") && Catch::Contains("refused: slm_too_large") && Catch::Contains("last,"));
  CHECK(std::filesystem::exists(folder.path() / "out/last/phases.csv"));
  CHECK_FALSE(std::filesystem::exists(folder.path() / "out/bad/phases.csv"));
  CHECK(run_gdsim({"run", file, "--case", "bad"}).status == 2);
}

TEST_CASE("scenario_as_run.yaml is what ran: with what a case and --set change") {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.yaml", kTwoCases);
  const std::string out = (folder.path() / "out").string();
  REQUIRE(run_gdsim({"run", file, "--case", "good", "--set", "kernels.k.local=16", "-o", out}).status == 0);
  const std::string as_run = (folder.path() / "out/good/scenario_as_run.yaml").string();
  CHECK_THAT(read_file(as_run),
             Catch::Contains("global: 16") && Catch::Contains("local: 16") && !Catch::Contains("cases"));
  CHECK(run_gdsim({"run", as_run, "--print", "summary"}).status == 0);
  CHECK(run_gdsim({"run", as_run, "--print", "work-groups"}).out ==
        read_file(folder.path() / "out/good/work_groups.csv"));
}

TEST_CASE("a file to write has a suffix that says what") {
  for (const std::string name : {"x.png", "x.txt", "x"})
    CHECK_THAT(run_gdsim({"report", kSteps, "-o", name}).err, Catch::Contains("known: .html, .svg, as in -o x.html"));
  CHECK_THAT(run_gdsim({"compare", kSteps, "--measured", "m.csv", "-o", "x.html"}).err,
             Catch::Contains("'.html' is not written here; known: .svg, as in -o x.svg"));
  CHECK_THAT(run_gdsim({"run", kSteps, "-o", "x.html"}).err,
             Catch::Contains("names a file; a folder is needed") && Catch::Contains("gdsim report"));
}

TEST_CASE("a file in which nothing is expected is refused by check") {
  const TemporaryFolder folder;
  const Ran ran = run_gdsim({"check", folder.write("a.yaml", kPlain)});
  CHECK(ran.status == 2);
  CHECK_THAT(ran.err, Catch::Contains("a.yaml:1:1: error: nothing is expected"));
}

TEST_CASE("an expected share with a percent sign is refused with what to write") {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.yaml", kPlain + "expect:\n  - peak_occupancy: 100 %\n");
  CHECK_THAT(run_gdsim({"check", file}).err, Catch::Contains("without their sign, as in `100`"));
}

TEST_CASE("a name of a device that looks like a number is a name") {
  CHECK(run_gdsim({"occupancy", "--device", "4090", "--local", "256"}).status == 0);
  const std::string unknown = run_gdsim({"occupancy", "--device", "12345", "--local", "256", "--sub-group", "32"}).err;
  CHECK_THAT(unknown, Catch::Contains("unknown model '12345'") && !Catch::Contains("quotes"));
}

TEST_CASE("of a device that is not known, only that is said") {
  const std::string err = run_gdsim({"occupancy", "--device", "a100", "--local", "256"}).err;
  CHECK_THAT(err, Catch::Contains("did you mean 'a100-40gb' or 'a100-80gb'?") && !Catch::Contains("sub_group"));
}

TEST_CASE("a name that fits to several devices is said to be ambiguous, with what can be pasted") {
  for (const std::string name : {"a100", "NVIDIA A100"}) {
    const Ran ran = run_gdsim({"occupancy", "--device", name, "--local", "256"});
    CHECK(ran.status == 2);
    CHECK_THAT(ran.err, Catch::Contains("'" + name + "' is ambiguous") && Catch::Contains("`--device a100-40gb`") &&
                            !Catch::Contains("unknown"));
  }
  CHECK_THAT(run_gdsim({"run", source_path("scenarios/vector_add4.yaml"), "--set", "device=a100"}).err,
             Catch::Contains("is ambiguous") && Catch::Contains("`device=a100-40gb`"));
}

TEST_CASE("every value of a device is shown with its source", "[figures]") {
  const std::string shown = run_gdsim({"devices", "a100-80gb"}).out;
  CHECK_THAT(shown,
             Catch::Contains("    dispatch.recovery: 366 cycles\n      ") &&
                 Catch::Contains("    dispatch.batch\n      FITTED to an A100 (nicolaswilde/thread-block") &&
                 Catch::Contains("    memory.levels.L2.latency: 206 cycles\n      RRZE-HPC/gpu-benches@1038c5d0"));
  for (const std::string& name : lines_of(run_gdsim({"devices", "--names"}).out)) {
    INFO(name);
    CHECK_THAT(run_gdsim({"devices", name}).out, !Catch::Contains("\n      no source\n"));
  }
}

TEST_CASE("a user's value without a source is shown to have none, and one that is not verified to be so") {
  const TemporaryFolder folder;
  const std::string file = folder.write("mine.yaml",
                                        "device: mine\nbase: a100-80gb\nmemory: {in_flight: 1 KiB}\ncores: 7\n"
                                        "sources: {cores: \"not verified: seven, they say\"}\n");
  const std::string shown = run_gdsim({"devices", file}).out;
  CHECK_THAT(shown, Catch::Contains("    memory.in_flight: 1 KiB\n      no source\n") &&
                        Catch::Contains("cores: 7\n      not verified: seven, they say\n") &&
                        Catch::Contains("    memory.levels.L2.latency: 206 cycles\n      RRZE-HPC"));
}

TEST_CASE("where no folder of models is found, that is said, and where was looked") {
  const TemporaryFolder folder;
  const std::string script = folder.write("run.sh",
                                          "mkdir bin && cp -L \"$GDSIM\" \"$GDSIM-all\" bin && cd bin\n"
                                          "GDSIM_MODELS=/none/such ./gdsim \"$@\"\n");
  for (const std::string words : {"devices", "devices a100-80gb", "occupancy --device a100-80gb --local 256"}) {
    const Ran ran = run_shell("cd " + folder.path().string() + " && rm -rf bin && sh run.sh " + words);
    INFO(words);
    CHECK(ran.status == 2);
    CHECK(ran.out.empty());
    CHECK_THAT(ran.err, Catch::Contains("no folder with models was found; looked in /none/such (no such folder), " +
                                        folder.path().string() + "/share/gdsim/models (no such folder)") &&
                            !Catch::Contains("unknown"));
  }
}

TEST_CASE("devices of one vendor can be listed") {
  const std::string some = run_gdsim({"devices", "nvidia"}).out;
  CHECK_THAT(some, Catch::Contains("rtx-4090") && !Catch::Contains("arc-a770"));
  CHECK_THAT(run_gdsim({"devices", "mi250"}).out, Catch::Contains("AMD Instinct MI250"));
  CHECK_THAT(run_gdsim({"devices", "A100"}).out,
             Catch::Contains("a100-40gb") && Catch::Contains("a100-80gb") && !Catch::Contains("rtx-4090"));
}

TEST_CASE("the page of a scenario that is repeated shows all runs, and so does that of its folder") {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.yaml", jittered("rtx-4090", "  - kernel: k\n") + "repeat: 3\n");
  const std::string page = (folder.path() / "a.html").string();
  REQUIRE(run_gdsim({"report", file, "-o", page}).status == 0);
  CHECK_THAT(read_file(page), Catch::Contains("<dt>runs</dt><dd>3</dd>") && Catch::Contains("the first of 3 runs") &&
                                  Catch::Contains("<h2>All 3 runs</h2>") && Catch::Contains("id=\"run-bands\"") &&
                                  Catch::Contains("class=\"all-runs\"") && Catch::Contains("class=\"most-runs\""));
  const std::string out = (folder.path() / "out").string();
  REQUIRE(run_gdsim({"run", file, "-o", out}).status == 0);
  const std::string of_folder = (folder.path() / "folder.html").string();
  REQUIRE(run_gdsim({"report", out, "-o", of_folder}).status == 0);
  CHECK(read_file(of_folder) == read_file(page));
}

TEST_CASE("two runs are several: their page shows both") {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.yaml", jittered("rtx-4090", "  - kernel: k\n") + "repeat: 2\n");
  const std::string page = (folder.path() / "a.html").string();
  REQUIRE(run_gdsim({"report", file, "-o", page}).status == 0);
  CHECK_THAT(read_file(page), Catch::Contains("<h2>All 2 runs</h2>") && Catch::Contains("id=\"run-bands\""));
}

TEST_CASE("the page of a single run shows no bands of several") {
  const TemporaryFolder folder;
  const std::string page = (folder.path() / "a.html").string();
  REQUIRE(run_gdsim({"report", kSteps, "-o", page}).status == 0);
  CHECK_THAT(read_file(page), !Catch::Contains("id=\"run-bands\""));
}

TEST_CASE("no rule of style changes how a name is written, and cells of a heat map leave no seams") {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.yaml", jittered("rtx-4090", "  - kernel: k\n"));
  const std::string page = (folder.path() / "a.html").string();
  const std::string picture = (folder.path() / "a.svg").string();
  REQUIRE(run_gdsim({"report", file, "-o", page}).status == 0);
  REQUIRE(run_gdsim({"report", file, "-o", picture}).status == 0);
  CHECK_THAT(read_file(page), !Catch::Contains("text-transform") && Catch::Contains("<h2>Blocks</h2>"));
  CHECK_THAT(read_file(picture), Catch::Contains("shape-rendering=\"crispEdges\""));
}
