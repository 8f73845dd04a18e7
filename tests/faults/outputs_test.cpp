#include "faults.hpp"
#include "support/builders.hpp"

#include <catch2/catch.hpp>

#include <cstdio>
#include <functional>
#include <map>

// What may happen to a process that writes: it is killed at any call, the power fails there and takes what was not
// synced, the disk is full or broken, the folder may not be written, another does the same. After each, the old output
// or the new one is whole, and the user's files are there.

using namespace gdsim::testing;
namespace fs = std::filesystem;

namespace {

const std::string kOld = source_path("scenarios/vector_add3.yaml");
const std::string kNew = source_path("scenarios/vector_add4.yaml");

/// Two cases; the device refuses the second if `refused`.
std::string cases_scenario(int groups) {
  return "scenario: Cases\ndevice: tiny\nkernels:\n  k: {global: " + std::to_string(8 * groups) +
         ", local: 8, sub_group: 8, program: [compute: 1 us]}\nlaunches: [kernel: k]\ncases:\n"
         "  - {name: a, set: {}}\n  - {name: b, set: {device.cores: 3}}\n";
}

/// Every name and content below a folder, but for the list that tells the next run what is gdsim's; empty if there is
/// nothing.
std::string contents_of(const fs::path& folder) {
  std::map<std::string, std::string> texts;
  if (fs::exists(folder))
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.is_regular_file() && entry.path().filename() != ".gdsim-files")
        texts[entry.path().string().substr(folder.string().size())] = read_file(entry.path());
  std::string all;
  for (const auto& [name, text] : texts) all += name + "\n" + text;
  return all;
}

/// The folder of a run of this scenario.
std::string results_of(const std::string& scenario) {
  const TemporaryFolder folder;
  REQUIRE(run_gdsim({"run", scenario, "-o", (folder.path() / "out").string()}).status == 0);
  return contents_of(folder.path() / "out");
}

std::string page_of_scenario(const std::string& scenario) { return run_gdsim({"report", scenario, "-o", "-"}).out; }

/// All names below a folder.
std::string names_in(const fs::path& folder) {
  std::map<std::string, bool> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) names[entry.path().string()] = true;
  std::string text;
  for (const auto& [name, is_there] : names) text += name.substr(folder.string().size()) + "\n";
  return text;
}

void write(const fs::path& file, const std::string& text) {
  std::FILE* out = std::fopen(file.c_str(), "wb");
  REQUIRE(out != nullptr);
  std::fwrite(text.data(), 1, text.size(), out);
  std::fclose(out);
}

/// `gdsim run SCENARIO -o out` into a folder that is missing, or that holds `old`, which `prepare` made, beside a file
/// of the user.
FaultJob folder_job(const std::string& scenario, const std::function<void(const fs::path& out)>& prepare) {
  const TemporaryFolder folder;
  prepare(folder.path() / "out");
  const std::string old_results = contents_of(folder.path() / "out");
  const std::string new_results = results_of(scenario);
  FaultJob job;
  job.prepare = [=](const fs::path& own) {
    prepare(own / "out");
    write(own / "notes.txt", "mine");
  };
  job.words = [=](const fs::path& own) -> std::vector<std::string> {
    return {"run", scenario, "-o", (own / "out").string()};
  };
  job.check = [=](const fs::path& own, const Ran& ran) {
    const std::string results = contents_of(own / "out");
    CHECK((results == new_results || (ran.status != 0 && results == old_results)));
    CHECK(read_file(own / "notes.txt") == "mine");
  };
  job.check_repeated = [=](const fs::path& own) {
    CHECK((contents_of(own / "out") == new_results));
    CHECK(names_in(own).find(".gdsim") == std::string::npos);
    CHECK(read_file(own / "notes.txt") == "mine");
  };
  return job;
}

void run_old(const fs::path& out) {
  REQUIRE(run_gdsim({"run", kOld, "-o", out.string(), "--sample", "1 ms"}).status == 0);
}

