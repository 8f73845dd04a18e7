#include "import/binaries.hpp"
#include "support/builders.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <regex>

// `gdsim import FILE.ptx --program`, as a user calls it.

using namespace gdsim;
using namespace gdsim::testing;
using Catch::Matchers::Contains;

namespace {

/// A kernel that loads an index and gathers by it.
const std::string kGather =
    ".version 8.0\n.target sm_86\n.address_size 64\n.visible .entry gather(.param .u64 p) {\n"
    "ld.param.u64 %rd0, [p];\ncvta.to.global.u64 %rd1, %rd0;\nmov.u32 %t, %tid.x;\nmul.wide.u32 %rd2, %t, 4;\n"
    "add.s64 %rd3, %rd1, %rd2;\nld.global.u32 %x, [%rd3];\nmul.wide.u32 %rd4, %x, 4;\nadd.s64 %rd5, %rd1, %rd4;\n"
    "ld.global.f32 %f1, [%rd5];\nst.global.f32 [%rd3], %f1;\nret;\n}\n";

}  // namespace

TEST_CASE("a program has loops with trip counts of arguments, lines, sectors, conflicts and bounds") {
  const std::string text = gdsim_output(import_of_sgemm("naive", 32, 1024));
  CHECK_THAT(text, Contains("parameters:") && Contains("\n  arg2: 256\n"));
  CHECK_THAT(text, Contains("    registers: 40\n"));
  CHECK_THAT(text, Contains("count: = max(0, floor(arg2 / 4))  # 64\n"));
  CHECK_THAT(text, Contains("line 77: ld.global.f32, 64 requests per warp: 32 sectors per request, at most 32, side by "
                            "side 4; L1 holds "));
  CHECK_THAT(text,
             Contains("- issue:  # lines 75-96: 8 accesses, 132 lines of L1 and shared memory\n"
                      "                fp32: 4\n                int32: 16\n                load_store: 8\n"
                      "                l1:\n"
                      "                  - {source_line: 76, instruction: ld.global.f32, lines: 1, sectors: 1}\n"
                      "                  - {source_line: 77, instruction: ld.global.f32, lines: 32, coalesced: 1, "
                      "sectors: 32}\n"));
  CHECK_THAT(text, Contains(" cycles: L1 and shared memory, 1 lines or bank cycles per core and cycle\n"));
  CHECK_THAT(
      text, Contains("# stores write parts of sectors, which count as the device's `written_sector`, in lines 127\n") &&
                Contains("- store: {bytes: 1024 B, written: {partial: 32}}") &&
                Contains("{source_line: 127, instruction: st.global.f32, lines: 32, coalesced: 1, excess_sectors: 28, "
                         "sectors: 32}"));
  CHECK_THAT(text, Contains("# 100.0 % of the bytes that leave L1 have known addresses\n"));
}

TEST_CASE(
    "where the clock changes, bounds hold at each: times of cycles at the highest, cycles for bytes at the lowest",
    "[figures]") {
  const TemporaryFolder folder;
  // `not below X ms, Y cycles`, or `about`: X and Y of the resource.
  const auto bound = [&](const std::string& clock, const std::string& resource) {
    std::vector<std::string> words = import_of_sgemm("naive", 32, 1024);
    *std::find(words.begin(), words.end(), "rtx-a6000") =
        folder.write("d.yaml", "device: d\nname: D\nbase: rtx-a6000\nclock: " + clock + "\n");
    const std::string text = gdsim_output(words);
    std::smatch match;
    const std::regex line("(?:not below|about) ([^ ]+) ms, ([^ ]+) cycles: " + resource);
    REQUIRE(std::regex_search(text, match, line));
    return std::pair(match[1].str(), match[2].str());
  };
  const std::string changing = "{at: {0 s: 1 GHz, 1 ms: 2 GHz, 2 ms: 0.5 GHz}}";
  CHECK(bound(changing, "L1 and") == bound("2 GHz", "L1 and"));
  CHECK(bound(changing, "GDDR6") == bound("0.5 GHz", "GDDR6"));
  CHECK(bound(changing, "GDDR6").second != bound("1 GHz", "GDDR6").second);
}

TEST_CASE("neighbours that compute a row, not a column, need a sixteenth of the cycles of L1") {
  CHECK_THAT(gdsim_output(import_of_sgemm("coalesced", 32, 1024)),
             Contains("                load_store: 8\n") &&
                 Contains(": 8 accesses, 8 lines of L1 and shared memory\n") && !Contains("coalesced:") &&
                 !Contains("parts of sectors") && Contains("- store: {bytes: 128 B, written: {whole: 4}}"));
}

