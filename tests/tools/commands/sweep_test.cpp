#include "support/builders.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <set>

using namespace gdsim::testing;

// gdsim sweep as a user calls it: tables, pictures, what is refused.

namespace {

/// `tile` warps per work-group; the last work-groups of a bad size make a tail.
std::string tiled(const std::string& more = {}) {
  return "scenario: Tiled\ndevice: tiny\nparameters: {tile: 8, time: 10}\nkernels:\n  k:\n    global: 256\n"
         "    local: = tile\n    sub_group: 8\n    program: [compute: = time * 1 us]\nlaunches: [kernel: k]\n" +
         more;
}

struct SweepFixture {
  TemporaryFolder folder;
  std::string file = folder.write("tiled.yaml", tiled());

  std::string path(const std::string& name) const { return (folder.path() / name).string(); }
  Ran sweep(std::vector<std::string> words) const {
    words.insert(words.begin(), {"sweep", file});
    return run_gdsim(words);
  }
};

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1)
    lines.push_back(text.substr(begin, text.find('\n', begin) - begin));
  return lines;
}

}  // namespace

TEST_CASE_METHOD(SweepFixture, "a sweep is a table with a row per point, each as its own run", "[sweep]") {
  const Ran ran = sweep({"--vary", "tile=8,16,128,12", "--vary", "time=10,20", "--format", "csv"});
  REQUIRE(ran.status == 0);
  const auto rows = lines(ran.out);
  REQUIRE(rows.size() == 9);
  CHECK(rows[0] ==
        "tile,time,status,duration_ns,speedup,peak_occupancy_percent,mean_occupancy_percent,fit_occupancy_percent,"
        "limiter,work_groups_per_core,waves,rank,reason");
  // 32 work-groups of one thread: 2 cores hold 4 each by their slots: 4 waves of 10 us.
  CHECK(rows[1] == "8,10,ok,40000.000,1.0000,50.0000,50.0000,50.0000,work_group_slots,4,4.0000,2,");
  // 16 work-groups of two threads: 2 waves.
  CHECK(rows[3] == "16,10,ok,20000.000,2.0000,100.0000,100.0000,100.0000,threads+work_group_slots,4,2.0000,1,");
  CHECK_THAT(rows[5], Catch::StartsWith("128,10,refused,,,,,,,,,,\"local: a work-group has 128 work-items"));
  CHECK_THAT(rows[7], Catch::StartsWith("12,10,refused,,,,,,,,,,"));
  const Ran alone = run_gdsim({"run", file, "--set", "tile=16", "--set", "time=20", "--print", "summary"});
  CHECK_THAT(alone.out, Catch::Contains("\"duration_ns\": 40000.000"));
  CHECK(rows[4] == "16,20,ok,40000.000,1.0000,100.0000,100.0000,100.0000,threads+work_group_slots,4,2.0000,3,");
}

TEST_CASE_METHOD(SweepFixture, "the number of jobs changes no byte of any output", "[sweep]") {
  std::string first;
  for (const char* jobs : {"1", "2", "7"}) {
    const Ran ran = sweep({"--vary", "tile=8..64+8", "--vary", "time=1..20+1", "--jobs", jobs, "-o", path("t.csv"),
                           "-o", path("t.json"), "-o", path("t.html"), "-o", path("t.svg")});
    REQUIRE(ran.status == 0);
    std::string all = ran.out;
    for (const char* name : {"t.csv", "t.json", "t.html", "t.svg"}) all += read_file(path(name));
    if (first.empty()) first = all;
    CHECK(all == first);
  }
}

TEST_CASE_METHOD(SweepFixture,
                 "devices, policies, paths and keys of the only kernel can be varied, and short names mean the same",
                 "[sweep]") {
  const auto csv = [&](const std::string& vary) {
    const Ran ran = sweep({"--vary", vary, "--format", "csv"});
    INFO(ran.err);
    CHECK(ran.status == 0);
    return ran.out.substr(ran.out.find('\n'));
  };
  CHECK(csv("tile=8,16") == csv("parameters.tile=8,16"));
  CHECK(csv("local=8,16") == csv("kernels.k.local=8,16"));
  CHECK_THAT(csv("device=tiny,h100-sxm"), Catch::Contains("\ntiny,ok,") && Catch::Contains("\nh100-sxm,refused,") &&
                                              Catch::Contains("8 is not a sub-group size"));
  CHECK_THAT(csv("dispatch.placement=fill_first,least_loaded"), Catch::Contains("\nleast_loaded,ok,"));
  CHECK_THAT(csv("device.cores=1,4"), Catch::Contains("\n1,ok,80000.000,") && Catch::Contains("\n4,ok,20000.000,"));
  CHECK_THAT(csv("local=[8];[16]"), Catch::Contains("\n[16],ok,20000.000,"));
}

