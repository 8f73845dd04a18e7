#include "import/binaries.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <regex>

// `gdsim import` and `gdsim occupancy FILE`, as a user calls them.

using namespace gdsim;
using namespace gdsim::testing;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

std::string imported(std::vector<std::string> words) {
  words.insert(words.begin(), "import");
  return gdsim_output(words);
}

}  // namespace

TEST_CASE("an imported scenario passes `gdsim check`, for kernels of each vendor") {
  const TemporaryFolder folder;
  const std::string ze_info =
      "kernels:\n  - name: k\n    execution_env:\n      grf_count: 256\n      simd_size: 16\n      slm_size: 4096\n"
      "      barrier_count: 1\n";
  const std::string zebin = folder.write("k.bin", zebin_of(ze_info, 12, 60));
  const std::vector<std::pair<std::string, std::string>> calls{{fixture_path("corpus.fatbin"), "rtx-a6000"},
                                                               {fixture_path("corpus.fatbin"), "t4"},
                                                               {fixture_path("corpus.sm_75.ptxas.txt"), "t4"},
                                                               {fixture_path("small.host.o"), "h100-sxm"},
                                                               {fixture_path("amd.bundle"), "mi210"},
                                                               {fixture_path("amd.gfx1030.s"), "rx-6900-xt"},
                                                               {zebin, "max-1550"}};
  for (const auto& [file, device] : calls) {
    INFO(file << " " << device);
    const std::string scenario = (folder.path() / "s.yaml").string();
    const Ran ran = run_gdsim(
        {"import", file, "--device", device, "--kernel", "scale|tile_sum<float|small|plain|with|^k$", "-o", scenario});
    INFO(ran.err);
    CHECK(ran.status == 0);
    CHECK(ran.out.empty());
    const Ran checked = run_gdsim({"check", scenario});
    INFO(checked.out << checked.err);
    CHECK(checked.status == 0);
  }
}

TEST_CASE("a kernel of a scenario carries what the compiler wrote down, and where it comes from") {
  const std::string text = imported({fixture_path("corpus.sm_90.cubin"), "--device", "h100-sxm", "--kernel",
                                     "dynamic_beside", "--block", "128", "--grid", "264", "--shared", "2048"});
  CHECK_THAT(text, Contains("device: \"h100-sxm\"\n"));
  CHECK_THAT(text, Contains("  \"dynamic_beside_static\":\n    # dynamic_beside_static(float*)\n"
                            "    # _Z21dynamic_beside_staticPf, for sm_90, from "));
  CHECK_THAT(text, Contains("    # largest work-group: the device's; the file holds no launch bound\n"
                            "    # machine code, each instruction once: "));
  CHECK_THAT(text, Contains("    global: 33792  # 264 work-groups: --grid\n    local: 128\n    sub_group: 32\n"));
  CHECK_THAT(text, Contains("    slm: 2448 B  # 400 static, 2048 given at launch\n    barriers: 1\n"
                            "    program: placeholder\n"));
}

TEST_CASE("clusters, the large register file and launch bounds become keys and comments") {
  CHECK_THAT(imported({fixture_path("corpus.sm_90.cubin"), "--device", "h100-sxm", "--kernel", "cluster_of_2_by_2"}),
             Contains("    # largest work-group: 128, its launch bound\n") &&
                 Contains("    local: 128\n    cluster: 4  # 2 x 2 x 1\n"));
  const TemporaryFolder folder;
  const std::string info = folder.write(
      "k.ze_info", "kernels:\n  - name: k\n    execution_env:\n      grf_count: 256\n      simd_size: 16\n");
  CHECK_THAT(imported({info, "--device", "max-1550"}), Contains("    large_grf: true\n"));
}

TEST_CASE("`run` of an imported scenario shows occupancy and no duration") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write(
      "s.yaml", imported({fixture_path("corpus.sm_90.cubin"), "--device", "h100-sxm", "--kernel", "wide"}));
  const Ran ran = run_gdsim({"run", scenario});
  CHECK(ran.status == 0);
  CHECK_THAT(ran.out, Contains("completed without a duration: ") &&
                          Contains("is a placeholder. Occupancy shows what the device can hold") &&
                          !Contains("completed after") && !Contains("mean occupancy"));
  const auto summary = nlohmann::json::parse(run_gdsim({"run", scenario, "--print", "summary"}).out);
  CHECK_THAT(summary["notes"].dump(), Contains("placeholder"));
  CHECK_THAT(gdsim_refusal({"explain", scenario}), Contains("the program of a kernel is a placeholder"));
}