TEST_CASE("on a device on which written sectors count as their bytes, stores of parts of them are an assumption") {
  const TemporaryFolder folder;
  std::vector<std::string> words = import_of_sgemm("naive", 32, 1024);
  *std::find(words.begin(), words.end(), "rtx-a6000") = folder.write(
      "d.yaml", "device: d\nname: D\nbase: rtx-a6000\nmemory: {levels: [{name: M, bandwidth: 700 GB/s}]}\n");
  const std::string text = gdsim_output(words);
  CHECK_THAT(text,
             Contains("# ASSUMED: stores that write parts of sectors move whole ones, 32 B each, and none is read "
                      "first; they are in lines 127\n"));
  CHECK_THAT(text, !Contains("written:"));
}

TEST_CASE("on a device whose model has no pipe of L1, its lines stand as instructions, and the scenario says so") {
  const TemporaryFolder folder;
  std::string ptx = read_file(fixture_path("sgemm.ptx"));
  ptx.replace(ptx.find("sm_86"), 5, "sm_75");
  std::vector<std::string> words = import_of_sgemm("naive", 32, 1024);
  words[1] = folder.write("sgemm.ptx", ptx);
  words.erase(words.begin() + 3, words.begin() + 5);  // --cubin
  *std::find(words.begin(), words.end(), "rtx-a6000") =
      folder.write("d.yaml", "device: d\nname: D\nbase: t4\nl1: unknown\n");
  CHECK_THAT(gdsim_output(words),
             Contains("# ASSUMED: d has no `l1`, the pipe of L1 and shared memory: its lines stand as so many "
                      "load_store instructions\n") &&
                 Contains("load_store: 66}  # lines 75-96: 8 accesses, 132 lines of L1 and shared memory\n"));
}

TEST_CASE("explain names the lines of PTX whose neighbours lie apart, and what it saves to let them lie together",
          "[figures]") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("naive.yaml", gdsim_output(import_of_sgemm("naive", 32, 1024)));
  const Ran ran = run_gdsim({"explain", scenario});
  REQUIRE(ran.status == 0);
  CHECK_THAT(
      ran.out,
      Contains("Coalescing: source lines 77 (ld.global.f32), 81 (ld.global.f32), 85 (ld.global.f32) and 2 more occupy "
               "32.0 times as many cache lines of L1 as necessary. With neighbouring addresses, the run takes ") &&
          Contains("\ncoalesced:77 ") && Contains("\ncoalesced:127 ") && !Contains("coalesced:76"));
}

TEST_CASE("an imported program that runs on another device says for which one its accesses were counted") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("naive.yaml", gdsim_output(import_of_sgemm("naive", 32, 1024)));
  const std::string note = "were counted for rtx-a6000, not for rtx-3090";
  CHECK_THAT(gdsim_output({"run", scenario, "--set", "device=rtx-3090", "--print", "summary"}), Contains(note));
  CHECK_THAT(gdsim_output({"run", scenario, "--print", "summary"}), !Contains("were counted for"));
}

TEST_CASE("every step of the ladder is faster than the one before", "[figures]") {
  const TemporaryFolder folder;
  double before = 1e30;
  for (const auto& [kernel, tile, block] : std::vector<std::tuple<std::string, std::uint64_t, std::uint64_t>>{
           {"naive", 32, 1024}, {"coalesced", 32, 1024}, {"tiled", 32, 1024}}) {
    INFO(kernel);
    const std::string scenario = folder.write(kernel + ".yaml", gdsim_output(import_of_sgemm(kernel, tile, block)));
    const Ran checked = run_gdsim({"check", scenario});
    INFO(checked.out << checked.err);
    CHECK(checked.status == 0);
    const Ran ran = run_gdsim({"run", scenario, "--print", "launches"});
    REQUIRE(ran.status == 0);
    const Ran summary = run_shell("$GDSIM run " + scenario + " --print summary | grep -m1 duration_ns | tr -dc 0-9.");
    const double duration = std::atof(summary.out.c_str());
    CHECK(duration > 0);
    CHECK(duration < before);
    before = duration;
  }
}

TEST_CASE("a trip count follows its parameter when a scenario is run with another one") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("s.yaml", gdsim_output(import_of_sgemm("tiled", 32, 1024)));
  const auto duration = [&](const std::string& argument) {
    return std::atof(run_shell("$GDSIM run " + scenario + " --set arg2=" + argument +
                               " --print summary | grep -m1 duration_ns | tr -dc 0-9.")
                         .out.c_str());
  };
  const double whole = duration("8192");
  CHECK(duration("16384") / whole == Approx(2).epsilon(0.05));
}

