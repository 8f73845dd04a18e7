#include "import/binaries.hpp"
#include "import/gcn/gcn_code.hpp"
#include "support/builders.hpp"

#include <catch2/catch.hpp>

#include <regex>
#include <string>

// `gdsim import FILE.s --program` of AMDGPU assembly. Counts are those of the assembly, by hand.

using namespace gdsim;
using namespace gdsim::testing;
using Catch::Matchers::Contains;

namespace {

Words words_for(const std::string& kernel, const Words& more, const std::string& target = "gfx90a",
                const std::string& device = "mi210") {
  Words words{"import", fixture_path("gcn." + target + ".s"), "--program", "--kernel", "^" + kernel + "$", "--device",
              device};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// The fixture with a line of the kernel `add` replaced.
std::string add_with(const TemporaryFolder& folder, const std::string& before, const std::string& after) {
  std::string text = read_file(fixture_path("gcn.gfx90a.s"));
  const std::size_t at = text.find(before);
  REQUIRE(at != std::string::npos);
  return folder.write("k.s", text.replace(at, before.size(), after));
}

}  // namespace

TEST_CASE("a sum of vectors on AMD issues, loads, waits and stores what its assembly does") {
  const std::string text = gdsim_output(words_for("add", {"--grid", "64", "--block", "256", "--arg", "3=16384"}));
  // 13 vector instructions on integers, one on floats; two loads and a store of 64 x 4 B, in lines of 64 B.
  CHECK_THAT(text, Contains("- memory: {bytes: 512 B, asynchronous: true}"));
  CHECK_THAT(text, Contains("          int32: 13\n          l1:\n") && Contains("          fp32: 1\n"));
  CHECK_THAT(text, Contains("instruction: global_load_dword, lines: 4}") &&
                       Contains("instruction: global_store_dword, lines: 4}"));
  CHECK_THAT(text, Contains("- wait_memory: {outstanding: 0}") && Contains("- store: {bytes: 256 B}"));
  CHECK_THAT(text, Contains("    in_flight: 512 B") && Contains("    sub_group: 64\n"));
  CHECK_THAT(text, Contains("steps and amounts are those of AMDGPU assembly"));
}

TEST_CASE("a sum of vectors moves and adds as much from AMDGPU assembly as from PTX") {
  const TemporaryFolder folder;
  const std::string ptx = folder.write(
      "add.ptx",
      ".version 8.0\n.target sm_86\n.address_size 64\n.visible .entry add(.param .u64 a, .param .u64 b, .param .u64 c, "
      ".param .u32 n) {\nld.param.u64 %rd0, [a];\nld.param.u64 %rd1, [b];\nld.param.u64 %rd2, [c];\n"
      "ld.param.u32 %n, [n];\nmov.u32 %g, %ctaid.x;\nmov.u32 %b, %ntid.x;\nmov.u32 %t, %tid.x;\n"
      "mad.lo.s32 %i, %g, %b, %t;\nsetp.ge.s32 %p, %i, %n;\n@%p bra DONE;\nmul.wide.s32 %rd3, %i, 4;\n"
      "add.s64 %rd4, %rd0, %rd3;\nadd.s64 %rd5, %rd1, %rd3;\nadd.s64 %rd6, %rd2, %rd3;\nld.global.f32 %f0, [%rd4];\n"
      "ld.global.f32 %f1, [%rd5];\nadd.f32 %f2, %f0, %f1;\nst.global.f32 [%rd6], %f2;\nDONE:\nret;\n}\n");
  const Words launch{"--grid", "64", "--block", "256", "--arg", "3=16384"};
  Words of_ptx{"import", ptx, "--program", "--device", "rtx-a6000"};
  of_ptx.insert(of_ptx.end(), launch.begin(), launch.end());
  // A wave of 64 does what two warps do: 2 x 256 B are loaded, 2 x 128 B stored, each work-item adds once.
  CHECK_THAT(gdsim_output(of_ptx),
             Contains("- memory: 256 B") && Contains("- store: {bytes: 128 B") && Contains("fp32: 1"));
  CHECK_THAT(gdsim_output(words_for("add", launch)),
             Contains("- memory: {bytes: 512 B,") && Contains("- store: {bytes: 256 B}") && Contains("fp32: 1"));
}

TEST_CASE("waves beyond the end of a vector on AMD do nothing, and the last one a part of it") {
  const std::string text = gdsim_output(words_for("add", {"--grid", "1", "--block", "256", "--arg", "3=100"}));
  // The first wave stores 8 sectors of 32 B, the second one 5, for 36 work-items; the others only compare.
  CHECK_THAT(text, Contains("threads: 0-1\n") && Contains("threads: 2-3\n"));
  CHECK_THAT(text, Contains("- store: {bytes: 208 B}") && Contains("- issue: {int32: 2}"));
}

TEST_CASE("a matrix product on AMD has a loop with two barriers, LDS and two waits") {
  const std::string text = gdsim_output(words_for("product", {"--grid", "4,4", "--block", "16,16", "--arg", "3=64"}));
  CHECK_THAT(text, Contains("        count: 4\n"));
  // 16 multiply-adds of each work-item and tile; a wave has four rows of 16 floats of each matrix.
  CHECK_THAT(text, Contains("fp32: 16"));
  CHECK_THAT(text, Contains("- memory: {bytes: 256 B, asynchronous: true}"));
  CHECK_THAT(text, Contains("- wait_memory: {outstanding: 1}") && Contains("- wait_memory: {outstanding: 0}"));
  const auto count_of = [&](const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
  };
  CHECK(count_of("- barrier") == 2);
  // Eight reads of rows of B take a cycle each, four of four rows of A two.
  CHECK_THAT(text, Contains("12 accesses, 16 cycles of LDS banks") && Contains("1 accesses, 2 cycles of LDS banks"));
}

TEST_CASE("a reduction on AMD executes its tail for some waves only") {
  const std::string text = gdsim_output(words_for("reduce", {"--grid", "64", "--block", "256", "--arg", "2=65536"}));
  CHECK_THAT(text, Contains("        count: 4\n"));
  CHECK_THAT(text, Contains("threads: 0-1\n") && Contains("threads: 0\n"));
}

TEST_CASE("a loop on AMD repeats as often as an argument says, and without it the option is named") {
  const Words launch{"--grid", "64", "--block", "256", "--arg", "3=16384"};
  Words with_rows = launch;
  with_rows.insert(with_rows.end(), {"--arg", "2=40"});
  CHECK_THAT(gdsim_output(words_for("columns", with_rows)), Contains("count: 40\n"));
  CHECK_THAT(gdsim_refusal(words_for("columns", launch)), Contains("give its value: --arg 2=VALUE"));
}

TEST_CASE("a branch on AMD that depends on data needs an answer") {
  const Words launch{"--grid", "64", "--block", "256"};
  const std::string error = gdsim_refusal(words_for("positive", launch));
  CHECK_THAT(error, Contains("whether this branch is taken depends on what line ") &&
                        Contains("(global_load_dword) loads from memory; say so: --branch "));
  const std::size_t at = error.find("--branch ") + 9;
  const std::string line = error.substr(at, error.find('=', at) - at);
  Words skipped = launch;
  skipped.insert(skipped.end(), {"--branch", line + "=skipped"});
  CHECK_THAT(gdsim_output(words_for("positive", skipped)), Contains("sfu: 1") && Contains("- store: {bytes: 256 B}"));
  Words taken = launch;
  taken.insert(taken.end(), {"--branch", line + "=taken"});
  CHECK_THAT(gdsim_output(words_for("positive", taken)), !Contains("- store:"));
}

TEST_CASE("an address on AMD that depends on data needs a number of sectors") {
  const Words launch{"--grid", "64", "--block", "256"};
  CHECK_THAT(gdsim_refusal(words_for("gather", launch)), Contains("1 to 32: --gather 32"));
  Words given = launch;
  given.insert(given.end(), {"--gather", "32"});
  CHECK_THAT(gdsim_output(words_for("gather", given)), Contains("- memory: {bytes: 1024 B, asynchronous: true}"));
}

TEST_CASE("a loop on AMD whose lanes leave by data repeats as often as --trips says") {
  const Words launch{"--grid", "64", "--block", "256", "--gather", "8"};
  const std::string error = gdsim_refusal(words_for("chase", launch));
  CHECK_THAT(error, Contains("how often this loop is repeated depends on what line "));
  const std::size_t at = error.find("--trips ") + 8;
  Words given = launch;
  given.insert(given.end(), {"--trips", error.substr(at, error.find('=', at) - at) + "=7"});
  CHECK_THAT(gdsim_output(words_for("chase", given)), Contains("count: 7\n") && Contains("- store: {bytes: 256 B}"));
}

TEST_CASE("atomic accesses on AMD go to as many addresses as the work-groups that run at once share") {
  CHECK_THAT(gdsim_output(words_for("histogram", {"--grid", "64", "--block", "256"})),
             Contains("- atomic: {accesses: 1, addresses: 16, space: global}"));
}

TEST_CASE("a division on AMD that addresses depend on is executed") {
  const std::string text = gdsim_output(words_for("modulo", {"--grid", "4", "--block", "256", "--arg", "2=32"}));
  // All four waves load the same 32 floats, two lines of 64 B, which L1 holds for three of them.
  CHECK_THAT(text, Contains("- memory: {bytes: 32 B, asynchronous: true}") &&
                       Contains("instruction: global_load_dword, lines: 2}"));
}

TEST_CASE("waves of 32 work-items on RDNA are executed as those of 64 are") {
  const std::string text = gdsim_output(
      words_for("product", {"--grid", "4,4", "--block", "16,16", "--arg", "3=64"}, "gfx1030", "rx-6900-xt"));
  CHECK_THAT(text, Contains("    sub_group: 32\n") && Contains("        count: 4\n"));
  // Waits for LDS separate the 16 multiply-adds of a tile.
  int multiply_adds = 0;
  const std::regex issued("fp32: ([0-9]+)");
  for (std::sregex_iterator at(text.begin(), text.end(), issued), end; at != end; ++at)
    multiply_adds += std::stoi((*at)[1]);
  CHECK(multiply_adds == 16);
}

TEST_CASE("an opcode on AMD of which nothing is known costs one slot, and what it computes is not known") {
  const TemporaryFolder folder;
  Words words = words_for("add", {"--grid", "64", "--block", "256", "--arg", "3=16384"});
  words[1] = add_with(folder, "v_add_f32_e32 v2, v6, v7", "v_frobnicate_f32 v2, v6, v7");
  CHECK_THAT(gdsim_output(words), Contains("fp32: 1"));
  words[1] = add_with(folder, "v_add_u32_e32 v0, s8, v0", "v_frobnicate_u32 v0, s8, v0");
  CHECK_THAT(gdsim_refusal(words),
             Contains("depends on what line ") && Contains("(v_frobnicate_u32) computes, which is not executed"));
}

TEST_CASE("an instruction on AMD that no step stands for is refused with its line") {
  const TemporaryFolder folder;
  Words words = words_for("add", {"--grid", "64", "--block", "256", "--arg", "3=16384"});
  words[1] = add_with(folder, "v_add_f32_e32 v2, v6, v7", "image_load v2, v[4:7], s[0:7]");
  CHECK_THAT(gdsim_refusal(words), Contains("image_load has no step that stands for it"));
}

TEST_CASE("arguments that the assembly's metadata does not allow are refused") {
  CHECK_THAT(gdsim_refusal(words_for("add", {"--grid", "1", "--block", "64", "--arg", "0=5"})),
             Contains("--arg 0=5: it is a pointer, and has an address of its own"));
  CHECK_THAT(gdsim_refusal(words_for("add", {"--grid", "1", "--block", "64", "--arg", "4=5"})),
             Contains("--arg 4=5: there is no such argument; those of add are 0 (8 B), 1 (8 B), 2 (8 B), 3 (4 B)"));
  CHECK_THAT(gdsim_refusal(words_for("add", {"--grid", "1", "--block", "64", "--arg", "3=99999999999"})),
             Contains("it does not fit into its 4 bytes"));
}

TEST_CASE("assembly for another target than the device's is refused, and so is a code object") {
  CHECK_THAT(gdsim_refusal(words_for("add", {"--grid", "1", "--block", "64", "--arg", "3=64"}, "gfx90a", "mi300x")),
             Contains("gcn.gfx90a.s: error: this assembly is for gfx90a, and does not run on mi300x"));
  CHECK_THAT(gdsim_refusal({"import", fixture_path("amd.gfx90a.co"), "--program", "--device", "mi210"}),
             Contains("hipcc makes assembly: hipcc --offload-arch=gfx90a"));
}

TEST_CASE("a program of AMDGPU assembly runs") {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "k.yaml").string();
  Words words = words_for("product", {"--grid", "4,4", "--block", "16,16", "--arg", "3=64", "-o", file});
  CHECK(run_gdsim(words).status == 0);
  CHECK(run_gdsim({"run", file}).status == 0);
}