TEST_CASE("without --device, one architecture stands for its family, and several are listed") {
  CHECK_THAT(imported({fixture_path("corpus.sm_90.cubin"), "--kernel", "c_linkage"}), Contains("device: \"cc-9.0\"\n"));
  CHECK_THAT(gdsim_refusal({"import", fixture_path("corpus.fatbin")}),
             Contains("it is compiled for sm_100 (44 kernels), sm_120 (44 kernels), sm_75 (40 kernels)") &&
                 Contains("--device says which is meant"));
  CHECK_THAT(gdsim_refusal({"import", fixture_path("amd.bundle"), "--device", "a100-80gb"}),
             Contains("nothing in it runs on a100-80gb"));
}

TEST_CASE("spills and stack are warned of, with their traffic") {
  const Ran ran = run_gdsim(
      {"import", fixture_path("corpus.sm_90.ptxas.txt"), "--device", "h100-sxm", "--kernel", "spills_24|caller"});
  CHECK(ran.status == 0);
  CHECK_THAT(ran.err, Contains("spills_24: registers are spilled: ") &&
                          Contains("B of traffic per work-group of 256") &&
                          Contains("caller: a stack of 64 B per work-item"));
  CHECK_THAT(ran.out, Contains("    # WARNING: registers are spilled: "));
}

TEST_CASE("what the compiler spilled is in the scenario, of each thread, if the device has memory") {
  const std::string ptxas = fixture_path("corpus.sm_80.ptxas.txt");
  // 324 B stored and 324 B loaded by each of 32 work-items.
  const std::string scenario = imported({ptxas, "--device", "a100-80gb", "--kernel", "spills_24"});
  CHECK_THAT(scenario, Contains("    spill: {bytes: 10368 B, accesses: 2}"));
  const TemporaryFolder folder;
  CHECK(run_gdsim({"run", folder.write("s.yaml", scenario)}).status == 0);
  CHECK_THAT(imported({fixture_path("amd.gfx90a.s"), "--device", "mi210", "--kernel", "spills"}),
             Contains("    spill: {bytes: 5120 B, accesses: 2}"));  // 20 registers of 64 work-items
  const auto spilling = [&](const std::string& stores, const std::string& loads) {
    const std::string text =
        std::regex_replace(read_file(ptxas), std::regex("324 bytes spill stores, 324 bytes spill loads"),
                           stores + " bytes spill stores, " + loads + " bytes spill loads");
    return imported({folder.write("k.ptxas.txt", text), "--device", "a100-80gb", "--kernel", "spills_24"});
  };
  CHECK_THAT(spilling("100", "164"), Contains("    spill: {bytes: 4224 B, accesses: 2}"));
  CHECK_THAT(spilling("0", "64"), Contains("    spill: {bytes: 1024 B, accesses: 2}"));
  CHECK_THAT(imported({ptxas, "--device", "cc-8.0", "--kernel", "spills_24"}), !Contains("spill:"));
  CHECK_THAT(imported({ptxas, "--device", "a100-80gb", "--kernel", "unspilled"}), !Contains("spill:"));
}

TEST_CASE("a block that kernels were not compiled for is refused, all of them at once") {
  CHECK_THAT(gdsim_refusal({"import", fixture_path("corpus.sm_90.cubin"), "--device", "h100-sxm", "--kernel", "bound_",
                            "--block", "128"}),
             Contains("bound_96(float*): --block 128 cannot be launched; allowed: 96, its launch bound") &&
                 Contains("bound_32(float*): --block 128 cannot be launched"));
}

TEST_CASE("what the device has not enough of is refused") {
  CHECK_THAT(gdsim_refusal({"import", fixture_path("corpus.sm_90.cubin"), "--device", "h100-sxm", "--kernel",
                            "c_linkage", "--shared", "300 KiB"}),
             Contains("corpus.sm_90.cubin: error: c_linkage: "));
}