TEST_CASE("an address that depends on data is an error, and answered it gives a time under an assumption") {
  const TemporaryFolder folder;
  const std::string file = folder.write("gather.ptx", kGather);
  const std::vector<std::string> words{"import", file, "--program", "--device", "rtx-a6000", "--grid", "512"};
  CHECK_THAT(gdsim_refusal(words),
             Contains("gather.ptx:13:1: error: the address of this access depends on what line 10 "
                      "(ld.global.u32) loads from memory; ") &&
                 Contains("--gather 32"));
  std::vector<std::string> answered = words;
  answered.insert(answered.end(), {"--gather", "20"});
  const std::string text = gdsim_output(answered);
  CHECK_THAT(text, Contains("    program:\n") && Contains("# ASSUMED: --gather 20: so many sectors of each request") &&
                       Contains("line 13: ld.global.f32, 1 requests per warp: 20 sectors per request") &&
                       Contains("ASSUMED by --gather") && Contains("ASSUMED: registers do not limit"));
  const Ran ran = run_gdsim({"run", folder.write("s.yaml", text)});
  CHECK(ran.status == 0);
  CHECK_THAT(ran.out, !Contains("without a duration"));
}

TEST_CASE("the shipped ladder is what import makes of its PTX", "[figures]") {
  const TemporaryFolder folder;
  const Ran made =
      run_shell("sh " + source_path("scenarios/compiled/make.sh") + " \"$GDSIM\" " + folder.path().string() + " " +
                fixture_path("sgemm.ptx") + " " + fixture_path("sgemm.ptxas.txt"));
  INFO(made.err);
  REQUIRE(made.status == 0);
  for (const std::string name : {"naive", "coalesced", "tiled", "tiled_1d", "tiled_2d", "vectorised"}) {
    const std::string file = "sgemm_" + name + ".yaml";
    CHECK(read_file((folder.path() / file).string()) == read_file(source_path("scenarios/compiled/" + file)));
  }
}

