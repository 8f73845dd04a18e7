#include "support/builders.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <nlohmann/json.hpp>

#include <catch2/catch.hpp>

using namespace gdsim::testing;
using nlohmann::json;

// gdsim infer as a user calls it.

namespace {

/// 128 work-groups, round robin over 8 cores.
std::string round_robin_log() {
  std::string text = "block,sm,threads\n";
  for (int i = 0; i < 128; ++i) text += std::to_string(i) + "," + std::to_string(i % 8) + ",32\n";
  return text;
}

std::string device_file() {
  return "device: eight\nbase: tiny\nname: Eight\ncores: 8\nengines_per_core: 1\ncontexts_per_engine: 64\n"
         "work_groups_per_core: unlimited\nmax_work_group_size: 64\nsub_group_sizes: [32]\n";
}

}  // namespace

TEST_CASE("infer answers a log as JSON: candidates with rules to paste, verdict and sentence", "[infer]") {
  const TemporaryFolder folder;
  const std::string log = folder.write("log.csv", round_robin_log());
  const std::string device = folder.write("eight.yaml", device_file());
  const Ran ran = run_gdsim({"infer", log, "--device", device, "--format", "json", "-o",
                             (folder.path() / "a.json").string(), "-o", (folder.path() / "a.csv").string()});
  INFO(ran.err);
  REQUIRE(ran.status == 0);
  const json answer = json::parse(ran.out);
  CHECK(answer["verdict"] == "several");
  CHECK(answer["tried"] > 10'000);
  CHECK(answer["candidates"][0]["rules"]["placement"] == "round_robin");
  CHECK(answer["candidates"][0]["launches_exact"] == 1);
  CHECK(answer["candidates"][0]["launches"] == 1);
  CHECK(answer["candidates"][0]["share"] == 1.0);
  CHECK(answer["candidates"][0]["chance"] == 0.125);
  CHECK(answer["candidates"][0]["first_wrong"].is_null());
  CHECK(answer["candidates"][0]["inexact_launches"].empty());
  const json& last = answer["candidates"].back();
  CHECK(last["first_wrong"]["work_group"] > 0);
  CHECK(last["first_wrong"]["seen_core"] != last["first_wrong"]["expected_core"]);
  CHECK(last["inexact_launches"].size() == 1);
  CHECK_THAT(answer["sentence"].get<std::string>(), Catch::Contains("does not distinguish them"));
  CHECK(read_file(folder.path() / "a.json") == ran.out);
  CHECK_THAT(read_file(folder.path() / "a.csv"), Catch::StartsWith("rules,core_groups,fits,launches_exact"));
}

TEST_CASE("infer reads the table that run writes, and --jobs changes nothing", "[infer]") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  REQUIRE(run_gdsim({"run", kVectorAdd4, "-o", out, "--set", "dispatch.admission=whole"}).status == 0);
  const Ran one = run_gdsim({"infer", out + "/work_groups.csv", "--device", "xe-lp-tgl", "--jobs", "1"});
  const Ran two = run_gdsim({"infer", out + "/work_groups.csv", "--device", "xe-lp-tgl", "--jobs", "2"});
  INFO(one.err);
  CHECK(one.status == 0);
  CHECK(one.out == two.out);
}

