#include "import/gcn/gcn_code.hpp"

#include <catch2/catch.hpp>

#include <string>

// Loops, caches and pairs of AMDGPU assembly. Counts are those of the assembly, by hand.

using namespace gdsim;
using namespace gdsim::testing;
using Catch::Matchers::Contains;

namespace {

/// A load of a word of each work-item at the argument's address.
const std::string kWordAddresses =
    "\ts_load_dwordx2 s[4:5], s[0:1], 0x0\n\ts_waitcnt lgkmcnt(0)\n\tv_lshlrev_b32_e32 v1, 2, v0\n";

/// Loads words at v1 in eight iterations, and adds `stride` bytes to v1 after each.
std::string loads_in_a_loop(const std::string& stride) {
  return kWordAddresses + "\ts_mov_b32 s8, 8\n.L1:\n\tglobal_load_dword v3, v1, s[4:5]\n\tv_add_u32_e32 v1, " + stride +
         ", v1\n\ts_sub_u32 s8, s8, 1\n\ts_waitcnt vmcnt(0)\n\ts_cmp_lg_u32 s8, 0\n\ts_cbranch_scc1 .L1\n";
}

/// A loop of four iterations whose condition, which this code precedes, stands last: a jump to it enters the loop.
std::string loop_with_last_condition(const std::string& body, const std::string& before_condition = {}) {
  return kWordAddresses + "\ts_mov_b32 s8, 4\n\ts_branch .L2\n.L1:\n" + body + "\ts_sub_u32 s8, s8, 1\n.L2:\n" +
         before_condition + "\ts_cmp_lg_u32 s8, 0\n\ts_cbranch_scc1 .L1\n";
}

/// Returns true if the text has these parts, each behind the one before.
bool has_in_turn(const std::string& text, const Words& parts) {
  std::size_t at = 0;
  for (const std::string& part : parts) {
    at = text.find(part, at);
    if (at == std::string::npos) return false;
    at += part.size();
  }
  return true;
}

}  // namespace

TEST_CASE("a loop on AMD whose condition stands last executes its body once less than the condition") {
  const std::string barrier = gcn_output(loop_with_last_condition("\tv_rcp_f32 v4, v4\n\ts_barrier\n"));
  CHECK(has_in_turn(barrier, {"        count: 4\n", "- issue: {sfu: 1}", "- barrier"}));
  const std::string atomic = gcn_output(loop_with_last_condition("\tglobal_atomic_add v1, v3, s[4:5]\n"));
  CHECK(has_in_turn(atomic, {"        count: 4\n", "- atomic: {accesses: 1, addresses: 64"}));
  const std::string loads = gcn_output(loop_with_last_condition(
      "\tglobal_load_dword v3, v1, s[4:5]\n\tv_add_u32_e32 v1, 0x100, v1\n\ts_waitcnt vmcnt(0)\n"));
  CHECK(has_in_turn(loads, {"        count: 4\n", "bytes: 256 B", "global_load_dword, lines: 4}"}));
  CHECK_THAT(loads, !Contains("L1 holds what they load"));
}

TEST_CASE("a trip count on AMD that is converted from a float is cut off, held in range, and 0 if it is no number") {
  const auto trips = [](const std::string& value, const std::string& more) {
    return gcn_output(kWordAddresses + "\tv_mov_b32_e32 v3, " + value +
                      "\n\tv_cvt_i32_f32_e32 v3, v3\n\tv_readfirstlane_b32 s8, v3\n\ts_add_u32 s8, s8, " + more +
                      "\n.L1:\n\tv_rcp_f32 v4, v4\n\ts_sub_u32 s8, s8, 1\n\ts_cmp_lg_u32 s8, 0\n"
                      "\ts_cbranch_scc1 .L1\n");
  };
  CHECK_THAT(trips("0x411b3333", "0"), Contains("count: 9\n"));           // 9.7
  CHECK_THAT(trips("0xc0200000", "5"), Contains("count: 3\n"));           // -2.5
  CHECK_THAT(trips("0x4f32d05e", "0x80000008"), Contains("count: 7\n"));  // 3e9, more than 2^31 - 1
  CHECK_THAT(trips("0xcf32d05e", "0x80000004"), Contains("count: 4\n"));  // -3e9
  CHECK_THAT(trips("0x7fc00000", "6"), Contains("count: 6\n"));           // no number
}

