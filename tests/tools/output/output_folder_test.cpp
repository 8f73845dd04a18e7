#include "support/builders.hpp"
#include "support/process.hpp"
#include "support/run_folders.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <csignal>
#include <filesystem>

// The folder of a run: nothing of the user's is lost in it, and it is whole or says that it is not.

using namespace gdsim::testing;
namespace fs = std::filesystem;

namespace {

const std::string kRepeated =
    "scenario: Repeated\ndevice: tiny\nkernels:\n  k:\n    global: 80\n    local: 8\n    sub_group: 8\n"
    "    program: [compute: 1 us]\n    variation: {distribution: lognormal, cv: 0.2, seed: 1}\n"
    "launches: [kernel: k]\nrepeat: 3\n";

const std::string kEndless =
    "scenario: Endless\ndevice: tiny\nkernels:\n  k:\n    global: 8000000000000\n    local: 8\n    sub_group: 8\n"
    "    program: [compute: 1 us]\n    variation: {distribution: normal, cv: 0.1, seed: 1}\nlaunches: [kernel: k]\n";

/// A line of shell that begins an endless run with these outputs, and continues when it writes into `folder`.
std::string begin_endless(const std::string& words, const std::string& folder) {
  return "\"$GDSIM\" run " + words + " & pid=$!; until ls -A " + folder +
         " 2>/dev/null | grep -q gdsim-partial; do kill -0 $pid || exit 9; done; ";
}

/// Returns true if something in the folder has a name that gdsim gives to unfinished files.
bool has_leftovers(const TemporaryFolder& folder) { return folder.listing().find(".gdsim-") != std::string::npos; }

}  // namespace

TEST_CASE("files of the user that a run would overwrite are refused, all at once, before it runs") {
  const TemporaryFolder folder;
  folder.write("out/samples.csv", "measured");
  folder.write("out/timeline.csv", "measured, too");
  folder.write("out/summary.json", "{\"mine\": 1}");
  const std::string out = (folder.path() / "out").string();
  const Ran ran = run_gdsim({"run", folder.write("endless.yaml", kEndless), "-o", out, "--sample", "1 s"});
  CHECK(ran.status == 2);
  CHECK_THAT(ran.err, Catch::Contains(out + "/samples.csv: error: would be overwritten, but gdsim did not write it") &&
                          Catch::Contains("mv " + out + "/samples.csv " + out + "/samples.csv.mine") &&
                          Catch::Contains(out + "/timeline.csv: error: ") &&
                          Catch::Contains(out + "/summary.json: error: "));
  CHECK(folder.listing() == "endless.yaml out out/samples.csv out/summary.json out/timeline.csv");
  CHECK(read_file(out + "/samples.csv") == "measured");
}

TEST_CASE("files of the user beside a run stay, also where an earlier gdsim would have taken them for its own") {
  const TemporaryFolder folder;
  for (const std::string name : {"samples.csv", "bands.csv", "repetitions.csv"}) folder.write(name, "mine");
  REQUIRE(run_gdsim({"run", kVectorAdd4, "-o", folder.path().string()}).status == 0);
  REQUIRE(run_gdsim({"run", kVectorAdd4, "-o", folder.path().string()}).status == 0);
  for (const std::string name : {"samples.csv", "bands.csv", "repetitions.csv"})
    CHECK(read_file(folder.path() / name) == "mine");
}

TEST_CASE("files of an earlier run that the next one does not write go, unless the user changed them") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  REQUIRE(run_gdsim({"run", folder.write("r.yaml", kRepeated), "-o", out, "--sample", "1 us"}).status == 0);
  REQUIRE(fs::exists(folder.path() / "out/samples.csv"));
  folder.write("out/bands.csv", "with notes");
  REQUIRE(run_gdsim({"run", kVectorAdd4, "-o", out}).status == 0);
  CHECK_FALSE(fs::exists(folder.path() / "out/samples.csv"));
  CHECK_FALSE(fs::exists(folder.path() / "out/repetitions.csv"));
  CHECK(read_file(folder.path() / "out/bands.csv") == "with notes");
}

