#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

// `gdsim devices --check`: what is missing of a model, and the exit status that follows.

using namespace gdsim::testing;

namespace {

/// A product of a family whose model lacks nothing, with everything that products add.
const std::string kComplete =
    "device: my-card\nbase: cc-8.6\nkind: product\nname: My Card\nclock: 1.7 GHz\ncores: 30\n"
    "memory:\n  in_flight: 256 B\n  core_bandwidth: 200 GB/s\n  levels:\n"
    "    - {name: L2, capacity: 4 MiB, bandwidth: 1 TB/s, latency: 250 cycles}\n"
    "    - {name: DRAM, bandwidth: 336 GB/s, latency: 320 ns}\n"
    "slm_access: {latency: 23 cycles}\ncopy: {engines: 2, bandwidth: 25 GB/s}\n"
    "sources: {clock: a, cores: a, memory: a, slm_access.latency: \"not verified: a\", copy: a}\n";

Ran check(const std::string& model) {
  const TemporaryFolder folder;
  return run_gdsim({"devices", "--check", folder.write("my-card.yaml", model)});
}

}  // namespace

TEST_CASE("a complete model has status 0, one that lacks something 1 and says what that costs") {
  const Ran complete = check(kComplete);
  CHECK(complete.status == 0);
  CHECK_THAT(complete.out, Catch::StartsWith("my-card: nothing is missing; "));

  const Ran incomplete = check(std::string(kComplete).erase(kComplete.find(", latency: 320 ns"), 17));
  CHECK(incomplete.status == 1);
  CHECK_THAT(incomplete.out,
             Catch::StartsWith("my-card: 1 thing is missing; ") &&
                 Catch::Contains("\nmemory.levels.DRAM.latency: loads that it serves take the time of their bandwidth "
                                 "alone\n  as in: latency: 400 ns\n"));
  CHECK(incomplete.err.empty());
}

TEST_CASE("what a key lacks is said in one line, each cost once, with its inner keys and a line to write") {
  const Ran ran = check(
      "device: my-card\nvendor: nvidia\nname: My Card\nterms: nvidia\nclock: 1 GHz\ncores: 1\nengines_per_core: 1\n"
      "contexts_per_engine: 8\nsub_group_sizes: [32]\nmax_work_group_size: 64\nwork_groups_per_core: 4\n"
      "barriers_per_core: 4\nslm: {per_core: 1 KiB, per_work_group: 1 KiB, granule: 128 B}\n");
  CHECK(ran.status == 1);
  CHECK_THAT(ran.out, Catch::Contains("\n\natomics (slm, global): `atomic` steps in SLM are refused; `atomic` steps in "
                                      "global memory are refused\n  as in: slm: 1, global: 1\n\n"));
  CHECK_THAT(ran.out,
             Catch::Contains("\n\narithmetic (fp32, fp64, int32, sfu, load_store): `issue` steps of this kind "
                             "are refused\n  as in: fp32: 16, fp64: 16, int32: 16, sfu: 16, load_store: 16\n"));
  CHECK_THAT(ran.out, Catch::Contains("\n\nsources (clock, cores, engines_per_core, ") &&
                          Catch::Contains("slm.granule): the values cannot be checked\n") &&
                          Catch::EndsWith(", sub_group_sizes: \"not verified: ...\", ...\n"));
}

TEST_CASE("a model that cannot be read has status 2, with the place of every problem") {
  const Ran ran = check("device: my-card\nbase: cc-8.6\ncores: -1\nklock: 1 GHz\n");
  CHECK(ran.status == 2);
  CHECK(ran.out.empty());
  CHECK_THAT(ran.err, Catch::Contains("my-card.yaml:3:8: error: ") && Catch::Contains("my-card.yaml:4:1: error: "));
}

TEST_CASE("a model that is cut off or garbled anywhere is checked or refused, never anything else") {
  const TemporaryFolder folder;
  const std::string file = folder.write("my-card.yaml", kComplete);
  for (std::size_t size = 0; size < kComplete.size(); size += 13) {
    folder.write("my-card.yaml", kComplete.substr(0, size));
    INFO(size);
    const int status = run_gdsim({"devices", "--check", file}).status;
    CHECK((status == 1 || status == 2));
    std::string garbled = kComplete;
    garbled[size] = static_cast<char>(garbled[size] ^ 0x15);
    folder.write("my-card.yaml", garbled);
    CHECK(run_gdsim({"devices", "--check", file}).status <= 2);
  }
}

TEST_CASE("the option --check needs a model, and lists no names") {
  CHECK(run_gdsim({"devices", "--check"}).status == 2);
  CHECK(run_gdsim({"devices", "--check", "--names", "tiny"}).status == 2);
  CHECK(run_gdsim({"devices", "--check", "tiny"}).status == 1);
  CHECK(run_gdsim({"devices", "--check", "none"}).status == 2);
}
