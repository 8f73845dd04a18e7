#include "import/binaries.hpp"
#include "import/ptx/ptx_texts.hpp"
#include <gdsim/import/ptx/access_shape.hpp>
#include <gdsim/import/ptx/reader/read_ptx.hpp>
#include <gdsim/import/ptx/warp_run.hpp>

#include <catch2/catch.hpp>

// Addresses, branches and trip counts of warps, executed; what is loaded is unknown.

using namespace gdsim;
using namespace gdsim::testing;
using Catch::Matchers::Contains;

namespace {

const std::string kPointer = ".param .u64 p, .param .u32 n";
const std::string kBase =
    "ld.param.u64 %rd0, [p];\ncvta.to.global.u64 %rd1, %rd0;\nld.param.u32 %n, [n];\n"
    "mov.u32 %t, %tid.x;\n";  // lines 5 to 8

PtxLaunch launch_of(std::uint64_t block, std::uint64_t n = 64) {
  PtxLaunch launch;
  launch.block = {block, 1, 1};
  launch.arguments[{1, 0}] = n;
  return launch;
}

LaneValues spaced(std::uint64_t bytes) {
  LaneValues values = LaneValues::all(0);
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) values.bits[lane] = lane * bytes;
  return values;
}

}  // namespace

TEST_CASE("a request touches as many sectors as its lanes lie apart") {
  const auto sectors = [](const std::string& scale) {
    const Executed ran = executed(ptx_of(kPointer, kBase + "mul.wide.u32 %rd2, %t, " + scale +
                                                       ";\nadd.s64 %rd3, %rd1, %rd2;\n"
                                                       "ld.global.f32 %f1, [%rd3+4];\nret;\n"),
                                  launch_of(64));
    CHECK(ran.unresolved.empty());
    CHECK(ran.access_in_line(11).requests == 2);
    return ran.access_in_line(11).sectors;
  };
  CHECK(sectors("0") == 2);
  CHECK(sectors("4") == 2 * 5);  // begins 4 bytes into a sector
  CHECK(sectors("8") == 2 * 8);
  CHECK(sectors("4096") == 2 * 32);
}

TEST_CASE("L1 serves sectors that the work-group has loaded before") {
  const std::string text =
      ptx_of(kPointer, kBase + "ld.global.f32 %f1, [%rd1];\nld.global.cg.f32 %f2, [%rd1];\nret;\n");
  const Executed ran = executed(text, launch_of(128), 100);
  CHECK(ran.access_in_line(9).requests == 4);
  CHECK(ran.access_in_line(9).missed == 1);
  CHECK(ran.access_in_line(10).missed == 4);
}

TEST_CASE("a loop is repeated as its argument says, by the lanes that are still in it") {
  const std::string body = kBase +
                           "mov.u32 %i, 0;\nLOOP:\nadd.s32 %i, %i, 1;\nadd.s32 %s, %i, %t;\nsetp.lt.s32 %q, %s, %n;\n"
                           "@%q bra LOOP;\nret;\n";
  const Executed ran = executed(ptx_of(kPointer, body), launch_of(32, 40));
  CHECK(ran.unresolved.empty());
  REQUIRE(ran.log->loops.size() == 1);
  CHECK(ran.log->loops[0].entries == 1);
  CHECK(ran.log->loops[0].iterations == 40);  // of lane 0; the others end earlier
}

TEST_CASE("lanes of a divergent branch go separate ways and come together again") {
  const std::string body = kBase +
                           "setp.lt.u32 %q, %t, 8;\n@%q bra FEW;\nst.global.f32 [%rd1], %f1;\nbra.uni END;\n"
                           "FEW: st.global.f32 [%rd1], %f1;\nEND: st.global.f32 [%rd1], %f1;\nret;\n";
  const Executed ran = executed(ptx_of(kPointer, body), launch_of(32));
  CHECK(ran.access_in_line(11).lanes == 24);
  CHECK(ran.access_in_line(13).lanes == 8);
  CHECK(ran.access_in_line(14).lanes == 32);
  CHECK(ran.access_in_line(14).requests == 1);
}