TEST_CASE("an instruction that no step stands for leaves a placeholder that names its line") {
  const TemporaryFolder folder;
  const std::string file = folder.write("k.ptx",
                                        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() {\n"
                                        "multimem.red.global.add.u32 [%rd1], %r1;\nret;\n}\n");
  CHECK_THAT(gdsim_output({"import", file, "--program", "--device", "rtx-a6000"}),
             Contains("# NO PROGRAM: line 5 (multimem.red.global.add.u32) has no step that stands for it\n") &&
                 Contains("    program: placeholder\n"));
}

TEST_CASE("a work-group has the shape that its PTX requires") {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "k.ptx",
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n.reqntid 16, 16\n{\n"
      "ld.param.u64 %rd0, [p];\ncvta.to.global.u64 %rd1, %rd0;\nmov.u32 %t, %tid.x;\nmul.wide.u32 %rd2, %t, 32;\n"
      "add.s64 %rd3, %rd1, %rd2;\nld.global.f32 %f1, [%rd3];\nst.global.f32 [%rd3], %f1;\nret;\n}\n");
  const std::vector<std::string> words{"import", file, "--program", "--device", "rtx-a6000"};
  CHECK_THAT(gdsim_output(words), Contains("line 12: ld.global.f32, 1 requests per warp: 16 sectors per request"));
  const auto with_block = [&](const std::string& block) {
    std::vector<std::string> more = words;
    more.insert(more.end(), {"--block", block});
    return more;
  };
  CHECK(gdsim_output(with_block("16,16")) == gdsim_output(words));
  CHECK_THAT(gdsim_refusal(with_block("256")),
             Contains("k.ptx:4:17: error: --block 256,1,1 cannot be launched: k requires (.reqntid) --block 16,16,1"));
}

TEST_CASE("clusters that PTX requires are those of the scenario") {
  const TemporaryFolder folder;
  const auto with_bounds = [&](const std::string& bounds, const std::string& grid) {
    const std::string file =
        folder.write("k.ptx", ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n" + bounds +
                                  "\n{\nbar.sync 0;\nret;\n}\n");
    return std::vector<std::string>{"import", file, "--program", "--device", "h100-sxm", "--grid", grid};
  };
  CHECK_THAT(gdsim_output(with_bounds(".explicitcluster .reqnctapercluster 1, 2, 1", "1,512")),
             Contains("    cluster: 2  # 1 x 2 x 1\n"));
  CHECK_THAT(gdsim_refusal(with_bounds(".reqnctapercluster 1, 2, 1", "512")),
             Contains("--grid 512,1,1 is no multiple of the clusters of k, 1,2,1 work-groups; the next is --grid "
                      "512,2,1"));
  CHECK_THAT(gdsim_refusal(with_bounds(".explicitcluster", "512")),
             Contains("k.ptx:5:1: error: how many work-groups a cluster has is given at launch"));
}

TEST_CASE("what is many instructions of machine code counts as these") {
  const TemporaryFolder folder;
  const auto imported_with = [&](const std::string& instruction) {
    return gdsim_output(
        {"import",
         folder.write("k.ptx", ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() {\n" + instruction +
                                   ";\nadd.f32 %f3, %f4, %f5;\nret;\n}\n"),
         "--program", "--device", "rtx-a6000"});
  };
  CHECK_THAT(imported_with("sqrt.approx.ftz.f32 %f1, %f2"), Contains("- issue: {fp32: 1, sfu: 1}"));
  CHECK_THAT(imported_with("div.rn.f32 %f1, %f2, %f3"), Contains("- issue: {fp32: 6, int32: 4, sfu: 2}"));
  for (const std::string instruction :
       {"div.s32 %r1, %r2, %r3", "rem.u64 %rd1, %rd2, %rd3", "sqrt.rn.f32 %f1, %f2", "rcp.rn.f64 %fd1, %fd2"})
    CHECK_THAT(imported_with(instruction), !Contains("NO PROGRAM") && Contains("int32: "));
  CHECK_THAT(imported_with("frobnicate.b32 %r1, %r2"),
             Contains("# ASSUMED: instructions that are in no table cost one issue slot: line 5\n"));
}

TEST_CASE("PTX is read from standard input") {
  const Ran ran = run_shell(
      "$GDSIM import - --program --kernel '^naive$' --device rtx-a6000 --arg 2=256 --grid 8,8 "
      "--block 1024 --arg 1=256 < " +
      fixture_path("sgemm.ptx"));
  INFO(ran.err);
  CHECK(ran.status == 0);
  CHECK_THAT(ran.out, Contains("line 77: ld.global.f32"));
}

TEST_CASE("a family without clock and memory gives diagnostics in cycles, and says what is missing") {
  std::vector<std::string> words = import_of_sgemm("tiled", 32, 1024);
  words.erase(words.begin() + 7, words.begin() + 9);  // --device
  CHECK_THAT(gdsim_output(words),
             Contains("device: \"cc-8.6\"\n") && Contains("# NO PROGRAM: cc-8.6 has no clock; --device") &&
                 Contains("    program: placeholder\n") && Contains(" cycles: load_store instructions\n"));
}

TEST_CASE("options of a program that make no sense are refused, with a line that does") {
  const std::string ptx = fixture_path("sgemm.ptx");
  const auto with = [&](std::vector<std::string> more) {
    std::vector<std::string> words = import_of_sgemm("naive", 32, 1024);
    words.insert(words.end(), more.begin(), more.end());
    return gdsim_refusal(words);
  };
  CHECK_THAT(with({"--arg", "9=1"}),
             Contains("--arg 9=1: there is no such argument; those of naive are 0 (4 B), 1 (4 B)"));
  CHECK_THAT(with({"--arg", "x"}), Contains("--arg is 'x'; NUMBER=VALUE, both whole numbers, as in 0=4096"));
  CHECK_THAT(with({"--gather", "33"}), Contains("--gather is '33'; a whole number of sectors from 1 to 32"));
  CHECK_THAT(with({"--gather", "8"}), Contains("--gather 8: all addresses are known; leave it out"));
  CHECK_THAT(with({"--trips", "L__BB5_4=3"}), Contains("--trips L__BB5_4=3: no loop of this name has a trip count that "
                                                       "depends on data"));
  CHECK_THAT(
      gdsim_refusal({"import", ptx, "--program", "--device", "rtx-a6000"}),
      Contains("--program makes the steps of one kernel, and 6 are here: 'naive', ") && Contains("--kernel '^naive'"));
  CHECK_THAT(gdsim_refusal({"import", ptx, "--device", "rtx-a6000"}), Contains("gdsim import FILE.ptx --program"));
  CHECK_THAT(gdsim_refusal({"import", ptx, "--arg", "0=1"}), Contains("--arg goes with --program"));
  CHECK_THAT(gdsim_refusal({"import", fixture_path("corpus.sm_75.cubin"), "--program"}),
             Contains("is neither PTX nor AMDGPU assembly with metadata, and --program needs"));
  CHECK_THAT(gdsim_refusal({"import", ptx, "--program", "--kernel", "naive", "--device", "t4"}),
             Contains("this PTX is for sm_86, and does not become code for t4"));
  CHECK_THAT(gdsim_refusal({"import", ptx, "--program", "--grid", "0,4"}),
             Contains("--grid is '0,4'; a whole number from 1"));
}