/// One file that is written over an old one.
FaultJob file_job(const std::string& new_text, const std::vector<std::string>& words) {
  FaultJob job;
  job.prepare = [=](const fs::path& folder) { write(folder / "file", "old"); };
  job.words = [=](const fs::path& folder) {
    std::vector<std::string> all = words;
    all.push_back((folder / "file").string());
    return all;
  };
  job.check = [=](const fs::path& folder, const Ran& ran) {
    const std::string text = read_file(folder / "file");
    CHECK((text == new_text || (ran.status != 0 && text == "old")));
  };
  job.check_repeated = [=](const fs::path& folder) {
    CHECK((read_file(folder / "file") == new_text));
    CHECK(names_in(folder) == "/file\n");
  };
  return job;
}

std::string trace_of(const std::string& scenario) { return run_gdsim({"run", scenario, "--trace", "-"}).out; }

/// A folder on a file system of its own; `options` are those of mount(8). Not everybody may mount.
class Mounted {
 public:
  Mounted(const fs::path& folder, const std::string& options) : folder_(folder) {
    is_mounted_ = run_shell("mount -t tmpfs -o " + options + " gdsim-faults '" + folder.string() + "'").status == 0;
    if (!is_mounted_) WARN("file systems cannot be mounted here: not tested");
  }
  ~Mounted() {
    if (is_mounted_) run_shell("umount '" + folder_.string() + "'");
  }
  Mounted(const Mounted&) = delete;
  Mounted& operator=(const Mounted&) = delete;
  bool is_mounted() const { return is_mounted_; }

 private:
  fs::path folder_;
  bool is_mounted_;
};

}  // namespace

TEST_CASE("faults: a folder that is new is there as a whole or not at all") {
  CHECK(inject_everywhere(folder_job(kNew, [](const fs::path&) {})) > 200);
}

TEST_CASE("faults: a folder that is written again holds the old run or the new one") {
  CHECK(inject_everywhere(folder_job(kNew, run_old)) > 300);
}

TEST_CASE("faults: a folder with cases is the old one or the new one, all cases together") {
  const TemporaryFolder scenarios;
  const std::string old_cases = scenarios.write("old.yaml", cases_scenario(7));
  const auto run_cases = [&](const fs::path& out) {
    REQUIRE(run_gdsim({"run", old_cases, "-o", out.string()}).status == 0);
  };
  CHECK(inject_everywhere(folder_job(scenarios.write("new.yaml", cases_scenario(20)), run_cases)) > 400);
}

TEST_CASE("faults: a trace, a page or a picture is the old one or the new one") {
  CHECK(inject_everywhere(file_job(trace_of(kNew), {"run", kNew, "--trace"})) > 20);
  const std::string page = run_gdsim({"report", kNew, "-o", "-"}).out;
  CHECK(inject_everywhere(file_job(page, {"report", kNew, "-o"})) > 20);
}

TEST_CASE("faults: on a disk on which no file may grow beyond a size, the old output stays whole") {
  const std::string old_results = results_of(kOld), new_results = results_of(kNew), new_page = page_of_scenario(kNew);
  for (const int bytes : {0, 1, 100, 700, 1'000, 2'000, 4'000, 100'000, 1'000'000}) {
    const std::string limit = "prlimit --fsize=" + std::to_string(bytes) + " \"$GDSIM\" ";
    const TemporaryFolder folder;
    const std::string out = (folder.path() / "out").string(), page = folder.write("page.html", "old");
    REQUIRE(run_gdsim({"run", kOld, "-o", out}).status == 0);
    const Ran run = run_shell(limit + "run " + kNew + " -o " + out + " 2>&1 | cat");
    INFO(bytes << " bytes: " << run.out);
    CHECK((contents_of(out) == (run.out.empty() ? new_results : old_results)));
    if (!run.out.empty()) CHECK_THAT(run.out, Catch::Contains("cannot be written: File too large"));
    const Ran report = run_shell(limit + "report " + kNew + " -o " + page + " 2>&1 | cat");
    CHECK((read_file(page) == (report.out.empty() ? new_page : "old")));
    CHECK(names_in(folder.path()).find(".gdsim-p") == std::string::npos);
  }
}