TEST_CASE_METHOD(SweepFixture, "options choose and rank points: zip, where, sample, metric, best", "[sweep]") {
  const auto count = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--format", "csv"});
    const Ran ran = sweep(words);
    INFO(ran.err);
    CHECK(ran.status == 0);
    return lines(ran.out).size() - 1;
  };
  CHECK(count({"--vary", "tile=8,16", "--vary", "time=1,2", "--zip"}) == 2);
  CHECK(count({"--vary", "tile=8,16,32", "--vary", "time=1,2", "--where", "tile * time < 40"}) == 5);
  CHECK(count({"--vary", "tile=8,16,32", "--where", "tile > time"}) == 2);
  CHECK(count({"--vary", "tile=8..64+8", "--vary", "time=1..1000+1", "--sample", "50", "--seed", "3"}) == 50);
  CHECK(count({"--vary", "tile=8..64+8", "--best", "3"}) == 3);
  const Ran ran = sweep({"--vary", "tile=8,16", "--metric", "mean_occupancy", "--format", "csv"});
  CHECK_THAT(ran.out,
             Catch::Contains("\n8,ok,40000.000,1.0000,50.0000,50.0000,50.0000,work_group_slots,4,4.0000,2,\n"));
}

TEST_CASE_METHOD(SweepFixture, "the text names the best point, what it gains and what limits it", "[sweep]") {
  const Ran ran = sweep({"--vary", "tile=8,16,128"});
  CHECK(ran.status == 0);
  CHECK_THAT(ran.out,
             Catch::Contains("3 points: 2 ok, 1 refused") &&
                 Catch::Contains("The best is tile=16: 20 us, 2.00 times as fast as tile=8; 4 work-groups per core "
                                 "fit, limited by contexts and work-group slots."));
}

TEST_CASE_METHOD(SweepFixture, "the text says what points are ranked by, which end is best, and how rows are ordered",
                 "[sweep]") {
  CHECK_THAT(sweep({"--vary", "tile=8,16"}).out,
             Catch::Contains("2 points: 2 ok; rank 1 has the smallest duration; rows in the order of points\n"));
  CHECK_THAT(sweep({"--vary", "tile=8,16", "--metric", "mean_occupancy"}).out,
             Catch::Contains("; rank 1 has the largest mean occupancy; rows in the order of points\n"));
  CHECK_THAT(sweep({"--vary", "tile=8,128"}).out, Catch::Contains("1 refused\n"));
}