TEST_CASE("what depends on data, or on an argument, is unresolved, with its line and its option") {
  const std::string load = kBase + "ld.global.u32 %x, [%rd1];\n";  // line 9
  const auto unresolved = [&](const std::string& rest, const PtxLaunch& launch) {
    return executed(ptx_of(kPointer, load + rest + "ret;\n"), launch).unresolved;
  };
  const std::string gather = "mul.wide.u32 %rd2, %x, 4;\nadd.s64 %rd3, %rd1, %rd2;\nld.global.f32 %f1, [%rd3];\n";
  CHECK_THAT(unresolved(gather, launch_of(32)),
             Contains("k.ptx:12:1: error: the address of this access depends on what line 9 (ld.global.u32) loads from "
                      "memory; ") &&
                 Contains("--gather 32"));
  const std::string loop = "L:\nadd.s32 %x, %x, -1;\nsetp.ne.s32 %q, %x, 0;\n@%q bra L;\n";
  CHECK_THAT(unresolved(loop, launch_of(32)),
             Contains("k.ptx:13:5: error: how often this loop is repeated depends on what line 9") &&
                 Contains("--trips L=64"));
  const std::string branch = "setp.ne.s32 %q, %x, 0;\n@%q bra L;\nst.global.f32 [%rd1], %f1;\nL:\n";
  CHECK_THAT(unresolved(branch, launch_of(32)), Contains("whether this branch is taken depends on what line 9") &&
                                                    Contains("--branch 11=taken or --branch 11=skipped"));
  PtxLaunch without = launch_of(32);
  without.arguments.clear();
  const std::string guard = "setp.ge.u32 %q, %t, %n;\n@%q bra L;\nst.global.f32 [%rd1], %f1;\nL:\n";
  CHECK_THAT(unresolved(guard, without), Contains("depends on argument 1, which line 7 (ld.param.u32) loads; give its "
                                                  "value: --arg 1=VALUE"));
  CHECK_THAT(unresolved(gather + loop, launch_of(32)), Contains("--gather 32") && Contains("--trips L=64"));
}

TEST_CASE("answers are taken where they are needed, and refused where they are not") {
  const std::string text = ptx_of(kPointer, kBase +
                                                "ld.global.u32 %x, [%rd1];\nL:\nadd.s32 %x, %x, -1;\n"
                                                "setp.ne.s32 %q, %x, 0;\n@%q bra L;\nret;\n");
  PtxLaunch launch = launch_of(64);
  launch.trips["L"] = 7;
  const Executed ran = executed(text, launch);
  CHECK(ran.unresolved.empty());
  CHECK(ran.log->loops.at(0).iterations == 2 * 7);
  launch.trips["OTHER"] = 3;
  launch.gather = 8;
  launch.branches[4] = true;
  CHECK_THAT(executed(text, launch).unresolved,
             Contains("--trips OTHER=3: no loop of this name") && Contains("--gather 8: all addresses are known") &&
                 Contains("--branch 4=taken: no branch that depends on data stands in this line"));
}

TEST_CASE("a kernel that goes on for ever is left with an error") {
  CHECK_THROWS_WITH(executed(ptx_of(kPointer, "L: bra L;\n"), launch_of(32)),
                    Contains("k.ptx:5:4: error: k: its warps execute more than 1000000 instructions"));
}

