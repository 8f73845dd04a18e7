#include "import/binaries.hpp"
#include "import/ptx/ptx_texts.hpp"

#include <gdsim/import/ptx/ptx_resources.hpp>
#include <gdsim/import/ptx/reader/read_ptx.hpp>
#include <gdsim/import/ptx/static_analysis/flow_graph.hpp>

#include <catch2/catch.hpp>

#include <random>

// Text of PTX -> entry functions.

using namespace gdsim;
using namespace gdsim::testing;
using Catch::Matchers::Contains;

TEST_CASE("an entry function is read with its parameters, bounds, variables, labels and lines") {
  const PtxKernel kernel = ptx_kernel(
      ".version 8.0\n.target sm_86, debug\n.address_size 64\n.extern .shared .align 16 .b8 dynamic[];\n"
      ".func (.param .b32 out) other(.param .b32 in) { ret; }\n"
      ".visible .entry k(.param .u32 n, .param .u64 .ptr .global .align 4 p, .param .align 8 .b8 s[24])\n"
      ".maxntid 32, 8, 1\n{\n .reg .pred %p<2>; .reg .b32 %r<3>;\n .shared .align 4 .b8 tile[100];\n"
      " .local .align 16 .b8 depot[64];\n .loc 1 2 3\n"
      "$L: /* a comment\n of two lines */ @!%p1 ld.shared.v2.f32 {%f1, _}, [%r1+-8];\n"
      " mov.u32 %r2, dynamic; // not seen: {\n bra.uni $L;\n}\n");
  CHECK(kernel.symbol == "k");
  REQUIRE(kernel.parameters.size() == 3);
  CHECK(kernel.parameters[0].bytes == 4);
  CHECK(kernel.parameters[1].bytes == 8);
  CHECK(kernel.parameters[2].bytes == 24);
  CHECK((*kernel.max_group)[1] == 8);
  CHECK(kernel.static_shared == 100);
  CHECK(kernel.find_shared("dynamic")->offset == 112);
  CHECK(kernel.find_label("$L") == 0U);
  REQUIRE(kernel.instructions.size() == 3);
  const PtxInstruction& load = kernel.instructions[0];
  CHECK(load.opcode == "ld.shared.v2.f32");
  CHECK(load.line == 14);
  CHECK(load.is_predicate_negated);
  CHECK(load.operands.at(1).value == -8);
}

TEST_CASE("a file of nvcc is read whole") {
  const PtxModule module = read_ptx(SourceText("sgemm.ptx", fixture("sgemm.ptx")));
  CHECK(module.target == "sm_86");
  std::string names;
  for (const PtxKernel& kernel : module.kernels) names += kernel.symbol + " ";
  CHECK(names == "naive coalesced tiled tiled_1d tiled_2d vectorised ");
  CHECK(module.kernels[4].static_shared == 8192);
  CHECK(module.kernels[4].max_group == std::array<std::uint64_t, 3>{256, 1, 1});
}

TEST_CASE("loops are found with what they hold, one in the other") {
  const PtxKernel kernel = ptx_kernel(
      ptx_of("",
             "mov.u32 %r1, 0;\nA: mov.u32 %r2, 0;\nB: add.s32 %r2, %r2, 1;\nsetp.lt.s32 %p1, %r2, 3;\n@%p1 bra B;\n"
             "add.s32 %r1, %r1, 1;\nsetp.lt.s32 %p2, %r1, 2;\n@%p2 bra A;\nret;\n"));
  const FlowGraph flow = flow_of(kernel);
  REQUIRE(flow.loops.size() == 2);
  CHECK(flow.blocks[flow.loops[0].head].begin == 1);
  CHECK(flow.loops[0].blocks.size() == 3);
  CHECK(flow.loops[1].parent == 0U);
  CHECK(flow.loops[1].blocks.size() == 1);
}

TEST_CASE("what is no PTX is refused with line and column") {
  CHECK_THAT(ptx_refusal(ptx_of("", "ld.global.f32 %f1 [%rd1];\n")),
             Contains("k.ptx:5:19: error: '[' stands where ',' is needed"));
  CHECK_THAT(ptx_refusal(ptx_of("", "bra NOWHERE;\n")), Contains("k.ptx:5:1: error: this branch goes to no label"));
  CHECK_THAT(ptx_refusal(ptx_of("", "L: L: ret;\n")), Contains("k.ptx:5:4: error: the label 'L' stands here a second"));
  CHECK_THAT(ptx_refusal(".version 8.0\n.target sm_86\n.address_size 64\n.entry k() { ret;"),
             Contains("error: the file ends within a function: '}' is missing"));
  CHECK_THAT(ptx_refusal(".version 8.0\n.target sm_86\n.address_size 64\n"), Contains("holds no entry function"));
  CHECK_THAT(ptx_refusal(ptx_of("", ".shared .align 0 .b8 x[4];\n")), Contains("an alignment of 1 to 65536 is needed"));
  CHECK_THAT(ptx_refusal(ptx_of("", ".shared .b64 x[999999999999];\n")), Contains("larger than 1 TiB"));
  CHECK_THAT(ptx_refusal(ptx_of("", "add.s32 %r1, %r2, 99999999999999999999;\n")), Contains("is no number"));
}