TEST_CASE_METHOD(SweepFixture, "where most points are refused, one line says why, and which are not", "[sweep]") {
  CHECK_THAT(
      sweep({"--vary", "tile=8,24,40,48,56"}).out,
      Catch::Contains("\n4 of 5 points are refused, as the first: global: 256 is not a multiple of local 24; ok: "
                      "`--vary tile=8`.\n"));
  CHECK_THAT(
      sweep({"--vary", "sub_group=1..8+1"}).out,
      Catch::Contains("\n5 of 8 points are refused, as the first: sub_group: 2 is not a sub-group size of tiny (1, 4, "
                      "8); ok: `--vary sub_group=1,4,8`.\n"));
  CHECK_THAT(sweep({"--vary", "tile=64,128,256"}).out,
             Catch::Contains(
                 "\n2 of 3 points are refused, as the first: local: a work-group has 128 work-items, tiny allows at "
                 "most 64; ok: `--vary tile=64`.\n"));
  const std::string planes = folder.write("planes.yaml",
                                          "scenario: Planes\ndevice: tiny\nkernels:\n  k:\n    global: [4, 4, 64]\n"
                                          "    local: [1, 1, 8]\n    sub_group: 8\n    program: [compute: 1 us]\n"
                                          "launches: [kernel: k]\n");
  CHECK_THAT(
      run_gdsim({"sweep", planes, "--vary", "local=8,16"}).out,
      Catch::Contains(
          "2 of 2 points are refused, as the first: local: has another number of dimensions (1) than global (3).\n"));
  CHECK_THAT(run_gdsim({"sweep", planes, "--vary", "local=[1,1,8];[1,1,16]"}).out, Catch::Contains("2 points: 2 ok"));
  CHECK_THAT(
      sweep(
          {"--set", "device=a100-80gb", "--set", "sub_group=32", "--set", "tile=32", "--vary", "registers=64,300,400"})
          .out,
      Catch::Contains("2 of 3 points are refused, as the first: registers: a work-item uses 300 registers, a100-80gb "
                      "allows at most 256; ok: `--vary registers=64`.\n"));
  // The proposal is one word of a shell, a list that --vary would take apart is set, and what is left out is counted.
  const std::string slm = "; ok: `--vary 'slm=2 KiB,4 KiB'`.\n";
  CHECK_THAT(sweep({"--vary", "slm=2 KiB,4 KiB,8 KiB,9 KiB"}).out, Catch::Contains(slm));
  CHECK_THAT(run_gdsim({"sweep", planes, "--vary", "local=[1,1,8];8;16"}).out,
             Catch::Contains("; ok: `--set 'local=[1,1,8]'`.\n"));
  CHECK_THAT(run_gdsim({"sweep", planes, "--vary", "local=[1,1,8];[1,1,16];8;16"}).out,
             Catch::Contains("; ok: `--vary 'local=[1,1,8];[1,1,16]'`.\n"));
  CHECK_THAT(sweep({"--set", "device=a100-80gb", "--set", "sub_group=32", "--set", "tile=32", "--vary",
                    "registers=16..256+16,300..315+1"})
                 .out,
             Catch::Contains("; ok: `--vary registers=16,32,48,64,80,96,112,128,144,160,176,192`, and 4 more.\n"));
  // Half of the points are not most of them, and of a few best rows nothing is said of the others.
  CHECK_THAT(sweep({"--vary", "tile=8,16,24"}).out, !Catch::Contains("are refused"));
  CHECK_THAT(sweep({"--vary", "tile=8,24,40,48", "--best", "1"}).out, !Catch::Contains("are refused"));
}

TEST_CASE_METHOD(SweepFixture, "the sentence is in the words of the device's vendor, of a merged study, too",
                 "[sweep]") {
  const std::vector<std::string> blocks{"--set", "device=a100-80gb", "--set", "sub_group=32", "--vary", "tile=32,64"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), blocks.begin(), blocks.end());
    return sweep(more).out;
  };
  const std::string sentence = "32 blocks per SM fit, limited by warp slots and block slots.";
  CHECK_THAT(with({}), Catch::Contains(sentence) && Catch::Contains("work_group_slots\n"));
  CHECK_THAT(with({"--metric", "work_groups_per_core"}), Catch::Contains(": 32 blocks per SM, "));
  with({"--shard", "1/1", "-o", path("1.sqlite")});
  CHECK_THAT(run_gdsim({"sweep", "--merge", path("1.sqlite")}).out, Catch::Contains(sentence));
  CHECK_THAT(with({"--vary", "device.base=a100-80gb,h100-sxm"}),
             Catch::Contains("32 work-groups per core fit, limited by contexts and work-group slots."));
}