TEST_CASE("a file of an earlier run that the user changed is not overwritten") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  REQUIRE(run_gdsim({"run", kVectorAdd4, "-o", out}).status == 0);
  folder.write("out/phases.csv", "with notes");
  const Ran ran = run_gdsim({"run", kVectorAdd4, "-o", out});
  CHECK(ran.status == 2);
  CHECK_THAT(ran.err, Catch::Contains("phases.csv: error: would be overwritten, but it was changed since"));
  CHECK(read_file(folder.path() / "out/phases.csv") == "with notes");
}

TEST_CASE("a folder's summary lists every file beside it with size and SHA-256, and only there") {
  const TemporaryFolder folder;
  const fs::path out = folder.path() / "out";
  REQUIRE(run_gdsim({"run", kVectorAdd4, "-o", out.string(), "--sample", "1 ms"}).status == 0);
  const auto summary = nlohmann::json::parse(read_file(out / "summary.json"));
  std::string sums, names = "summary.json";
  for (const auto& file : summary["files"]) {
    const std::string name = file["file"];
    CHECK(fs::file_size(out / name) == file["bytes"]);
    sums += file["sha256"].get<std::string>() + "  " + (out / name).string() + "\n";
  }
  CHECK(summary["files"].size() == 11);
  const std::string list = folder.write("sums", sums);
  CHECK(run_shell("sha256sum --strict -c " + list).status == 0);
  CHECK_THAT(run_gdsim({"run", kVectorAdd4, "--print", "summary"}).out, !Catch::Contains("\"files\""));
}

TEST_CASE("of a folder with cases, the summary names them, and lists cases.csv") {
  const TemporaryFolder folder;
  REQUIRE(run_gdsim({"run", source_path("scenarios/vector_add2.yaml"), "-o", folder.path().string()}).status == 0);
  const auto summary = nlohmann::json::parse(read_file(folder.path() / "summary.json"));
  CHECK(summary["cases"].size() == 19);
  CHECK(summary["files"].size() == 1);
  CHECK(summary["files"][0]["file"] == "cases.csv");
  CHECK(nlohmann::json::parse(read_file(folder.path() / "n44/summary.json"))["files"].size() == 10);
}

TEST_CASE("a folder that is a mixture of two runs is refused when read") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string(), other = (folder.path() / "other").string();
  REQUIRE(run_gdsim({"run", kVectorAdd4, "-o", other}).status == 0);
  const std::string measured = folder.write("m.csv", "time_ms,percent\n0,50\n10,25\n");
  for (const std::string name : {"timeline.csv", "work_groups.csv", "scenario_as_run.yaml", "graph.dot"}) {
    REQUIRE(run_gdsim({"run", source_path("scenarios/vector_add3.yaml"), "-o", out}).status == 0);
    REQUIRE(run_gdsim({"report", out, "-o", "-"}).status == 0);
    fs::copy(other + "/" + name, out + "/" + name, fs::copy_options::overwrite_existing);
    for (const Ran& ran :
         {run_gdsim({"report", out, "-o", "-"}), run_gdsim({"compare", out, "--measured", measured})}) {
      INFO(name);
      CHECK(ran.status == 2);
      CHECK(ran.out.empty());
      CHECK_THAT(ran.err, Catch::Contains(name + ": error: has other content") && Catch::Contains("not whole"));
    }
    fs::remove_all(out);
  }
}