TEST_CASE("all runs of one import share a budget of steps, and its end is an error in the line of the loop") {
  PtxLaunch launch = launch_of(32, 100);
  const SourceText source("k.ptx", ptx_of(kPointer, kBase + "mov.u32 %i, 0;\nLOOP:\nadd.s32 %i, %i, 1;\n"
                                                            "setp.lt.s32 %q, %i, %n;\n@%q bra LOOP;\nret;\n"));
  const PtxKernel kernel = read_ptx(source).kernels.at(0);
  PreparedKernel prepared = prepare(kernel, launch);
  UnresolvedInputs unresolved(prepared, launch, source);
  ReadLimits limits = kReadLimits;
  limits[static_cast<std::size_t>(ReadCost::steps)] = {5 * 700};  // a run executes 5 + 3 * 100 + 1
  prepared.budget = std::make_shared<ReadBudget>("k.ptx", 0, limits);
  for (int run = 0; run < 2; ++run) {
    BlockLog log(prepared, widths_in_ptx(prepared), 0, 1'000'000);
    run_group(prepared, launch, {0, 0, 0}, log, unresolved);
    CHECK(prepared.budget->used(ReadCost::steps) == 5 * 306U * (run + 1U));
  }
  BlockLog log(prepared, widths_in_ptx(prepared), 0, 1'000'000);
  CHECK_THROWS_WITH(run_group(prepared, launch, {0, 0, 0}, log, unresolved),
                    Contains("k.ptx:11:1: error: k: its work-groups, as launched and with other values of arguments, "
                             "take more than 3500 steps together, 5 for each instruction and each sector of a warp"));
}

TEST_CASE("an argument that additions lead to an access is a pointer, and one beside it a number") {
  const std::string parameters = ".param .u64 p, .param .u64 q, .param .u64 n";
  const std::string loads =
      "ld.param.u64 %rd0, [p];\nld.param.u64 %rd1, [q];\nld.param.u64 %rd2, [n];\n"
      "mov.u32 %t, %tid.x;\nmul.wide.u32 %rd3, %t, 4;\n";
  const auto unresolved = [&](const std::string& body, const PtxLaunch& launch) {
    return executed(ptx_of(parameters, loads + body + "ret;\n"), launch).unresolved;
  };
  PtxLaunch launch;
  launch.block = {32, 1, 1};
  CHECK(unresolved("mov.u64 %rd5, %rd0;\nadd.s64 %rd4, %rd3, %rd5;\nld.f32 %f1, [%rd4];\n", launch).empty());
  CHECK(unresolved("mad.wide.u32 %rd4, %t, 8, %rd1;\nadd.s64 %rd4, %rd4, 16;\nld.f32 %f1, [%rd4];\n", launch).empty());
  const std::string sum = "add.s64 %rd4, %rd0, %rd2;\nld.f32 %f1, [%rd4];\n";
  CHECK_THAT(unresolved(sum, launch), Contains("depends on argument 0"));  // either may be the number
  CHECK_THAT(unresolved("ld.global.u64 %rd5, [%rd0];\nadd.s64 %rd4, %rd5, %rd1;\nld.f32 %f1, [%rd4];\n", launch),
             Contains("depends on what line 10 (ld.global.u64) loads"));
  launch.arguments[{2, 0}] = 64;
  CHECK(unresolved(sum, launch).empty());
}

