#include "support/builders.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <csignal>
#include <filesystem>
#include <set>

// The folder of a run: nothing of the user's is lost in it, and it is whole or says that it is not.

using namespace gdsim::testing;
namespace fs = std::filesystem;

namespace {

const std::string kEndless =
    "scenario: Endless\ndevice: tiny\nkernels:\n  k:\n    global: 8000000000000\n    local: 8\n    sub_group: 8\n"
    "    program: [compute: 1 us]\n    variation: {distribution: normal, cv: 0.1, seed: 1}\nlaunches: [kernel: k]\n";

/// A line of shell that begins an endless run with these outputs, and continues when it writes in `folder`.
std::string begin_endless(const std::string& words, const fs::path& folder) {
  return "\"$GDSIM\" run " + words + " & pid=$!; until ls -A " + folder.string() +
         " 2>/dev/null | grep -q gdsim-partial; do kill -0 $pid || exit 9; done; ";
}

/// Returns true if something in the folder has a name that gdsim gives to unfinished files.
bool has_leftovers(const TemporaryFolder& folder) { return folder.listing().find(".gdsim-") != std::string::npos; }

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

}  // namespace

TEST_CASE("a folder that holds what gdsim did not write is refused, with all of that, before anything runs") {
  const TemporaryFolder folder;
  folder.write("out/notes.txt", "mine");
  folder.write("out/timeline.csv", "measured");
  folder.write("out/summary.json", "{\"mine\": 1}");
  folder.write("out/more/notes.txt", "mine, too");
  const std::string before = folder.listing();
  const std::string out = (folder.path() / "out").string();
  const Ran ran = run_gdsim({"run", folder.write("endless.yaml", kEndless), "-o", out});
  CHECK(ran.status == 2);
  for (const std::string name : {"notes.txt", "timeline.csv", "summary.json", "more"})
    CHECK_THAT(ran.err, Catch::Contains(out + "/" + name +
                                        ": error: is not gdsim's, and gdsim would replace its folder as a whole") &&
                            Catch::Contains("mv " + out + "/" + name + " " + folder.path().string()));
  CHECK_THAT(run_gdsim({"run", kVectorAdd4, "-o", out + "/"}).err,
             Catch::Contains("mv " + out + "/notes.txt " + folder.path().string() + ")"));
  CHECK(folder.listing() == "endless.yaml " + before);
  CHECK(read_file(out + "/timeline.csv") == "measured");
}

TEST_CASE(
    "what the user put beside a run's files, or into the folder of a case, keeps the folder from being replaced") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  const std::string cases = source_path("scenarios/vector_add2.yaml");
  for (const std::string name : {"out/notes.txt", "out/n44/notes.txt", "out/n44/more/notes.txt"}) {
    REQUIRE(run_gdsim({"run", cases, "-o", out}).status == 0);
    const std::string mine = folder.write(name, "mine");
    const std::string before = folder.listing();
    const Ran ran = run_gdsim({"run", cases, "-o", out});
    INFO(name << ran.err);
    CHECK(ran.status == 2);
    CHECK_THAT(ran.err, Catch::Contains(name.find("more") == std::string::npos ? name : "out/n44/more: error: is not"));
    CHECK(folder.listing() == before);
    CHECK(read_file(mine) == "mine");
    fs::remove_all(name.find("more") == std::string::npos ? fs::path(mine) : fs::path(out) / "n44/more");
  }
  // A link is not followed, and not taken for a file of gdsim.
  fs::remove(out + "/cases.csv");
  fs::create_symlink(folder.write("elsewhere.csv", "mine"), out + "/cases.csv");
  CHECK(run_gdsim({"run", cases, "-o", out}).status == 2);
  CHECK(read_file(folder.path() / "elsewhere.csv") == "mine");
}

TEST_CASE("a file of an earlier run whose size changed is the user's") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  REQUIRE(run_gdsim({"run", kVectorAdd4, "-o", out}).status == 0);
  folder.write("out/phases.csv", "with notes");
  const Ran ran = run_gdsim({"run", kVectorAdd4, "-o", out});
  CHECK(ran.status == 2);
  CHECK_THAT(ran.err, Catch::Contains("phases.csv: error: was changed since gdsim wrote it"));
  CHECK(read_file(folder.path() / "out/phases.csv") == "with notes");
}

TEST_CASE("a folder is replaced as a whole: files, cases and links to it") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string(), once = (folder.path() / "once").string();
  REQUIRE(run_gdsim({"run", source_path("scenarios/vector_add2.yaml"), "-o", out, "--sample", "1 ms"}).status == 0);
  fs::permissions(out, fs::perms::owner_all | fs::perms::group_all);
  fs::create_directory_symlink("out", folder.path() / "link");
  REQUIRE(run_gdsim({"run", kVectorAdd4, "-o", (folder.path() / "link").string()}).status == 0);
  REQUIRE(run_gdsim({"run", kVectorAdd4, "-o", once}).status == 0);
  CHECK(fs::is_symlink(folder.path() / "link"));
  CHECK(names_in(out) == names_in(once));
  CHECK(fs::status(out).permissions() == (fs::perms::owner_all | fs::perms::group_all));
  CHECK_FALSE(has_leftovers(folder));
}