TEST_CASE_METHOD(SweepFixture, "a point that cannot be read is a row, wherever it stands in the list", "[sweep]") {
  const std::string divided =
      folder.write("divided.yaml",
                   "scenario: Divided\ndevice: tiny\nparameters: {t: 0}\nkernels:\n  k:\n    global: 8\n    local: 8\n"
                   "    sub_group: 8\n    program: [compute: = 8 / t us]\nlaunches: [kernel: k]\n");
  const auto rows_of = [&](const std::string& list, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"sweep", divided, "--vary", "t=" + list, "--format", "csv"});
    const Ran ran = run_gdsim(more);
    INFO(ran.err);
    CHECK(ran.status == 0);
    std::multiset<std::string> rows;
    for (const std::string& line : lines(ran.out))
      if (const std::size_t comma = line.find(','); !line.empty())
        rows.insert(line.substr(0, line.find(',', comma + 1)));
    return rows;
  };
  const std::multiset<std::string> four{"t,status", "0,refused", "1,ok", "2,ok", "0.0,refused"};
  for (const char* list : {"0,1,2,0.0", "0,1,0.0,2", "1,2,0,0.0", "0,0.0,1,2"}) CHECK(rows_of(list) == four);
  // Alone, too, if the scenario itself is sound.
  CHECK(rows_of("0", {"--set", "t=4"}) == std::multiset<std::string>{"t,status", "0,refused"});
  CHECK(rows_of("0,0.0", {"--set", "t=4"}) == std::multiset<std::string>{"t,status", "0,refused", "0.0,refused"});
  CHECK_THAT(sweep({"--vary", "tile=a,b", "--format", "csv"}).out,
             Catch::Contains("\na,refused,") && Catch::Contains("\nb,refused,") &&
                 Catch::Contains("tile: is 'b'; a parameter is a number"));
  CHECK_THAT(sweep({"--vary", "tile=8,16", "--vary", "repeat=1,3", "--format", "csv"}).out,
             Catch::Contains("\n8,1,ok,") && Catch::Contains("\n8,3,refused,") &&
                 Catch::Contains("a point of a sweep is one run"));
}

TEST_CASE_METHOD(SweepFixture, "a scenario that is sound at no point, and not by itself, is refused as a file",
                 "[sweep]") {
  const std::string broken = folder.write("broken.yaml", tiled("colour: red\n"));
  const Ran ran = run_gdsim({"sweep", broken, "--vary", "tile=1..64+1", "-o", path("out.csv")});
  CHECK(ran.status == 2);
  CHECK_THAT(ran.err, Catch::Contains("broken.yaml:11:1: error: scenario: unknown key 'colour'"));
  CHECK_THAT(folder.listing(), !Catch::Contains("out.csv"));
}

TEST_CASE("a point whose run deadlocks, or comes to a bound, is a row that says why") {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "d.yaml",
      "scenario: D\ndevice: tiny\nkernels:\n  k:\n    global: 8\n    local: 8\n    sub_group: 1\n"
      "    program:\n      - only: {threads: 0-3, body: [barrier: b]}\n      - only: {threads: 4, body: [wait: "
      "s]}\n      - compute: 1 us\nlaunches: [kernel: k]\n");
  const Ran ran = run_gdsim({"sweep", file, "--vary", "local=8", "--format", "csv"});
  INFO(ran.err);
  CHECK(ran.status == 0);
  CHECK_THAT(ran.out, Catch::Contains("\n8,deadlocked,,,,,,,,,,nothing can happen any more: "));
  const std::string slow = folder.write("slow.yaml", tiled());
  const Ran bounded = run_gdsim({"sweep", slow, "--vary", "time=1,1000", "--max-time", "100 us", "--format", "csv"});
  CHECK_THAT(bounded.out, Catch::Contains("\n1,ok,4000.000,") &&
                              Catch::Contains("\n1000,interrupted,,,,,,,,,,came to its bound at 100 us"));
}

TEST_CASE_METHOD(SweepFixture, "what is wrong with the call is said before a point is run, and nothing is written",
                 "[sweep]") {
  const auto refused = [&](std::vector<std::string> words, const std::string& what) {
    words.insert(words.end(), {"-o", path("out.csv")});
    const Ran ran = sweep(words);
    INFO(ran.err);
    CHECK(ran.status == 2);
    CHECK_THAT(ran.err, Catch::Contains(what));
    CHECK(ran.out.empty());
    CHECK(folder.listing() == "tiled.yaml");
  };
  refused({}, "--vary NAME=LIST is needed");
  refused({"--vary", "tile"}, "is not NAME=LIST");
  refused({"--vary", "tlie=1"}, "unknown key 'tlie'");
  refused({"--vary", "tile=8,16", "--vary", "kernels.k.locale=1,2"}, "unknown key 'locale'");
  refused({"--vary", "kernels.kk.local=1,2"}, "--vary kernels.kk.local: kernels.kk.local: there is no kernel 'kk'");
  refused({"--vary", "tile=1,2", "--vary", "parameters.tile=3"}, "names the same value as another --vary");
  refused({"--vary", "tile=8", "--where", "tile > 8"}, "drops all 1 points");
  refused({"--vary", "tile=8", "--where", "tile >"}, "column 7: a value is missing");
  refused({"--vary", "tile=8", "--metric", "speed"}, "--metric is 'speed'; known: duration");
  refused({"--vary", "tile=8", "--metric", "wave"}, "waves; did you mean 'waves'?");
  refused({"--vary", "tile=8", "--best", "0"}, "--best '0' is not a whole number of at least 1");
  refused({"--vary", "tile=8", "--seed", "1"}, "--seed belongs to --sample");
  refused({"--vary", "tile=8", "--shard", "1/2"}, "--shard writes a store and nothing else");
  refused({"--vary", "tile=8", "--resume"}, "--resume continues a store");
  refused({"--vary", "tile=8", "-o", path("x.txt")},
          "has no suffix that says what to write; known: .csv, .json, .sqlite");
  refused({"--vary", "tile=8", "-o", path("a.sqlite"), "-o", path("b.sqlite")}, "names two stores");
  refused({"--vary", "tile=8", "--set", "repeat=3"}, "a point of a sweep is one run");
  refused({"--vary", "tile=8", "--format", "xml"}, "--format is 'xml'; known: text, csv, json");
}