// Hostile and unusual code. Each kernel `k` has a pointer and a number of 4 bytes, unless its arguments are given.

TEST_CASE("registers on AMD that do not exist, or too few of them, are refused with their line") {
  CHECK_THAT(gcn_refusal("\tv_lshlrev_b64 a511, 2, v[0:1]\n\tglobal_load_dword v5, a511, s[0:1]\n"),
             Contains("k.s:4:2: error: v_lshlrev_b64 writes a pair of vector registers, and 'a511' is none"));
  CHECK_THAT(gcn_refusal("\tv_mad_u64_u32 v511, s[8:9], v0, v0, v[0:1]\n\tglobal_load_dword v5, v511, s[0:1]\n"),
             Contains("writes a pair of vector registers, and 'v511' is none"));
  CHECK_THAT(gcn_refusal("\tv_mad_u64_u32 v[2:3], s8, v0, v0, v[0:1]\n\tglobal_load_dword v5, v2, s[0:1]\n"),
             Contains("writes a pair of scalar registers, and 's8' is none"));
  CHECK_THAT(gcn_refusal("\ts_load_dwordx4 v[0:3], s[0:1], 0x0\n\tglobal_load_dword v5, v0, s[0:1]\n"),
             Contains("s_load_dwordx4 writes a scalar register, and 'v[0:3]' is none"));
  CHECK_THAT(gcn_refusal("\ts_mov_b64 s[4:11], 7\n\tglobal_load_dword v3, v0, s[6:7]\n"),
             Contains("and 's[4:11]' is none of these"));
  for (const std::string name : {"v4000000000", "s200", "v[0:511]", "a512"})
    CHECK_THAT(gcn_refusal("\tv_mov_b32 " + name + ", 0\n"), Contains("k.s:4:1: error: '" + name + "' of v_mov_b32"));
  CHECK_THAT(gcn_refusal("\tds_read_b32 v4, v0 offset:9223372036854775807\n"), Contains("k.s:4:1: error: 'offset:"));
}