TEST_CASE("a folder of which a file is missing, or that lists none, is not whole") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  REQUIRE(run_gdsim({"run", kVectorAdd4, "-o", out}).status == 0);
  fs::remove(out + "/kernels.csv");
  CHECK_THAT(run_gdsim({"report", out, "-o", "-"}).err,
             Catch::Contains("kernels.csv: error: is missing, or cannot be read; summary.json lists"));
  folder.write("out/summary.json", run_gdsim({"run", kVectorAdd4, "--print", "summary"}).out);
  const Ran ran = run_gdsim({"report", out, "-o", "-"});
  CHECK(ran.status == 2);
  CHECK_THAT(ran.err, Catch::Contains("summary.json:1:1: error: there is no list `files`"));
}

TEST_CASE("a folder into which another run writes is refused at once, and the other continues") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  const Ran ran = run_shell(begin_endless(folder.write("e.yaml", kEndless) + " -o " + out, out) + "\"$GDSIM\" run " +
                            kVectorAdd4 + " -o " + out + "; echo status $?; kill -INT $pid; wait $pid; echo $?");
  CHECK_THAT(ran.out, Catch::Contains("status 2\n130\n"));
  CHECK_THAT(ran.err, Catch::Contains("another run of gdsim is writing into this folder"));
  CHECK_THAT(read_file(out + "/summary.json"), Catch::Contains("\"scenario\": \"Endless\""));
  CHECK_FALSE(has_leftovers(folder));
}

TEST_CASE("what a run left that was killed is removed by the next one, in a folder and beside a file") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string(), trace = (folder.path() / "t.pftrace").string();
  const std::string endless = folder.write("e.yaml", kEndless);
  fs::create_directory(out);
  for (const std::string signal : {"KILL", "USR1"}) {
    run_shell(begin_endless(endless + " -o " + out + " --trace " + trace, folder.path().string()) + "kill -" + signal +
              " $pid; wait $pid");
    REQUIRE(has_leftovers(folder));
    REQUIRE(run_gdsim({"run", kVectorAdd4, "-o", out, "--trace", trace}).status == 0);
    CHECK_FALSE(has_leftovers(folder));
  }
}

TEST_CASE("what a living run writes aside is not removed by another") {
  const TemporaryFolder folder;
  const std::string trace = (folder.path() / "t.pftrace").string();
  const Ran ran =
      run_shell(begin_endless(folder.write("e.yaml", kEndless) + " --trace " + trace, folder.path().string()) +
                "\"$GDSIM\" run " + kVectorAdd4 + " --trace " + trace +
                ".other > /dev/null; kill -INT $pid; "
                "wait $pid; echo $?");
  CHECK_THAT(ran.out, Catch::EndsWith("\n130\n"));
  CHECK(folder.listing() == "e.yaml t.pftrace t.pftrace.other");
}

TEST_CASE("a terminal that is closed ends a run with its files, a limit on the size of files is an error") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string(), endless = folder.write("e.yaml", kEndless);
  const Ran closed = run_gdsim_until_signal(SIGHUP, {"run", endless, "-o", out});
  CHECK(closed.status == 130);
  CHECK_THAT(read_file(out + "/summary.json"), Catch::Contains("\"outcome\": \"interrupted\""));
  const Ran limited = run_shell("prlimit --fsize=0 \"$GDSIM\" run " + kVectorAdd4 + " -o " + out + ".new 2>&1 | cat");
  CHECK_THAT(limited.out, Catch::Contains("cannot be written: File too large"));
  CHECK_FALSE(fs::exists(out + ".new"));
}