TEST_CASE("an access needs an address in brackets, and its offset is a whole number") {
  CHECK_THAT(ptx_refusal(ptx_of("", "ld.global.f32 %f1, %rd1;\n")),
             Contains("k.ptx:5:1: error: 'ld.global.f32' has no address in brackets, as in [%rd1]"));
  CHECK_THAT(ptx_refusal(ptx_of("", "ld.global.f32 %f1, [%rd1+1.5];\n")),
             Contains("k.ptx:5:26: error: '1.5' is no whole number"));
}

TEST_CASE("floating-point constants may be decimal") {
  for (const std::string number :
       {"1.5", "-1.5", "1e5", "1.5e-3", "2.5E+4", "0.5e2", "0f3F800000", "0d3FF000000000000E"})
    CHECK(ptx_refusal(ptx_of("", "mov.f32 %f1, " + number + ";\n")).empty());
}

TEST_CASE("addresses of PTX have 64 bits") {
  const std::string entry = ".entry k() { ret; }\n";
  CHECK_THAT(ptx_refusal(".version 8.0\n.target sm_86\n.address_size 32\n" + entry),
             Contains("k.ptx:3:15: error: addresses of 64 bits are executed: .address_size 64"));
  CHECK_THAT(ptx_refusal(".version 8.0\n.target sm_86\n" + entry),
             Contains("k.ptx:3:1: error: PTX without .address_size has addresses of 32 bits"));
  CHECK(is_ptx(".version 8.0\n.target sm_86\n" + entry));
}

TEST_CASE("a name that the file declares nowhere is refused where it is used first") {
  CHECK_THAT(ptx_refusal(ptx_of(".param .u32 n", "mov.u32 %r1, 1;\nadd.s32 %r2, %r1, SIZE;\n")),
             Contains("k.ptx:6:19: error: 'SIZE' is declared nowhere") && Contains(".global .b32 SIZE;"));
  CHECK(ptx_refusal(".version 8.0\n.target sm_86\n.address_size 64\n.global .align 4 .b8 table[8] = {1, other};\n"
                    ".extern .func (.param .b32 r) vprintf (.param .b64 a);\n.entry k(.param .u64 p) {\n"
                    ".local .b8 depot[8];\n.param .b32 out;\nmov.u64 %rd1, table;\nmov.u64 %rd2, depot;\n"
                    "ld.param.u64 %rd3, [p];\ncall.uni (out), vprintf, (p);\nbra.uni L;\nL: ret;\n}\n")
            .empty());
}

TEST_CASE("inline assembly declares several registers at once") {
  const PtxKernel kernel = ptx_kernel(ptx_of("", "{\n.reg .u32 t<4>, u;\nadd.u32 t3, t0, u;\n}\nret;\n"));
  CHECK(kernel.registers == std::vector<std::string>{"t3", "t0", "u"});
  CHECK_THAT(ptx_refusal(ptx_of("", ".reg .u32 t<4>;\nmov.u32 t4, 0;\n")), Contains("'t4' is declared nowhere"));
  CHECK_THAT(ptx_refusal(ptx_of("", ".reg .u32 t<9999999>;\n")), Contains("k.ptx:5:11: error: a function has more"));
}

TEST_CASE("clusters of machine code are those of its PTX") {
  CompiledKernel kernel;
  CompiledKernel machine_code;
  machine_code.cluster = {2, 1, 1};
  add_machine_code(kernel, machine_code);
  CHECK(kernel.cluster == machine_code.cluster);
  kernel.cluster = {4, 1, 1};
  CHECK_THROWS_WITH(
      add_machine_code(kernel, machine_code),
      Contains("clusters of 4 x 1 x 1 work-groups (.reqnctapercluster), and its machine code of 2 x 1 x 1"));
}

TEST_CASE("a loop that is entered in two places is refused") {
  const PtxKernel kernel =
      ptx_kernel(ptx_of("", "@%p1 bra B;\nA: mov.u32 %r1, 0;\nB: mov.u32 %r2, 0;\n@%p2 bra A;\nret;\n"));
  CHECK_THROWS_WITH(flow_of(kernel),
                    Contains("k.ptx:6:4: error: from here a loop is entered that can be entered in several places"));
}

TEST_CASE("PTX that ends anywhere, or has bytes changed, is taken or refused") {
  const std::string whole = fixture("sgemm.ptx").substr(0, 6000);
  for (std::size_t size = 0; size < whole.size(); size += 37) CHECK(ptx_refusal(whole.substr(0, size)).size() < 10'000);
  std::mt19937_64 random(1);
  for (int i = 0; i < 300; ++i) {
    std::string changed = whole;
    for (std::uint64_t changes = 1 + random() % 8; changes > 0; --changes)
      changed[random() % changed.size()] = static_cast<char>(random());
    CHECK(ptx_refusal(changed).size() < 10'000);
  }
}