TEST_CASE_METHOD(SweepFixture, "a scenario with cases needs --case", "[sweep]") {
  const std::string cases = folder.write("cases.yaml", tiled("cases:\n  - {name: a, set: {time: 1}}\n  - {name: b}\n"));
  CHECK_THAT(run_gdsim({"sweep", cases, "--vary", "tile=8"}).err,
             Catch::Contains("the scenario has several cases; choose one with --case NAME; known: a, b"));
  CHECK_THAT(run_gdsim({"sweep", cases, "--vary", "tile=8", "--case", "a", "--format", "csv"}).out,
             Catch::Contains("\n8,ok,4000.000,"));
}

TEST_CASE_METHOD(SweepFixture, "a picture marks the best point and crosses those that are refused, each with its words",
                 "[sweep]") {
  REQUIRE(sweep({"--vary", "tile=8,16,128", "-o", path("curve.svg"), "-o", path("curve.html")}).status == 0);
  for (const char* name : {"curve.svg", "curve.html"}) {
    const std::string text = read_file(path(name));
    CHECK_THAT(text,
               Catch::Contains("class=\"mark ok best\"") &&
                   Catch::Contains("aria-label=\"Best: tile=16: 20 us, rank 1 of 2, 2.00 times as fast as tile=8") &&
                   Catch::Contains("class=\"mark refused\"") &&
                   Catch::Contains("aria-label=\"tile=128: refused, local: a work-group has 128 work-items"));
  }
  REQUIRE(sweep({"--vary", "tile=8,16,32", "--vary", "time=1,2", "-o", path("map.svg")}).status == 0);
  const std::string map = read_file(path("map.svg"));
  CHECK_THAT(map, Catch::Contains("data-at=\"1,2\"") && Catch::Contains("cell9") && Catch::Contains("cell1"));
  REQUIRE(sweep({"--vary", "tile=8,16", "--vary", "time=1,2", "--vary", "dispatch.ports=1,2", "-o", path("maps.svg")})
              .status == 0);
  CHECK_THAT(read_file(path("maps.svg")), Catch::Contains(">tile=8</text>") && Catch::Contains(">tile=16</text>"));
}

TEST_CASE_METHOD(SweepFixture, "shards are merged into a new store, which then has every point, and into tables",
                 "[sweep]") {
  const auto shard = [&](const std::string& number) {
    return sweep({"--vary", "tile=8,16,32", "--shard", number + "/2", "-o", path(number + ".sqlite")}).status;
  };
  REQUIRE(shard("1") == 0);
  REQUIRE(shard("2") == 0);
  const Ran merged = run_gdsim(
      {"sweep", "--merge", path("1.sqlite"), path("2.sqlite"), "-o", path("all.sqlite"), "-o", path("all.csv")});
  INFO(merged.err);
  REQUIRE(merged.status == 0);
  CHECK_THAT(folder.listing(), !Catch::Contains("partial"));
  const std::string whole = sweep({"--vary", "tile=8,16,32", "--format", "csv"}).out;
  CHECK(read_file(path("all.csv")) == whole);
  CHECK(run_gdsim({"sweep", "--merge", path("all.sqlite"), "--format", "csv"}).out == whole);
}