TEST_CASE("a commit that was begun is read as the new run, and ended by the next run only if nothing is lost") {
  const TemporaryFolder folder;
  const fs::path out = folder.path() / "out";
  REQUIRE(run_gdsim({"run", kVectorAdd4, "-o", out.string()}).status == 0);
  const std::string page = run_gdsim({"report", out.string(), "-o", "-"}).out;
  // As a kill behind the first file leaves it: the others and the summary are not in place.
  std::string changes;
  fs::create_directories(out / ".gdsim-commit/files");
  for (const std::string name : {"cores.csv", "summary.json"}) {
    const std::string sum = run_program({"/usr/bin/sha256sum", (out / name).string()}).out.substr(0, 64);
    changes += std::string(changes.empty() ? "" : ",") + "{\"file\": \"" + name +
               "\", \"before\": \"\", \"after\": \"" + sum + "\"}";
    fs::rename(out / name, out / ".gdsim-commit/files" / name);
  }
  folder.write("out/.gdsim-commit/journal.json", "{\"changes\": [" + changes + "]}");
  CHECK((run_gdsim({"report", out.string(), "-o", "-"}).out == page));
  folder.write("out/cores.csv", "mine");
  const Ran refused = run_gdsim({"run", kVectorAdd4, "-o", out.string()});
  CHECK(refused.status == 2);
  CHECK_THAT(refused.err,
             Catch::Contains("cores.csv: error: would be overwritten by the files of a run that was killed"));
  CHECK(read_file(out / "cores.csv") == "mine");
  fs::remove(out / "cores.csv");
  REQUIRE(run_gdsim({"run", kVectorAdd4, "-o", out.string()}).status == 0);
  CHECK((run_gdsim({"report", out.string(), "-o", "-"}).out == page));
  CHECK_FALSE(has_leftovers(folder));
}

TEST_CASE("a journal that leads out of its folder is not followed") {
  const TemporaryFolder folder;
  const std::string victim = folder.write("victim", "mine");
  const std::string sum = run_program({"/usr/bin/sha256sum", victim}).out.substr(0, 64);
  folder.write("out/.gdsim-commit/files/x", "planted");
  for (const std::string file : {"../victim", "/tmp/x", "a/../../victim", ".hidden", ""}) {
    folder.write("out/.gdsim-commit/journal.json",
                 "{\"changes\": [{\"file\": \"" + file + "\", \"before\": \"" + sum + "\", \"after\": \"\"}]}");
    const Ran ran = run_gdsim({"run", kVectorAdd4, "-o", (folder.path() / "out").string()});
    CHECK(ran.status == 2);
    CHECK_THAT(ran.err, Catch::Contains("journal.json: error: is not what gdsim wrote"));
  }
  CHECK(read_file(victim) == "mine");
}

TEST_CASE("a commit that was begun is ended though the folder of a case, which it had made, is gone") {
  const TemporaryFolder folder;
  const fs::path out = folder.path() / "out";
  const std::string file =
      folder.write("cases.yaml",
                   "scenario: S\ndevice: tiny\nkernels:\n  k: {global: 8, local: 8, sub_group: 8, program: [compute: 1 "
                   "us]}\nlaunches: [kernel: k]\ncases: [{name: one}, {name: two, set: {kernels.k.global: 16}}]\n");
  REQUIRE(run_gdsim({"run", file, "-o", out.string()}).status == 0);
  const std::string cores = read_file(out / "two/cores.csv");
  std::string changes;
  fs::create_directories(out / ".gdsim-commit/files");
  for (const auto& entry : fs::directory_iterator(out / "two")) {
    const std::string name = "two/" + entry.path().filename().string();
    const std::string sum = run_program({"/usr/bin/sha256sum", entry.path().string()}).out.substr(0, 64);
    changes += std::string(changes.empty() ? "" : ",") + "{\"file\": \"" + name +
               "\", \"before\": \"\", \"after\": \"" + sum + "\"}";
  }
  fs::rename(out / "two", out / ".gdsim-commit/files/two");
  folder.write("out/.gdsim-commit/journal.json", "{\"changes\": [" + changes + "]}");
  // The next run first ends that commit; it has no case `two` itself.
  REQUIRE(run_gdsim({"run", file, "-o", out.string(), "--case", "one"}).status == 0);
  CHECK_FALSE(has_leftovers(folder));
  CHECK((!fs::exists(out / "two/cores.csv") || read_file(out / "two/cores.csv") == cores));
}