TEST_CASE("a kernel with more registers or loops than can be followed is refused at once") {
  std::string registers;
  for (int i = 0; i < 70'000; ++i) registers += "mov.u32 %r" + std::to_string(i) + ", 0;\n";
  CHECK_THROWS_WITH(executed(ptx_of("", registers + "ret;\n"), launch_of(1024)),
                    Contains("k.ptx:4:17: error: 70000 registers of PTX in each of 32 warps cannot be followed"));
  std::string begins;
  std::string ends;
  for (int i = 0; i < 1'000; ++i) {
    begins += "L" + std::to_string(i) + ": add.s32 %r1, %r1, 1;\n";
    ends = "@%p1 bra L" + std::to_string(i) + ";\n" + ends;
  }
  CHECK_THROWS_WITH(flow_of(ptx_kernel(ptx_of("", begins + ends + "ret;\n"))),
                    Contains("error: the loops from here on are not followed: at most 2000 loops"));
}

TEST_CASE("integers are computed as the instruction set says") {
  const auto last_sector = [](const std::string& computed) {
    const Executed ran = executed(ptx_of(kPointer, ".shared .b32 words[32];\n" + kBase + computed +
                                                       "and.b32 %y, %x, 1023;\nmul.wide.u32 %rd2, %y, 32;\n"
                                                       "setp.eq.s32 %q, %y, 5;\n@%q st.shared.f32 [%t], %f1;\nret;\n"),
                                  launch_of(32, 100));
    CHECK(ran.unresolved.empty());
    std::uint64_t lanes = 0;
    for (const AccessCounts& counts : ran.log->accesses) lanes += counts.lanes;
    return lanes == 32;  // all lanes have computed 5
  };
  CHECK(last_sector("div.s32 %x, %n, 20;\n"));
  CHECK(last_sector("rem.u32 %x, %n, 19;\n"));
  CHECK(last_sector("neg.s32 %z, %n;\ndiv.s32 %z, %z, 20;\nneg.s32 %x, %z;\n"));
  CHECK(last_sector("shr.u32 %z, %n, 4;\nsub.s32 %x, %z, 1;\n"));
  CHECK(last_sector("neg.s32 %z, %n;\nshr.s32 %z, %z, 4;\nadd.s32 %x, %z, 12;\n"));
  CHECK(last_sector("mul.hi.u32 %x, %n, 214748365;\n"));  // 100 * 2^32 / 20 / 2^32, rounded up
  CHECK(last_sector("bfe.u32 %z, %n, 2, 3;\nadd.s32 %x, %z, 4;\n"));
  CHECK(last_sector("mov.u32 %z, 0;\nbfi.b32 %x, 5, %z, 0, 3;\n"));
  CHECK(last_sector("mad.lo.s32 %x, %n, 2, -195;\n"));
  CHECK(last_sector("setp.gt.s32 %p, %n, 99;\nselp.b32 %x, 5, 6, %p;\n"));
  CHECK(last_sector("min.s32 %x, %n, 5;\n"));
  CHECK(last_sector("lop3.b32 %x, %n, 5, 5, 0xAA;\n"));
  CHECK(last_sector("popc.b32 %z, %n;\nadd.s32 %x, %z, 2;\n"));
  CHECK(last_sector("clz.b32 %z, %n;\nsub.s32 %x, %z, 20;\n"));
  CHECK(last_sector("cvt.s64.s32 %rd5, -5;\nneg.s64 %rd6, %rd5;\ncvt.u32.u64 %x, %rd6;\n"));
  CHECK(last_sector("mov.u32 %z, 327680;\nshf.r.wrap.b32 %x, %z, 0, 16;\n"));
  CHECK(last_sector("mov.u32 %z, 0x05060708;\nprmt.b32 %x, %z, 0, 0x4443;\n"));
}

TEST_CASE("an argument is refused if nothing reads it, if it does not fit, or if it is a pointer") {
  const std::string text =
      ptx_of(".param .u64 p, .param .u32 n, .param .align 4 .b8 s[12], .param .u8 c, .param .u16 unread",
             kBase + "ld.param.u32 %x, [s+4];\nld.param.u8 %c, [c];\nret;\n");
  const auto refused = [&](const PtxArgument& argument, std::uint64_t value) {
    PtxLaunch launch;
    launch.arguments[argument] = value;
    try {
      static_cast<void>(executed(text, launch));
      return std::string();
    } catch (const InputError& error) {
      return std::string(error.what());
    }
  };
  CHECK(refused({1, 0}, 4294967295U).empty());
  CHECK(refused({1, 0}, std::uint64_t{0} - 2147483648U).empty());
  CHECK(refused({0, 0}, 0).empty());
  CHECK(refused({2, 4}, 77).empty());
  CHECK(refused({4, 0}, 65535).empty());
  CHECK_THAT(refused({4, 0}, 65536), Contains("-32768 to 65535 are allowed"));
  CHECK_THAT(refused({2, 3}, 77), Contains("--arg 2+3=77: no ld.param reads it; leave it out, or give one that is "
                                           "read: 0, 1, 2+4, 3"));
  CHECK_THAT(refused({1, 0}, 4294967396U), Contains("--arg 1=4294967396: it does not fit into its 4 bytes; "
                                                    "-2147483648 to 4294967295 are allowed"));
  CHECK_THAT(refused({1, 0}, std::uint64_t{0} - 2147483649U), Contains("does not fit into its 4 bytes"));
  CHECK_THAT(refused({3, 0}, 256), Contains("-128 to 255 are allowed"));
  CHECK_THAT(refused({0, 0}, std::uint64_t{0} - 3), Contains("--arg 0=-3: it is a pointer, and has an address of its "
                                                             "own; leave it out, or give 0, the null pointer"));
}

TEST_CASE("a load of several parameters gives each register its own") {
  const std::string body = kBase +
                           "ld.param.v2.u32 {%a, %b}, [s];\nld.param.v2.u32 {_, %c}, [s+4];\nmov.u32 %i, 0;\nL:\n"
                           "add.s32 %i, %i, %a;\nsetp.lt.s32 %q, %i, %c;\n@%q bra L;\nret;\n";
  const std::string text = ptx_of(".param .u64 p, .param .u32 n, .param .align 8 .b8 s[16]", body);
  PtxLaunch launch = launch_of(32);
  launch.arguments[{2, 0}] = 3;
  CHECK_THAT(executed(text, launch).unresolved,
             Contains("depends on argument 2, which line 10 (ld.param.v2.u32) loads; "
                      "give its value: --arg 2+8=VALUE"));
  launch.arguments[{2, 8}] = 30;
  const Executed ran = executed(text, launch);
  CHECK(ran.unresolved.empty());
  CHECK(ran.log->loops.at(0).iterations == 10);
}

TEST_CASE("a trap, or a branch through a table, is an error at its line where it is executed") {
  const auto unresolved = [](const std::string& body) {
    return executed(ptx_of(kPointer, kBase + body + "ret;\n"), launch_of(32)).unresolved;
  };
  CHECK_THAT(unresolved("setp.eq.u32 %q, %t, 3;\n@%q trap;\n"),
             Contains("k.ptx:10:5: error: the kernel is executed up to this trap, which stops it with an error"));
  CHECK(unresolved("setp.eq.u32 %q, %t, 99;\n@%q trap;\n").empty());
  CHECK_THAT(unresolved("T: .branchtargets A, B;\nbrx.idx %t, T;\nA: st.global.f32 [%rd1], %f1;\nB:\n"),
             Contains("k.ptx:10:1: error: a branch through a table is not executed; write the switch as if and else"));
}

TEST_CASE("shared memory has the size that is declared and given at launch, and no access goes beyond it") {
  const auto unresolved = [](const std::string& body, std::uint64_t given) {
    std::string text = ptx_of(kPointer, kBase + body + "ret;\n");
    text.replace(text.find(".visible"), 0, ".extern .shared .align 4 .b8 dynamic[];\n");  // a line more
    PtxLaunch launch = launch_of(32);
    launch.dynamic_shared = given;
    return executed(text, launch).unresolved;
  };
  const std::string each = "mov.u32 %s, dynamic;\nshl.b32 %o, %t, 2;\nadd.s32 %a, %s, %o;\nst.shared.f32 [%a], %f1;\n";
  CHECK(unresolved(each, 128).empty());
  CHECK_THAT(unresolved(each, 124),
             Contains("k.ptx:13:1: error: this access touches bytes 124 to 127 of shared memory, of which a work-group "
                      "has 124: does --block have another shape (X,Y,Z), or does --shared BYTES give more?"));
  CHECK_THROWS_WITH(unresolved(each, 0), Contains("k.ptx:10:1: error: 'dynamic' is shared memory whose size the launch "
                                                  "gives; give its bytes: --shared 4096"));
  CHECK(unresolved("", 0).empty());
  CHECK_THAT(unresolved("mov.u64 %rd2, -8;\nld.global.f32 %f1, [%rd2];\n", 0),
             Contains("k.ptx:11:1: error: this access has the address 0xfffffffffffffff8, where no memory is"));
}

TEST_CASE("the size of a warp is known, and an address of the module cut to 32 bits is not") {
  const std::string loop = "L:\nadd.s32 %i, %i, 1;\nsetp.lt.s32 %q, %i, %w;\n@%q bra L;\nret;\n";
  const std::string zero = kBase + "mov.u32 %i, 0;\n";
  const Executed ran = executed(ptx_of(kPointer, zero + "mov.u32 %w, WARP_SZ;\n" + loop), launch_of(32));
  CHECK(ran.unresolved.empty());
  CHECK(ran.log->loops.at(0).iterations == 32);
  std::string text = ptx_of(kPointer, zero + "mov.u32 %w, table;\n" + loop);
  text.replace(text.find(".visible"), 0, ".global .b32 table;\n");
  CHECK_THAT(executed(text, launch_of(32)).unresolved, Contains("depends on what line 11 (mov.u32) computes"));
}

TEST_CASE("what a barrier counts over a work-group is not known") {
  const std::string body = kBase +
                           "setp.lt.u32 %q, %t, 8;\nmov.u32 %c, 1;\nbar.red.popc.u32 %c, 0, %q;\nL:\n"
                           "add.s32 %c, %c, -1;\nsetp.gt.s32 %p, %c, 0;\n@%p bra L;\nret;\n";
  CHECK_THAT(executed(ptx_of(kPointer, body), launch_of(32)).unresolved,
             Contains("how often this loop is repeated depends on what line 11 (bar.red.popc.u32) computes"));
}

TEST_CASE("banks serve different words of a bank one after the other, and wide loads in parts") {
  CHECK(bank_cycles(spaced(4), kAllLanes, 4, true) == 1);
  CHECK(bank_cycles(spaced(8), kAllLanes, 4, true) == 2);
  CHECK(bank_cycles(spaced(128), kAllLanes, 4, true) == 32);
  CHECK(bank_cycles(spaced(0), kAllLanes, 4, true) == 1);
  CHECK(bank_cycles(spaced(128), 0xF, 4, true) == 4);
  CHECK(bank_cycles(spaced(8), kAllLanes, 8, true) == 2);
  CHECK(bank_cycles(spaced(16), kAllLanes, 16, true) == 4);
  CHECK(bank_cycles(spaced(0), kAllLanes, 16, true) == 2);   // pairs of lanes want the same
  CHECK(bank_cycles(spaced(0), kAllLanes, 16, false) == 4);  // a store does not profit
  CHECK(bank_cycles(spaced(0), kAllLanes, 8, true) == 1);
}

TEST_CASE("loads from shared memory are joined as ptxas joins them in the hot loops of the ladder") {
  // `ptxas -arch=sm_86` of CUDA 13.0: LDS.128 and LDS of the loop over tiles.
  const PtxModule module = read_ptx(SourceText("sgemm.ptx", fixture("sgemm.ptx")));
  PtxLaunch launch;
  launch.grid = {2, 2, 1};
  launch.arguments = {{{0, 0}, 256}, {{1, 0}, 256}, {{2, 0}, 256}};
  struct Expected {
    std::string kernel;
    std::uint64_t block;
    std::uint64_t wide;
    std::uint64_t narrow;
  };
  for (const Expected& expected : std::vector<Expected>{
           {"tiled", 1024, 8, 32}, {"tiled_1d", 512, 16, 8}, {"tiled_2d", 256, 32, 0}, {"vectorised", 256, 32, 0}}) {
    INFO(expected.kernel);
    launch.block = {expected.block, 1, 1};
    for (const PtxKernel& kernel : module.kernels) {
      if (kernel.symbol != expected.kernel) continue;
      const PreparedKernel prepared = prepare(kernel, launch);
      const AccessWidths widths = widths_in_ptx(prepared);
      BlockLog log(prepared, widths, 0, 10'000'000);
      UnresolvedInputs unresolved(prepared, launch, SourceText("k", ""));
      run_group(prepared, launch, {0, 0, 0}, log, unresolved);
      const AccessWidths joined = widths_joined(prepared, log);
      std::uint64_t wide = 0;
      std::uint64_t narrow = 0;
      for (std::size_t i = 0; i < joined.size(); ++i) {
        const PtxClass& traits = prepared.instructions[i].traits;
        if (traits.role != PtxRole::load || traits.space != PtxSpace::shared) continue;
        if (joined[i] == 16) ++wide;
        if (joined[i] == 4) ++narrow;
      }
      CHECK(wide == expected.wide);
      CHECK(narrow == expected.narrow);
    }
  }
}