TEST_CASE("what precedes the last condition of a loop on AMD is executed before the loop and in it") {
  // Five barriers and square roots, four reciprocals.
  const std::string text =
      gcn_output(loop_with_last_condition("\tv_rcp_f32 v4, v4\n", "\ts_barrier\n\tv_sqrt_f32 v5, v5\n"));
  CHECK(has_in_turn(text, {"- barrier", "- issue: {sfu: 1}", "- loop:", "count: 4\n", "- issue: {sfu: 1}", "- barrier",
                           "- issue: {sfu: 1}"}));
  CHECK_THAT(text, !Contains("is spread evenly"));
  // Only the first of the five loads of the same line waits.
  const std::string load = gcn_output(
      loop_with_last_condition("\tv_rcp_f32 v4, v4\n", "\tglobal_load_dword v3, v1, s[4:5]\n\ts_waitcnt vmcnt(0)\n"));
  CHECK(has_in_turn(load, {"bytes: 256 B", "- wait_memory", "L1 holds what they load", "count: 4\n"}));
}

TEST_CASE("a loop on AMD whose last condition is never true has no body") {
  const std::string text = gcn_output(replaced_everywhere(
      loop_with_last_condition("\tv_rcp_f32 v4, v4\n", "\tv_add_f32 v5, v5, v5\n"), "s8, 4", "s8, 0"));
  CHECK_THAT(text, Contains("- issue: {fp32: 1}") && !Contains("- loop:") && !Contains("sfu: 1"));
}

TEST_CASE("a loop on AMD whose last condition depends on data repeats as often as --trips says") {
  const std::string code =
      replaced_everywhere(loop_with_last_condition("\tv_rcp_f32 v4, v4\n", "\ts_load_dword s9, s[4:5], 0x0\n"),
                          "s_cmp_lg_u32 s8", "s_cmp_lg_u32 s9");
  CHECK_THAT(gcn_refusal(code), Contains("how often this loop is repeated") && Contains("say so: --trips .L1=64"));
  const TemporaryFolder folder;
  for (const std::string& label : Words{".L1", ".L2"})
    CHECK(has_in_turn(gdsim_output(import_of(folder, code_with(code), {"--trips", label + "=5"})),
                      {"        count: 5\n", "- issue: {sfu: 1}"}));
}

TEST_CASE("bytes on AMD at unknown addresses are loaded from the last level by each work-group") {
  // Of 256 B of known loads, 1024 B of gathered ones and 256 B of stores, four work-groups share those that are known.
  const TemporaryFolder folder;
  const std::string code =
      code_with(kWordAddresses +
                "\tglobal_load_dword v3, v1, s[4:5]\n\ts_waitcnt vmcnt(0)\n\tglobal_load_dword v3, v3, s[4:5]\n");
  CHECK_THAT(gdsim_output(import_of(folder, code, {"--gather", "32"})),
             Contains("L2 serves 25.0 % of what leaves L1: so much of it 4 work-groups ask for together"));
  // A warm cache holds no more than its 8 MiB of what 100000 work-groups gather.
  CHECK_THAT(gdsim_output(import_of(folder, code, {"--gather", "32", "--warm"}, "100000")),
             !Contains("L2 serves 100.0 %") && Contains("so much of it is there before the launch (--warm)"));
}

TEST_CASE("a loop on AMD that is entered in its middle is repeated as often as its head") {
  // The jump over .L1 enters at .L2, which five iterations pass, .L3 runs three times in each. Nothing jumps to .L0.
  const std::string text = gcn_output(
      "\ts_mov_b32 s8, 0\n\ts_cmp_eq_u32 s8, 1\n\ts_branch .L2\n.L0:\n\tv_mov_b32_e32 v3, 0\n.L1:\n\ts_add_i32 s8, s8, "
      "1\n"
      "\ts_cmp_eq_u32 s8, 5\n\ts_cbranch_scc1 .L4\n.L2:\n\ts_cmp_eq_u32 s8, 9\n\ts_cbranch_scc1 .L0\n\ts_mov_b32 s9, "
      "3\n"
      ".L3:\n\tv_rcp_f32 v4, v4\n\ts_sub_u32 s9, s9, 1\n\ts_cmp_lg_u32 s9, 0\n\ts_cbranch_scc1 .L3\n\ts_branch "
      ".L1\n.L4:\n");
  CHECK_THAT(text, Contains("        count: 5\n") && Contains("              count: 3\n"));
  CHECK_THAT(text, Contains("- issue: {sfu: 1}"));
}