TEST_CASE("what on AMD is written to a register that is not followed does not go to s0") {
  CHECK_THAT(gcn_output("\ts_mov_b64 s[6:7], s[0:1]\n\ts_mov_b32 s0, 7\n\ts_and_b32 xnack_mask_lo, s0, 0\n"
                        "\ts_cmp_eq_u32 s0, 7\n\ts_mov_b64 s[0:1], s[6:7]\n" +
                        kRootIfZero),
             !Contains("sfu"));
}

TEST_CASE("a matrix on AMD without rows or columns has no step") {
  CHECK_THAT(gcn_refusal("\tv_mfma_f32_0x0x1f16 v[4:7], v0, v0, v[4:7]\n"), Contains("has no step that stands for it"));
}

TEST_CASE("a matrix instruction on AMD adds as many products as its shape and its blocks say, each time") {
  const std::string text = gcn_output(
      "\ts_mov_b32 s8, 3\n.L1:\n\tv_mfma_f32_16x16x16f16 v[4:7], v[0:1], v[2:3], v[4:7]\n\ts_sub_u32 s8, s8, 1\n"
      "\ts_cmp_lg_u32 s8, 0\n\ts_cbranch_scc1 .L1\n\tv_mfma_f32_4x4x4f16 v[4:7], v[0:1], v[2:3], v[4:7]\n");
  // 16^3, and of 4^3 as many as there are of 4 x 4 in 4 results of 64 work-items.
  CHECK_THAT(text, Contains("        count: 3\n") && Contains("- issue: {tensor_fp16: 4096}"));
  CHECK_THAT(text, Contains("tensor_fp16: 1024\n"));
}