TEST_CASE("the scenario takes the place of no file that was read") {
  const TemporaryFolder folder;
  const std::string input = folder.write("k.yaml", read_file(fixture_path("corpus.sm_75.ptxas.txt")));
  CHECK_THAT(gdsim_refusal({"import", input, "-o", input}), Contains("would take the place of"));
  CHECK(read_file(input) == read_file(fixture_path("corpus.sm_75.ptxas.txt")));
  CHECK_THAT(gdsim_refusal({"import", input, "-o", (folder.path() / "s.json").string()}),
             Contains("'.json' is not written here"));
}

TEST_CASE("problems of all files are reported at once") {
  const TemporaryFolder folder;
  const std::string a = folder.write("a.cubin", read_file(fixture_path("corpus.sm_75.cubin")).substr(0, 5000));
  const std::string b = folder.write("b.txt", "nothing");
  CHECK_THAT(gdsim_refusal({"import", a, b, "--device", "t4"}),
             Contains("a.cubin: error: at byte ") && Contains("b.txt: error: is not in a format that gdsim reads"));
}

TEST_CASE("numbers of options are whole, positive and bounded") {
  const std::string file = fixture_path("corpus.sm_75.cubin");
  CHECK_THAT(gdsim_refusal({"import", file, "--block", "0"}), Contains("--block is '0'; a whole number from 1 to"));
  CHECK_THAT(gdsim_refusal({"import", file, "--grid", "1e9"}), Contains("--grid is '1e9'"));
  CHECK_THAT(gdsim_refusal({"import", file, "--shared", "many"}), Contains("--shared: 'many'"));
  CHECK_THAT(gdsim_refusal({"import"}), Contains("import needs at least one file"));
}

TEST_CASE("`occupancy FILE` answers for every kernel, one row each") {
  const std::string file = fixture_path("corpus.sm_90.cubin");
  const Ran csv = run_gdsim({"occupancy", file, "--device", "h100-sxm", "--format", "csv"});
  CHECK(csv.status == 0);
  CHECK_THAT(csv.out, StartsWith("kernel,symbol,target,local,registers,slm_bytes,status,threads_per_work_group,"));
  CHECK(std::count(csv.out.begin(), csv.out.end(), '\n') == 45);
  const auto json =
      nlohmann::json::parse(run_gdsim({"occupancy", file, "--device", "h100-sxm", "--format", "json"}).out);
  CHECK(json["kernels"].size() == 44);
  const Ran text = run_gdsim({"occupancy", file, "--device", "h100-sxm", "--kernel", "bounded_dot"});
  CHECK_THAT(text.out, Contains("bounded_dot<64>") && Contains("bounded_dot<256>") && Contains("limited by"));
}

TEST_CASE("`occupancy FILE` says of a kernel what the calculator says of its numbers") {
  const auto answer =
      nlohmann::json::parse(run_gdsim({"occupancy", fixture_path("corpus.sm_90.cubin"), "--device", "h100-sxm",
                                       "--kernel", "tile_sum<float, 1000>", "--format", "json"})
                                .out)["kernels"][0];
  const std::string registers = std::to_string(answer["registers"].get<int>());
  const auto direct =
      nlohmann::json::parse(run_gdsim({"occupancy", "--device", "h100-sxm", "--local", "256", "--registers", registers,
                                       "--slm", "4000 B", "--barriers", "1", "--format", "json"})
                                .out);
  CHECK(answer["slm_bytes"] == 4000);
  CHECK(answer["work_groups_per_core"] == direct["work_groups_per_core"]);
  CHECK(answer["occupancy_percent"] == direct["occupancy_percent"]);
}

TEST_CASE("`occupancy FILE --vary local` has every size that each kernel allows") {
  const Ran ran = run_gdsim({"occupancy", fixture_path("corpus.sm_90.cubin"), "--device", "h100-sxm", "--kernel",
                             "bound_96|block_of_128", "--vary", "local", "--format", "csv"});
  CHECK(ran.status == 0);
  CHECK_THAT(ran.out,
             Contains(",sm_90,32,") && Contains(",sm_90,64,") && Contains(",sm_90,96,") && !Contains(",sm_90,160,"));
  CHECK(std::count(ran.out.begin(), ran.out.end(), '\n') == 1 + 3 + 1);
}