TEST_CASE("iterations on AMD whose lines L1 holds do not wait for memory") {
  // A wave loads 4 lines of 64 B. With a stride of a line, 3 of the 4 lines of the next iteration are there, and each
  // waits for the other one; with no stride, only the first of eight iterations waits.
  const std::string ahead = gcn_output(loads_in_a_loop("64"));
  CHECK_THAT(ahead, Contains("        count: 8\n") && !Contains("L1 holds what they load"));
  const std::string again = gcn_output(loads_in_a_loop("0"));
  CHECK_THAT(again, Contains("        count: 1\n") && Contains("              count: 7\n"));
  CHECK_THAT(again, Contains("- memory: {bytes: 256 B, asynchronous: true}") && Contains("L1 holds what they load"));
}

TEST_CASE("L1 of a CU on AMD is for as many work-groups as there are for each") {
  // An MI210 has 16 KiB, 256 lines of 64 B, and 104 CUs: the grid of 4 leaves one work-group on a CU, 208 leave two.
  const TemporaryFolder folder;
  const std::string code = code_with(loads_in_a_loop("64"));
  CHECK_THAT(gdsim_output(import_of(folder, code)), Contains("ASSUMED: L1 holds 256 lines of 64 B"));
  CHECK_THAT(gdsim_output(import_of(folder, code, {}, "208")), Contains("ASSUMED: L1 holds 128 lines of 64 B"));
}

TEST_CASE("a warm cache on AMD serves what it holds") {
  const TemporaryFolder folder;
  const std::string code = code_with(kWordAddresses + "\tglobal_load_dword v3, v1, s[4:5]\n\ts_waitcnt vmcnt(0)\n");
  const std::string text = gdsim_output(import_of(folder, code, {"--warm"}));
  // Half of what leaves L1 are loads; the other half are stores.
  CHECK_THAT(text, Contains("ASSUMED: --warm") && Contains("L2 serves") && Contains("(--warm)"));
  CHECK_THAT(gdsim_output(import_of(folder, code)), !Contains("(--warm)"));
}

TEST_CASE("the bound of a cache on AMD counts what is loaded and what is stored") {
  // Loads of 256 B take in L2 as long as stores of 256 B: twice the stores alone.
  const std::string stores = kWordAddresses;
  CHECK_THAT(gcn_output(stores), Contains("about 2.179e-07 ms, 0.3704 cycles: L2, L1 empty"));
  CHECK_THAT(gcn_output(stores + "\tglobal_load_dword v3, v1, s[4:5]\n\ts_waitcnt vmcnt(0)\n"),
             Contains("about 4.357e-07 ms, 0.7408 cycles: L2, L1 empty"));
}

TEST_CASE("a pair of words on AMD is moved as op_sel says, and a mode register keeps scc") {
  // v[2:3] becomes the low word of v[0:1] and the high word of s[6:7], which is 0: addresses are known.
  const std::string moved =
      kWordAddresses +
      "\ts_mov_b64 s[6:7], 0\n\tv_mov_b32_e32 v0, v1\n\tv_pk_mov_b32 v[2:3], v[0:1], s[6:7] op_sel:[0,1]\n"
      "\tglobal_load_dword v5, v2, s[4:5]\n\tv_lshlrev_b32_e32 v6, 7, v3\n\tglobal_load_dword v5, v6, s[4:5]\n";
  const std::string text = gcn_output(moved);
  CHECK_THAT(text, Contains("1 requests per wave: 4 lines") && Contains("1 requests per wave: 1 lines"));
  CHECK_THAT(gcn_output("\ts_mov_b32 s8, 2\n.L1:\n\tv_rcp_f32 v4, v4\n\ts_sub_u32 s8, s8, 1\n\ts_cmp_lg_u32 s8, 0\n"
                        "\ts_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 3\n\ts_cbranch_scc1 .L1\n"),
             Contains("        count: 2\n"));
}