TEST_CASE_METHOD(SweepFixture, "the batch script for Slurm is a shell script that runs, retries and merges the shards",
                 "[sweep]") {
  const Ran ran = sweep({"--vary", "tile=8,16", "--slurm", "4", "-o", path("it's all.sqlite")});
  REQUIRE(ran.status == 0);
  CHECK_THAT(ran.out, Catch::StartsWith("#!/bin/sh\n") && Catch::Contains("count=4\n") &&
                          Catch::Contains("'--vary=tile=8,16'") && Catch::Contains("it'\\''s all.sqlite"));
  const std::string script = folder.write("sweep.slurm", ran.out);
  CHECK(run_shell("sh -n " + script).status == 0);
  CHECK_THAT(sweep({"--vary", "tile=8,16", "--slurm", "4"}).err,
             Catch::Contains("--slurm needs to know what comes out"));
}

TEST_CASE_METHOD(SweepFixture, "what ranks the table goes to the merge of a batch script, and a shard has none",
                 "[sweep]") {
  const std::vector<std::string> words{"--vary", "tile=8,16,32", "--metric", "mean_occupancy", "--best", "2"};
  auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), words.begin(), words.end());
    return sweep(more);
  };
  const std::string script =
      folder.write("sweep.slurm", with({"--slurm", "2", "-o", path("all.sqlite"), "-o", path("all.csv")}).out);
  // Both shards, then the merge, as Slurm would run them.
  const std::string run = "GDSIM_SHARDS='" + path("shards") + "' sh " + script;
  folder.write("shards/.keep", "");
  for (const char* shard : {"1", "2"}) {
    const Ran ran = run_shell("SLURM_ARRAY_TASK_ID=" + std::string(shard) + " " + run + " shard");
    INFO(ran.err);
    REQUIRE(ran.status == 0);
  }
  const Ran merged = run_shell(run + " finish 1");
  INFO(merged.err);
  REQUIRE(merged.status == 0);
  CHECK(read_file(path("all.csv")) == with({"--format", "csv"}).out);
  const Ran both = with({"--slurm", "2", "--shard", "1/2", "-o", path("all.sqlite")});
  CHECK(both.status == 2);
  CHECK_THAT(both.err, Catch::Contains("--slurm takes no --shard; it runs all shards"));
}

TEST_CASE_METHOD(SweepFixture, "a sweep says what its points rest on, each time, also after shards were merged",
                 "[sweep]") {
  const std::string note =
      "The scenario declares the durations of compute steps: the run predicts the shape of occupancy, not wall time.";
  const Ran ran = sweep({"--vary", "tile=8,16", "-o", path("t.json"), "-o", path("t.html")});
  REQUIRE(ran.status == 0);
  CHECK_THAT(ran.out, Catch::EndsWith("\n" + note + "\n"));
  CHECK_THAT(read_file(path("t.json")), Catch::Contains("\"notes\": [\n    \"" + note + "\"\n  ]"));
  CHECK_THAT(read_file(path("t.html")), Catch::Contains("<p class=\"note\">" + note + "</p>"));
  for (const char* shard : {"1/2", "2/2"})
    REQUIRE(
        sweep({"--vary", "tile=8,16", "--shard", shard, "-o", path("s" + std::string(1, *shard) + ".sqlite")}).status ==
        0);
  const Ran merged = run_gdsim({"sweep", "--merge", path("s1.sqlite"), path("s2.sqlite"), "-o", path("m.json")});
  REQUIRE(merged.status == 0);
  CHECK(read_file(path("m.json")) == read_file(path("t.json")));
}

TEST_CASE_METHOD(SweepFixture, "points that are as good as the best are named beside it", "[sweep]") {
  CHECK_THAT(sweep({"--vary", "time=1000,1004,1006"}).out,
             Catch::Contains(" time=1004 is within 0.5 % of the best.\n"));
  CHECK_THAT(sweep({"--vary", "time=1000..1005+1"}).out,
             Catch::Contains(" time=1001, time=1002, time=1003 and 2 more points are within 0.5 % of the best.\n"));
  CHECK_THAT(sweep({"--vary", "time=1000,1006"}).out, !Catch::Contains("of the best"));
}