TEST_CASE("faults: on a small disk that is full, the old output stays whole") {
  const std::string old_results = results_of(kOld), new_results = results_of(kNew);
  const TemporaryFolder folder;
  for (const int pages : {1, 6, 12, 20, 24, 30, 40}) {  // of 4 KiB
    const Mounted disk(folder.path(), "size=1m");
    if (!disk.is_mounted()) return;
    const std::string out = (folder.path() / "out").string();
    REQUIRE(run_gdsim({"run", kOld, "-o", out}).status == 0);
    REQUIRE(run_shell("head -c $((1048576 - 4096 * " + std::to_string(pages) + " - $(du -sb --apparent-size " + out +
                      " | cut -f1) / 4096 * 4096)) /dev/zero > " + folder.path().string() + "/filler; true")
                .status == 0);
    const Ran run = run_gdsim({"run", kNew, "-o", out});
    INFO(pages << " pages left: " << run.err);
    CHECK((contents_of(out) == (run.status == 0 ? new_results : old_results)));
    if (run.status != 0) CHECK_THAT(run.err, Catch::Contains("No space left"));
    CHECK(names_in(folder.path()).find(".gdsim-p") == std::string::npos);
  }
}

TEST_CASE("faults: a mount point is written into, and holds the new run as a whole") {
  const std::string new_results = results_of(kNew);
  const TemporaryFolder folder;
  const Mounted disk(folder.path(), "size=1m");
  if (!disk.is_mounted()) return;
  REQUIRE(run_gdsim({"run", kOld, "-o", folder.path().string()}).status == 0);
  REQUIRE(run_gdsim({"run", kNew, "-o", folder.path().string()}).status == 0);
  CHECK((contents_of(folder.path()) == new_results));
  CHECK(names_in(folder.path()).find(".gdsim") == std::string::npos);
}

TEST_CASE("faults: where nothing may be written, it is said, and what is there is read") {
  const TemporaryFolder folder;
  const Mounted disk(folder.path(), "size=1m");
  if (!disk.is_mounted()) return;
  const std::string out = (folder.path() / "out").string();
  REQUIRE(run_gdsim({"run", kOld, "-o", out}).status == 0);
  const std::string results = contents_of(out);
  REQUIRE(run_shell("mount -o remount,ro '" + folder.path().string() + "'").status == 0);
  for (const std::vector<std::string>& words : {std::vector<std::string>{"run", kNew, "-o", out},
                                                {"run", kNew, "--trace", (folder.path() / "t").string()},
                                                {"report", out, "-o", (folder.path() / "p.html").string()}}) {
    const Ran ran = run_gdsim(words);
    CHECK(ran.status == 2);
    CHECK_THAT(ran.err, Catch::Contains("cannot be written: Read-only file system"));
  }
  CHECK((contents_of(out) == results));
}

TEST_CASE("faults: of runs into one folder at once, each is whole or refused, and readers see whole runs") {
  const std::string old_page = page_of_scenario(kOld), new_page = page_of_scenario(kNew);
  const std::string old_results = results_of(kOld), new_results = results_of(kNew);
  for (int round = 0; round < 20; ++round) {
    const TemporaryFolder folder;
    const std::string out = (folder.path() / "out").string();
    REQUIRE(run_gdsim({"run", kOld, "-o", out}).status == 0);
    const auto run = [&](const std::string& scenario) {
      return "\"$GDSIM\" run " + scenario + " -o " + out + " 2>>" + out + ".err & ";
    };
    const std::string read = "\"$GDSIM\" report " + out + " -o " + folder.path().string() + "/seen";
    run_shell(run(kNew) + run(kOld) + read + "1 2>>" + out + ".err; " + run(kNew) + read + "2 2>>" + out +
              ".err; wait");
    const std::string results = contents_of(out);
    CHECK((results == old_results || results == new_results));
    for (const std::string seen : {"seen1", "seen2"}) {
      if (!fs::exists(folder.path() / seen)) continue;
      const std::string text = read_file(folder.path() / seen);
      CHECK((text == old_page || text == new_page));
    }
    CHECK_THAT(read_file(out + ".err"), !Catch::Contains("defect"));
    CHECK(names_in(folder.path()).find(".gdsim") == std::string::npos);
  }
}
