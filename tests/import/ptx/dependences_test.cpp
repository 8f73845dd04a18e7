#include "import/ptx/ptx_texts.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

// What an instruction waits for: results of loads and of arithmetic, and what stores may have changed.

using namespace gdsim::testing;
using Catch::Matchers::Contains;

namespace {

/// Two pointers, the address of each work-item's word behind both, and a body.
std::string with_two_pointers(const std::string& body) {
  return ptx_of(".param .u64 p, .param .u64 q",
                "ld.param.u64 %a, [p];\nld.param.u64 %b, [q];\nmov.u32 %t, %tid.x;\nmul.wide.u32 %w, %t, 4;\n"
                "add.s64 %from, %a, %w;\nadd.s64 %to, %b, %w;\n" +
                    body + "ret;\n");
}

/// The scenario of one warp.
std::string imported_warp(const std::string& body, std::vector<std::string> more = {}) {
  const TemporaryFolder folder;
  std::vector<std::string> words{"import",    folder.write("k.ptx", with_two_pointers(body)),
                                 "--program", "--device",
                                 "rtx-a6000", "--block",
                                 "32",        "--grid",
                                 "84"};
  words.insert(words.end(), more.begin(), more.end());
  const Ran ran = run_gdsim(words);
  INFO(ran.err);
  CHECK(ran.status == 0);
  const Ran checked = run_gdsim({"check", folder.write("k.yaml", ran.out)});
  INFO(ran.out << checked.out << checked.err);
  CHECK(checked.status == 0);
  return ran.out;
}

/// The bytes of the steps `memory`, in their order: `128 128 `.
std::string loads_in(const std::string& scenario) {
  const std::string step = "- memory: ";
  std::string bytes;
  for (std::size_t at = scenario.find(step); at != std::string::npos; at = scenario.find(step, at + 1)) {
    const std::size_t begin = at + step.size();
    bytes += scenario.substr(begin, scenario.find(' ', begin) + 1 - begin);
  }
  return bytes;
}

std::string load_of(const std::string& to, const std::string& address) {
  return "ld.global.f32 " + to + ", [" + address + "];\n";
}

std::string store_to(const std::string& address, const std::string& value) {
  return "st.global.f32 [" + address + "], " + value + ";\n";
}

std::string so_often(const std::string& line, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += line;
  return all;
}

}  // namespace

TEST_CASE("a load waits for a store before it that may write what it loads, and so for the loads that this one needs") {
  const std::string first = load_of("%f", "%from") + store_to("%to", "%f");
  CHECK(loads_in(imported_warp(first + load_of("%g", "%from+4096") + store_to("%to+4096", "%g"))) == "128 128 ");
  CHECK(loads_in(imported_warp(load_of("%f", "%from") + load_of("%g", "%from+4096") + store_to("%to", "%f"))) ==
        "256 ");
  // The store needs no load; the load is of what no store writes; it is of another word behind the same pointer.
  CHECK(loads_in(imported_warp(load_of("%f", "%from") + store_to("%to", "0f00000000") + load_of("%g", "%from+4096"))) ==
        "256 ");
  CHECK(loads_in(imported_warp(first + "ld.global.nc.f32 %g, [%from+4096];\n")) == "256 ");
  CHECK(loads_in(imported_warp(load_of("%f", "%from") + store_to("%from", "%f") + load_of("%g", "%from+4096"))) ==
        "256 ");
  CHECK(loads_in(imported_warp(load_of("%f", "%from") + store_to("%from", "%f") + load_of("%g", "%from"))) != "256 ");
  CHECK(loads_in(imported_warp(load_of("%f", "%from") + store_to("%from", "%f") +
                               "ld.volatile.global.f32 %g, [%from+4096];\n")) == "128 128 ");
}

TEST_CASE("a load whose address another one loads waits for it, as do loads behind a branch that needs one") {
  const std::string index = "ld.global.u32 %i, [%from];\nmul.wide.u32 %o, %i, 4;\nadd.s64 %x, %b, %o;\n";
  CHECK(loads_in(imported_warp(index + load_of("%f", "%x"), {"--gather", "8"})) == "128 256 ");
  CHECK(loads_in(imported_warp(index + load_of("%f", "%to"))) == "256 ");
  const std::string branch = "ld.global.u32 %i, [%from];\nsetp.eq.u32 %p, %i, 7;\n@%p bra $out;\n";
  CHECK(loads_in(imported_warp(branch + load_of("%f", "%to") + "$out:\n", {"--branch", "13=skipped"})) == "128 128 ");
}

TEST_CASE("a register that only some lanes write again waits for the load before, one that all write does not") {
  const std::string some = "setp.lt.u32 %p, %t, 16;\n";
  const std::string load = "ld.global.u32 %r, [%from];\n";
  const std::string use = "mul.wide.u32 %o, %r, 4;\nadd.s64 %x, %b, %o;\n" + load_of("%f", "%x");
  const std::string either = some + "@%p bra $few;\n" + load + "bra.uni $both;\n$few:\nmov.u32 %r, 7;\n$both:\n";
  const std::vector<std::string> gather{"--gather", "8"};
  CHECK(loads_in(imported_warp(some + "@%p " + load + "@!%p mov.u32 %r, 7;\n" + use, gather)) == "64 256 ");
  CHECK(loads_in(imported_warp(either + use, gather)) == "64 256 ");
  CHECK(loads_in(imported_warp(either + "mov.u32 %r, %t;\n" + use)) == "192 ");
  CHECK(loads_in(imported_warp(load + "mov.u32 %r, %t;\n" + use)) == "256 ");
}