TEST_CASE("options whose values a file gives itself are refused beside it") {
  const std::string file = fixture_path("corpus.sm_90.cubin");
  CHECK_THAT(gdsim_refusal({"occupancy", file, "--device", "h100-sxm", "--registers", "32"}),
             Contains("--registers does not go with a file of compiled kernels"));
  CHECK_THAT(gdsim_refusal({"occupancy", file, "--device", "h100-sxm", "--vary", "registers"}),
             Contains("known: local"));
  CHECK_THAT(gdsim_refusal({"occupancy", "--device", "h100-sxm", "--local", "32", "--kernel", "x"}),
             Contains("name one"));
  CHECK_THAT(gdsim_refusal({"occupancy", "256", "--device", "h100-sxm"}),
             Contains("'256' is not expected: there is no such"));
}

TEST_CASE("of a placeholder, no time can be expected") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write(
      "s.yaml",
      "scenario: s\ndevice: tiny\nkernels: {k: {global: 8, local: 8, sub_group: 8, program: placeholder}}\n"
      "launches: [{kernel: k}]\nexpect:\n  - duration: 1 ms\n  - peak_occupancy: 50\n");
  const Ran ran = run_gdsim({"check", scenario});
  CHECK(ran.status == 2);
  CHECK_THAT(ran.out + ran.err, Contains("duration: the program of 'k' is a placeholder"));
}

TEST_CASE("a placeholder is the only word that a program may be") {
  const TemporaryFolder folder;
  const auto with_program = [&](const std::string& program) {
    return folder.write(
        "s.yaml", "scenario: s\ndevice: tiny\nkernels: {k: {global: 8, local: 8, sub_group: 8, program: " + program +
                      "}}\nlaunches: [{kernel: k}]\n");
  };
  CHECK(run_gdsim({"run", with_program("placeholder")}).status == 0);
  CHECK(run_gdsim({"run", with_program("unknown")}).status == 2);
}

namespace {

/// Remarks of hipcc on one kernel, in the order and with the words of clang.
std::string remarks(const std::string& name, unsigned registers, unsigned accumulation, const std::string& before,
                    const std::string& between) {
  const std::string end = " [-Rpass-analysis=kernel-resource-usage]\n";
  const std::vector<std::string> lines{"Function Name: " + name,
                                       "    TotalSGPRs: 92",
                                       "    VGPRs: " + std::to_string(registers),
                                       "    AGPRs: " + std::to_string(accumulation),
                                       "    ScratchSize [bytes/lane]: 12",
                                       "    Dynamic Stack: False",
                                       "    Occupancy [waves/SIMD]: 4",
                                       "    SGPRs Spill: 0",
                                       "    VGPRs Spill: 14",
                                       "    LDS Size [bytes/block]: 4096"};
  std::string text = "warning: something else\n";
  for (const std::string& line : lines) text += before + line + (between.empty() ? "\n" : end) + between;
  return text;
}

}  // namespace

TEST_CASE("remarks of hipcc on resources answer as `ptxas -v` does, with the waves that the compiler counts itself") {
  const TemporaryFolder folder;
  const std::string of_clang =
      remarks("_Z4attnPf", 63, 64, "a.hip:9:1: remark: ", "    9 | __global__ void attn\n      | ^\n");
  const std::string of_linker = remarks("_Z4attnPf", 63, 64, "remark: a.hip:9:1: ", "");
  for (const std::string& text : {of_clang, of_linker}) {
    const std::string file = folder.write("build.log", text);
    const Ran ran = run_gdsim({"import", file, "--device", "mi210"});
    INFO(ran.err);
    REQUIRE(ran.status == 0);
    CHECK_THAT(ran.out, Contains("registers: 63\n    accumulation_registers: 64\n    scalar_registers: 92\n") &&
                            Contains("slm: 4096 B") && Contains("sub_group: 64"));
    CHECK_THAT(ran.err, Contains("registers are spilled") || Contains("spill"));
    // 64 + 64 of 512 registers: four waves per SIMD, of eight.
    CHECK_THAT(gdsim_output({"occupancy", file, "--device", "mi210", "--format", "csv"}), Contains(",16,50.0000,"));
    CHECK_THAT(gdsim_refusal({"import", file}),
               Contains("compiled for amd, not named (1 kernel); --device says which is meant, as in --device mi300x"));
  }
}