TEST_CASE("arguments on AMD beyond a kernarg segment are refused") {
  CHECK_THAT(gcn_refusal({}, "      - .offset: 0\n        .size: 1000000000\n        .value_kind: hidden_grid_dims\n"),
             Contains("an argument of 1000000000 B at byte 0; a kernarg segment has at most 1048576 B"));
}

TEST_CASE("code on AMD with too many loops is refused in time") {
  std::string code;
  for (int i = 0; i < 20'000; ++i)
    code += ".L" + std::to_string(i) + ":\n\ts_cbranch_scc1 .L" + std::to_string(i) + "\n";
  CHECK_THAT(gcn_refusal(code), Contains("k has more than 1000 loops"));
}

TEST_CASE("labels on AMD without a dot are places in a kernel, and its code ends and is there once") {
  CHECK_THAT(gcn_output("\ts_movk_i32 s8, 0xa\nagain:\n\tv_add_f32 v3, v3, v3\n\ts_sub_u32 s8, s8, 1\n"
                        "\ts_cmp_lg_u32 s8, 0\n\ts_cbranch_scc1 again\n"),
             Contains("count: 10\n") && Contains("- store: {bytes: 256 B}"));
  CHECK_THAT(gcn_refusal("\tv_mov_b32 v1, v0\nk:\n"),
             Contains("k.s:5:1: error: k begins again; the first time in line 3"));
  const TemporaryFolder folder;
  CHECK_THAT(gdsim_refusal(import_of(folder, replaced_everywhere(code_with("\ts_nop 0\n"), "\ts_endpgm\n", ""))),
             Contains("the code goes on behind its last instruction; s_endpgm is missing"));
  CHECK_THAT(gcn_refusal("\ts_branch .Lx\n"), Contains("s_branch goes to '.Lx', which is no label of this kernel"));
}

TEST_CASE("scalar constants and fields on AMD have the widths that the ISA gives them") {
  CHECK_THAT(gcn_output("\ts_movk_i32 s8, 0xff9c\n\ts_cmpk_eq_i32 s8, 0xff9c\n" + kRootIfZero), !Contains("sfu"));
  CHECK_THAT(gcn_output("\ts_movk_i32 s9, 5\n\ts_bfe_u32 s9, s9, 0x200000\n\ts_cmp_eq_u32 s9, 5\n" + kRootIfZero),
             !Contains("sfu"));
  CHECK_THAT(gcn_output("\ts_mov_b64 exec, 0\n\tv_readfirstlane_b32 s9, v0\n\ts_mov_b64 exec, -1\n"
                        "\ts_cmp_eq_u32 s9, 0\n" +
                        kRootIfZero),
             !Contains("sfu"));
  CHECK_THAT(gcn_refusal("\ts_lshl1_add_u32 s9, s0, s1\n" + kRootIfZero), Contains("(s_lshl1_add_u32) computes"));
}

TEST_CASE("modifiers on AMD that change a value make it unknown") {
  for (const std::string modifier : {"clamp", "op_sel:[1,0]", "mul:2", "div:2"})
    CHECK_THAT(gcn_refusal("\tv_add_u32_e64 v1, 0, v0 " + modifier + "\n\tglobal_load_dword v5, v1, s[0:1]\n"),
               Contains("(v_add_u32) computes, which is not executed"));
}

TEST_CASE("loads from the 64th pointer on AMD are not loads of arguments") {
  std::string arguments;
  for (int i = 0; i < 64; ++i)
    arguments += "      - .address_space: global\n        .offset: " + std::to_string(8 * i) +
                 "\n        .size: 8\n        .value_kind: global_buffer\n";
  CHECK_THAT(gcn_refusal("\ts_load_dwordx2 s[8:9], s[0:1], 0x1f8\n\tv_mov_b32 v6, 0\n"
                         "\tglobal_load_dword v7, v6, s[8:9]\n\tglobal_load_dword v8, v7, s[8:9]\n",
                         arguments),
             Contains("depends on what line 6 (global_load_dword) loads from memory"));
}

TEST_CASE("waits on AMD count atomic accesses, and may be given as a number") {
  const std::string loads =
      "\ts_load_dwordx2 s[4:5], s[0:1], 0x0\n\tv_lshlrev_b32_e32 v1, 2, v0\n"
      "\tglobal_load_dword v3, v1, s[4:5]\n";
  CHECK_THAT(gcn_output(loads + "\tglobal_atomic_add v4, v1, v2, s[4:5] glc\n\ts_waitcnt vmcnt(1)\n"),
             Contains("- wait_memory: {outstanding: 0}  # line 8\n"));
  const std::string two = loads + "\tglobal_load_dword v4, v1, s[4:5] offset:4096\n";
  CHECK_THAT(gcn_output(two + "\ts_waitcnt 0xf71\n\tv_add_f32 v3, v3, v3\n\ts_waitcnt vmcnt(0)\n"),
             Contains("- wait_memory: {outstanding: 1}  # line 8\n") && Contains("- wait_memory: {outstanding: 0}"));
  CHECK_THAT(gcn_refusal("\ts_waitcnt lots\n"), Contains("k.s:4:1: error: 'lots' of s_waitcnt"));
}

TEST_CASE("an option for a structure on AMD gives four bytes, and refuses more") {
  const std::string arguments =
      "      - .address_space: global\n        .offset: 0\n        .size: 8\n"
      "        .value_kind: global_buffer\n      - .offset: 8\n        .size: 16\n"
      "        .value_kind: by_value\n";
  CHECK_THAT(gcn_refusal("\ts_nop 0\n", arguments, {"--arg", "1=5000000000"}),
             Contains("it does not fit into its 4 bytes") && Contains("--arg 1+4=VALUE"));
}

TEST_CASE("few work-groups on AMD that differ at the ends have no common program") {
  const std::string code =
      "\ts_cmp_eq_u32 s2, 0\n\ts_cbranch_scc1 .L2\n\ts_movk_i32 s8, 0x64\n.L1:\n\tv_add_f32 v3, v3, v3\n"
      "\ts_sub_u32 s8, s8, 1\n\ts_cmp_lg_u32 s8, 0\n\ts_cbranch_scc1 .L1\n.L2:\n";
  const TemporaryFolder folder;
  const Ran ran = run_gdsim(import_of(folder, code_with(code), {}, "2"));
  CHECK_THAT(ran.err, Contains("its work-groups differ"));
  CHECK_THAT(gdsim_output(import_of(folder, code_with(code), {}, "16")), Contains("ASSUMED: all work-groups do what"));
}

TEST_CASE("messages on AMD say what is the case", "[figures]") {
  CHECK_THAT(gcn_output("\ts_mov_b64 exec, 0\n\tglobal_load_dword v3, v0, s[0:1]\n\ts_mov_b64 exec, -1\n"),
             !Contains("spilled registers"));
  const std::string pointer =
      "      - .address_space: global\n        .offset: 0\n        .size: 8\n"
      "        .value_kind: global_buffer\n";
  CHECK_THAT(gcn_refusal(".L1:\n\ts_branch .L1\n", pointer), Contains("is this loop endless?") && !Contains("--arg"));
}

TEST_CASE("both halves of a dual instruction on RDNA read before either writes") {
  const std::string begin = "\ts_load_b64 s[4:5], s[0:1], 0x0\n\tv_and_b32_e32 v0, 0x3ff, v0\n\tv_mov_b32_e32 v1, 0\n";
  const std::string end = "\tglobal_load_b32 v5, v3, s[4:5]\n";
  // v3 becomes the old v0, 4 x lane, although the first half changes v0.
  CHECK_THAT(
      rdna_output(begin + "\tv_lshlrev_b32_e32 v0, 2, v0\n\tv_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v3, v0\n" + end),
      Contains("- memory: {bytes: 128 B,"));
  const std::string swap = "\tv_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v1, v0\n\tglobal_load_b32 v5, v1, s[4:5]\n";
  const TemporaryFolder folder;
  CHECK_THAT(gdsim_refusal(import_of(folder, rdna_code_with(begin + swap), {}, "4", "rx-7900-xtx")),
             Contains("(v_mov_b32) computes, which is not executed"));
  CHECK_THAT(rdna_output("\ts_load_b64 s[4:5], s[0:1], 0x0\n\tv_cmp_gt_u32_e32 vcc_lo, 16, v0\n"
                         "\tv_dual_cndmask_b32 v3, 0, v0 :: v_dual_mov_b32 v2, 0\n" +
                         end),
             Contains("global_load_b32"));
}