TEST_CASE("any number of shards gives the table that one process gives, byte for byte", "[infer][figures]") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  REQUIRE(run_gdsim({"run", kVectorAdd4, "-o", out, "--set", "dispatch.admission=whole"}).status == 0);
  const std::vector<std::string> log{"infer", out + "/work_groups.csv", "--device", "xe-lp-tgl"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), log.begin(), log.end());
    return run_gdsim(more);
  };
  const Ran whole = with({"--format", "json"});
  REQUIRE(whole.status == 0);
  for (const int count : {1, 3}) {
    std::vector<std::string> merge{"--merge", "--format", "json"};
    for (int i = 1; i <= count; ++i) {
      const std::string file = (folder.path() / (std::to_string(count) + "-" + std::to_string(i) + ".sqlite")).string();
      const Ran shard = with({"--shard", std::to_string(i) + "/" + std::to_string(count), "-o", file});
      INFO(shard.err);
      REQUIRE(shard.status == 0);
      CHECK(with({"--shard", std::to_string(i) + "/" + std::to_string(count), "-o", file}).out == shard.out);
      merge.push_back(file);
    }
    const Ran merged = with(merge);
    INFO(merged.err);
    CHECK(merged.status == 0);
    CHECK(merged.out == whole.out);
    if (count == 1) continue;
    merge.pop_back();
    CHECK_THAT(with(merge).err, Catch::Contains("not all choices of cores were decided; run these shards: 3/3"));
    CHECK_THAT(run_gdsim({"infer", out + "/work_groups.csv", "--device", "xe-lp-dg1", "--merge", merge.back()}).err,
               Catch::Contains("is of another inference: its log, device or models differ"));
    CHECK_THAT(with({"--shard", "2/3", "-o", merge.back()}).out, Catch::Contains("shard 2/3: "));
    CHECK_THAT(with({"--shard", "1/3", "-o", merge.back()}).err, Catch::Contains("is that of shard 2/3"));
  }
  for (const std::vector<std::string>& wrong :
       std::vector<std::vector<std::string>>{{"--shard", "0/3", "-o", "x.sqlite"},
                                             {"--shard", "4/3", "-o", "x.sqlite"},
                                             {"--shard", "1/3"},
                                             {"--shard", "1/3", "-o", "x.csv"},
                                             {"-o", "x.sqlite"},
                                             {"--merge"},
                                             {"1-1.sqlite"}})
    CHECK(with(wrong).status == 2);
}

TEST_CASE("infer finds the one policy of VectorAdd1 to 4 and says how many it tried", "[infer][figures]") {
  const Ran ran =
      run_gdsim({"infer", source_path("scenarios/vector_add1.yaml"), source_path("scenarios/vector_add2.yaml"),
                 source_path("scenarios/vector_add3.yaml"), kVectorAdd4, "--format", "json"});
  INFO(ran.err);
  REQUIRE(ran.status == 0);
  const json answer = json::parse(ran.out);
  CHECK(answer["verdict"] == "one");
  CHECK(answer["tried"] == 360);
  REQUIRE(answer["candidates"].size() == 1);
  CHECK(answer["candidates"][0]["rules"] ==
        json{{"placement", "fill_first"}, {"admission", "partial"}, {"ports", 2}, {"handover", "barrier_or_slm"}});
}

TEST_CASE("a series on the command line takes the place of what the scenario expects", "[infer]") {
  const Ran ran = run_gdsim({"infer", kVectorAdd4, "--phases", "45.3,39.3,11.9", "--within", "0.1"});
  CHECK(ran.status == 0);
  CHECK_THAT(ran.out, Catch::StartsWith("Of 360 combinations of placement, admission, ports and handover, 22 give"));
  CHECK_THAT(run_gdsim({"infer", kVectorAdd4, "--phases", "45.3,"}).err,
             Catch::Contains("--phases: '' is no percentage"));
  CHECK_THAT(run_gdsim({"infer", kVectorAdd4, "--within", "1"}).err, Catch::Contains("name both"));
}

TEST_CASE("what infer cannot use is refused with exit status 2", "[infer]") {
  const TemporaryFolder folder;
  const std::string log = folder.write("log.csv", round_robin_log());
  const Ran no_device = run_gdsim({"infer", log});
  CHECK(no_device.status == 2);
  CHECK_THAT(no_device.err, Catch::Contains("--device"));
  CHECK(run_gdsim({"infer"}).status == 2);
  CHECK(run_gdsim({"infer", log, "--device", "no-such-gpu"}).status == 2);
  CHECK(run_gdsim({"infer", log, "--device", "tiny", "--phases", "1"}).status == 2);
  CHECK(run_gdsim({"infer", log, log, "--device", "tiny"}).status == 2);
  CHECK(run_gdsim({"infer", kVectorAdd4, "--device", "tiny"}).status == 2);
  CHECK(run_gdsim({"infer", log, "--device", "tiny", "-o", log}).status == 2);
  const std::string silent =
      folder.write("silent.yaml",
                   "scenario: s\ndevice: tiny\nkernels: {k: {global: 64, local: 8, sub_group: 8, "
                   "program: [compute: 1 us]}}\nlaunches: [{kernel: k}]\n");
  CHECK_THAT(run_gdsim({"infer", silent}).err, Catch::Contains("expects no series"));
}