TEST_CASE("hipcc's remarks on a function that is no kernel are left out, and those cut off or unresolved are refused") {
  const TemporaryFolder folder;
  const std::string kernel = remarks("k", 40, 0, "a.hip:9:1: remark: ", "");
  std::string function = remarks("f", 99, 0, "a.hip:2:1: remark: ", "");
  function.erase(function.rfind("a.hip:2:1"));
  CHECK_THAT(imported({folder.write("a.txt", function + kernel), "--device", "mi300x"}),
             Contains("1 kernel of") && Contains("registers: 40"));
  CHECK_THAT(gdsim_refusal(
                 {"import", folder.write("b.txt", kernel.substr(0, kernel.find("    AGPRs"))), "--device", "mi300x"}),
             Contains("the remarks on k lack `VGPRs: N` or `VGPRs Spill: N`"));
  std::string symbolic = kernel;
  symbolic.replace(symbolic.find("VGPRs: 40"), 9, "VGPRs: k.num_vgpr");
  CHECK_THAT(gdsim_refusal({"import", folder.write("c.txt", symbolic), "--device", "mi300x"}),
             Contains("c.txt:4:1: error: VGPRs: is needed with a whole number, and 'k.num_vgpr' is none"));
  CHECK_THAT(imported({folder.write("d.txt", kernel + kernel), "--device", "mi300x"}), Contains("1 kernel of"));
  CHECK_THAT(gdsim_refusal({"import", folder.write("e.txt", kernel + remarks("k", 48, 0, "a.hip:9:1: remark: ", "")),
                            "--device", "mi300x"}),
             Contains("is described before, with other numbers") && Contains("--offload-arch=gfx942"));
}

TEST_CASE("hipcc's remarks do not say how wide waves are: 32 work-items on RDNA, which is said") {
  const TemporaryFolder folder;
  const Ran ran = run_gdsim(
      {"import", folder.write("a.txt", remarks("k", 40, 0, "a.hip:9:1: remark: ", "")), "--device", "rx-7900-xtx"});
  INFO(ran.err);
  REQUIRE(ran.status == 0);
  CHECK_THAT(ran.out, Contains("sub_group: 32"));
  CHECK_THAT(ran.err, Contains("note: 1 kernel: waves of 32 work-items are assumed"));
  CHECK_THAT(ran.out, Contains("# 1 kernel: waves of 32 work-items are assumed, hipcc's default"));
}

TEST_CASE("a report of ptxas for a compute capability without a model names the nearest, and what to write") {
  const TemporaryFolder folder;
  const auto report = [&](const std::string& target) {
    return folder.write(target + ".txt", "ptxas info    : Compiling entry function 'k' for '" + target +
                                             "'\nptxas info    : Used 40 registers, 1024 bytes smem\n");
  };
  CHECK_THAT(gdsim_refusal({"import", report("sm_88")}),
             Contains("sm_88.txt: error: it is compiled for sm_88, and there is no model of cc-8.8") &&
                 Contains("write --device cc-8.9, or name a file") && Contains("`{base: cc-8.9, cores: "));
  CHECK(run_gdsim({"import", report("sm_88"), "--device", "cc-8.9"}).status == 0);
  const std::string older = gdsim_refusal({"import", report("sm_62")});
  CHECK_THAT(older, Contains("no model of cc-6.2, and such code runs on no other") &&
                        Contains("gdsim occupancy --device cc-6.1 --local 256 --registers 40 --slm 1024B"));
  CHECK(
      run_gdsim({"occupancy", "--device", "cc-6.1", "--local", "256", "--registers", "40", "--slm", "1024B"}).status ==
      0);
}