TEST_CASE("a folder that a version before 0.4.0 wrote is recognised") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  REQUIRE(run_gdsim({"run", kVectorAdd4, "-o", out}).status == 0);
  // It had a SHA-256 of each file, and no version.
  auto summary = nlohmann::json::parse(read_file(out + "/summary.json"));
  for (auto& file : summary["files"]) file["sha256"] = std::string(64, '0');
  summary.erase("gdsim_version");
  folder.write("out/summary.json", summary.dump(2));
  CHECK(run_gdsim({"run", kVectorAdd4, "-o", out}).status == 0);
  CHECK_FALSE(has_leftovers(folder));
}

TEST_CASE("the current folder is written into, not exchanged: a shell in it sees the new run") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  REQUIRE(run_gdsim({"run", source_path("scenarios/vector_add2.yaml"), "-o", out}).status == 0);
  const Ran ran = run_shell("cd " + out + " && \"$GDSIM\" run " + kVectorAdd4 + " -o . && ls");
  CHECK(ran.status == 0);
  CHECK_THAT(ran.out, Catch::Contains("timeline.csv\n") && !Catch::Contains("cases.csv") && !Catch::Contains("n44"));
  CHECK_FALSE(has_leftovers(folder));
  CHECK(run_gdsim({"report", out, "-o", "-"}).status == 0);
  folder.write("out/notes.txt", "mine");
  CHECK(run_shell("cd " + out + " && \"$GDSIM\" run " + kVectorAdd4 + " -o .").status == 2);
}

TEST_CASE("files that were being moved in when a run was killed are known to be gdsim's by their list") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  REQUIRE(run_gdsim({"run", kVectorAdd4, "-o", out}).status == 0);
  fs::remove(out + "/summary.json");
  CHECK(run_gdsim({"run", kVectorAdd4, "-o", out}).status == 2);
  std::string list;
  for (const auto& entry : fs::directory_iterator(out)) list += entry.path().filename().string() + "\n";
  folder.write("out/.gdsim-files", list);
  CHECK(run_gdsim({"run", kVectorAdd4, "-o", out}).status == 0);
  CHECK_FALSE(has_leftovers(folder));
}

TEST_CASE("a trace is not written into the folder of the run, which is replaced as a whole") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  const Ran ran = run_gdsim({"run", kVectorAdd4, "-o", out, "--trace", out + "/../out/x.pftrace"});
  CHECK(ran.status == 2);
  CHECK_THAT(ran.err, Catch::Contains("write it beside: " + (folder.path() / "x.pftrace").string()));
  CHECK(folder.listing().empty());
  CHECK(run_gdsim({"run", kVectorAdd4, "-o", out, "--trace", out + ".pftrace"}).status == 0);
}

TEST_CASE("a folder's summary lists every file beside it with its size, and the version, and only there") {
  const TemporaryFolder folder;
  const fs::path out = folder.path() / "out";
  REQUIRE(run_gdsim({"run", kVectorAdd4, "-o", out.string(), "--sample", "1 ms"}).status == 0);
  const auto summary = nlohmann::json::parse(read_file(out / "summary.json"));
  std::set<std::string> listed{"summary.json"};
  for (const auto& file : summary["files"]) {
    CHECK(fs::file_size(out / file["file"].get<std::string>()) == file["bytes"]);
    listed.insert(file["file"]);
  }
  CHECK(listed.size() == 12);
  CHECK(listed == names_in(out));
  CHECK("gdsim " + summary["gdsim_version"].get<std::string>() ==
        run_gdsim({"--version"}).out.substr(0, 6 + summary["gdsim_version"].get<std::string>().size()));
  CHECK_FALSE(summary.contains("scenario_folder"));
  const std::string printed = run_gdsim({"run", kVectorAdd4, "--print", "summary"}).out;
  CHECK_THAT(printed, !Catch::Contains("\"files\"") && !Catch::Contains("gdsim_version"));
}

TEST_CASE("of a folder with cases, the summary names them, and lists cases.csv") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  REQUIRE(run_gdsim({"run", source_path("scenarios/vector_add2.yaml"), "-o", out}).status == 0);
  const auto summary = nlohmann::json::parse(read_file(out + "/summary.json"));
  CHECK(summary["cases"].size() == 19);
  CHECK(summary["files"].size() == 1);
  CHECK(summary["files"][0]["file"] == "cases.csv");
  CHECK(nlohmann::json::parse(read_file(out + "/n44/summary.json"))["files"].size() == 10);
}

TEST_CASE("a folder into which another run writes is refused at once, and the other continues") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  const Ran ran =
      run_shell(begin_endless(folder.write("e.yaml", kEndless) + " -o " + out, folder.path()) + "\"$GDSIM\" run " +
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
    run_shell(begin_endless(endless + " -o " + out + " --trace " + trace, folder.path()) + "kill -" + signal +
              " $pid; wait $pid");
    REQUIRE(has_leftovers(folder));
    REQUIRE(run_gdsim({"run", kVectorAdd4, "-o", out, "--trace", trace}).status == 0);
    CHECK_FALSE(has_leftovers(folder));
  }
}

TEST_CASE("what a living run writes aside is not removed by another") {
  const TemporaryFolder folder;
  const std::string trace = (folder.path() / "t.pftrace").string();
  const Ran ran = run_shell(begin_endless(folder.write("e.yaml", kEndless) + " --trace " + trace, folder.path()) +
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