TEST_CASE("for a load that no lane executes, nothing waits") {
  const std::string index = load_of("%f", "%from") + "cvt.rzi.u32.f32 %i, %f;\nmul.wide.u32 %o, %i, 4;\n";
  const std::string text = imported_warp("setp.gt.u32 %p, %t, 99;\n" + index + "add.s64 %x, %b, %o;\n@%p " +
                                         load_of("%g", "%x") + "add.f32 %h, %f, %f;\n");
  CHECK(loads_in(text) == "128 ");
  CHECK(text.find("- issue: ") == text.rfind("- issue: "));
}

TEST_CASE("what needs no load is not issued after one, and what needs the last loads is issued with them") {
  const std::string text = imported_warp(load_of("%f", "%from") + store_to("%to", "%f") + load_of("%g", "%from+4096") +
                                         "add.f32 %h, %g, %g;\n" + store_to("%to+4096", "%h"));
  const std::size_t second = text.rfind("- memory: ");
  CHECK_THAT(text.substr(second), Contains("fp32: 1") && !Contains("int32"));
  CHECK_THAT(text.substr(0, second), Contains("int32: ") && !Contains("fp32: 1"));
}

TEST_CASE("a chain of arithmetic is written as the distance of its dependences") {
  const std::string begin = load_of("%f", "%from");
  CHECK_THAT(imported_warp(begin + so_often("fma.rn.f32 %f, %f, %f, %f;\n", 60)), Contains("    dependence: 1  # "));
  const std::string two = "fma.rn.f32 %f, %f, %f, %f;\nfma.rn.f32 %g, %g, %g, %g;\nfma.rn.f32 %h, %h, %h, %h;\n";
  CHECK_THAT(imported_warp(begin + so_often(two, 60)), Contains("    dependence: 3  # "));
  // With five of them, issuing takes longer than waiting.
  const std::string many = two + "fma.rn.f32 %i, %i, %i, %i;\nfma.rn.f32 %j, %j, %j, %j;\n";
  CHECK_THAT(imported_warp(begin + so_often(many, 60)), !Contains("dependence: "));
}

TEST_CASE("in a loop, results of one iteration make the next one wait only if it needs them") {
  const auto loop = [](const std::string& body) {
    return "mov.u32 %n, 0;\n$top:\n" + body + "add.s32 %n, %n, 1;\nsetp.lt.s32 %p, %n, 100;\n@%p bra $top;\n";
  };
  CHECK_THAT(imported_warp(loop(so_often("fma.rn.f32 %f, %f, %f, %f;\n", 20))), Contains("    dependence: 1  # "));
  CHECK_THAT(imported_warp("setp.lt.u32 %q, %t, 16;\n" +
                           loop(so_often("fma.rn.f32 %f, %f, %f, %f;\n", 20) + "@%q mov.f32 %f, 0f00000000;\n")),
             Contains("    dependence: 1  # "));
  CHECK_THAT(imported_warp(loop("cvt.rn.f32.u32 %f, %n;\n" + so_often("fma.rn.f32 %f, %f, %f, %f;\n", 20))),
             !Contains("dependence: "));
}

TEST_CASE("sectors that a warp completes with its next stores count as written whole") {
  const std::string pairs = "mul.wide.u32 %v, %t, 8;\nadd.s64 %to, %b, %v;\n";
  const std::string half = store_to("%to", "0f00000000");
  CHECK_THAT(imported_warp(pairs + half), Contains("- store: {bytes: 256 B, written: {partial: 8}}"));
  CHECK_THAT(imported_warp(pairs + half + store_to("%to+4", "0f00000000")),
             Contains("- store: {bytes: 512 B, written: {whole: 16}}"));
  CHECK_THAT(imported_warp(pairs + half + half), Contains("- store: {bytes: 512 B, written: {partial: 16}}"));
}

TEST_CASE("a warp has so many sectors that it has begun to write, and loses the one that it began first") {
  // 33 stores begin 32 sectors each; then these are completed, the last ones first: 1024 of 1056 are.
  std::string halves = "mul.wide.u32 %v, %t, 32;\nadd.s64 %to, %b, %v;\n";
  const auto store = [&](int row, int first) {
    halves += "st.global.v4.f32 [%to+" + std::to_string(1024 * row + first) + "], {%f, %f, %f, %f};\n";
  };
  for (int row = 0; row < 33; ++row) store(row, 0);
  for (int row = 32; row >= 0; --row) store(row, 16);
  CHECK_THAT(imported_warp(halves), Contains("- store: {bytes: 67584 B, written: {whole: 2048, partial: 64}}"));
}
