#include "faults.hpp"
#include "support/builders.hpp"

#include <catch2/catch.hpp>

#include <cstdio>
#include <map>

// What may happen to a process that writes: it is killed at any call, the disk is full or broken, the folder may not be
// written, another does the same. After each, the old output or the new one is whole, and the user's files are there.

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

/// The page of a run's folder; empty if there is no whole run.
std::string page_of(const fs::path& run) {
  if (!fs::exists(run)) return "";
  const Ran ran = run_gdsim({"report", run.string(), "-o", "-"});
  CHECK((ran.status == 0 || ran.status == 2));
  if (ran.status == 2) CHECK_THAT(ran.err, Catch::Contains("whole"));
  return ran.status == 0 ? ran.out : "";
}

std::string page_of_scenario(const std::string& scenario) {
  const TemporaryFolder folder;
  REQUIRE(run_gdsim({"run", scenario, "-o", (folder.path() / "out").string()}).status == 0);
  return page_of(folder.path() / "out");
}

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

/// `gdsim run kNew -o out` into a folder that is missing, or that holds kOld with samples, beside a file of the user.
FaultJob folder_job(bool has_old, const std::string& old_page, const std::string& new_page, const std::string& names) {
  FaultJob job;
  job.prepare = [=](const fs::path& folder) {
    if (!has_old) return;
    REQUIRE(run_gdsim({"run", kOld, "-o", (folder / "out").string(), "--sample", "1 ms"}).status == 0);
    write(folder / "out/notes.txt", "mine");
  };
  job.words = [](const fs::path& folder) -> std::vector<std::string> {
    return {"run", kNew, "-o", (folder / "out").string()};
  };
  job.check = [=](const fs::path& folder, const Ran& ran) {
    const std::string page = page_of(folder / "out");
    CHECK((page == new_page || page == old_page));
    if (ran.status == 0) CHECK((page == new_page));
    if (has_old) CHECK(read_file(folder / "out/notes.txt") == "mine");
  };
  job.check_repeated = [=](const fs::path& folder) {
    CHECK((page_of(folder / "out") == new_page));
    CHECK(names_in(folder / "out") == names);
  };
  return job;
}

/// One file that is written over an old one.
FaultJob file_job(const std::string& old_text, const std::string& new_text, const std::vector<std::string>& words) {
  FaultJob job;
  job.prepare = [=](const fs::path& folder) { write(folder / "file", old_text); };
  job.words = [=](const fs::path& folder) {
    std::vector<std::string> all = words;
    all.push_back((folder / "file").string());
    return all;
  };
  job.check = [=](const fs::path& folder, const Ran& ran) {
    const std::string text = read_file(folder / "file");
    CHECK((text == new_text || (ran.status != 0 && text == old_text)));
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
  const std::string page = page_of_scenario(kNew);
  const TemporaryFolder folder;
  REQUIRE(run_gdsim({"run", kNew, "-o", (folder.path() / "out").string()}).status == 0);
  const std::size_t injected = inject_everywhere(folder_job(false, "", page, names_in(folder.path() / "out")));
  CHECK(injected > 200);
}

TEST_CASE("faults: a folder that is written again holds the old run or the new one, and the user's files") {
  const TemporaryFolder folder;
  REQUIRE(run_gdsim({"run", kNew, "-o", (folder.path() / "out").string()}).status == 0);
  write(folder.path() / "out/notes.txt", "mine");
  const std::size_t injected = inject_everywhere(
      folder_job(true, page_of_scenario(kOld), page_of_scenario(kNew), names_in(folder.path() / "out")));
  CHECK(injected > 200);
}

TEST_CASE("faults: of a folder with cases, each case is the old one or the new one") {
  const TemporaryFolder scenarios;
  const std::string old_cases = scenarios.write("old.yaml", cases_scenario(7));
  const std::string new_cases = scenarios.write("new.yaml", cases_scenario(20));
  const auto out = [](const fs::path& folder) { return (folder / "out").string(); };
  const TemporaryFolder whole;
  std::map<std::string, std::string> old_pages, new_pages;
  REQUIRE(run_gdsim({"run", old_cases, "-o", out(whole.path())}).status == 0);
  for (const std::string name : {"a", "b"}) old_pages[name] = page_of(whole.path() / "out" / name);
  REQUIRE(run_gdsim({"run", new_cases, "-o", out(whole.path())}).status == 0);
  for (const std::string name : {"a", "b"}) new_pages[name] = page_of(whole.path() / "out" / name);
  FaultJob job;
  job.prepare = [&](const fs::path& folder) { REQUIRE(run_gdsim({"run", old_cases, "-o", out(folder)}).status == 0); };
  job.words = [&](const fs::path& folder) -> std::vector<std::string> { return {"run", new_cases, "-o", out(folder)}; };
  job.check = [&](const fs::path& folder, const Ran& ran) {
    const std::string a = page_of(folder / "out/a"), b = page_of(folder / "out/b");
    CHECK(((a == new_pages["a"] && b == new_pages["b"]) || (a == old_pages["a"] && b == old_pages["b"])));
    if (ran.status == 0) CHECK((a == new_pages["a"]));
  };
  job.check_repeated = [&](const fs::path& folder) {
    for (const std::string name : {"a", "b"}) CHECK((page_of(folder / "out" / name) == new_pages[name]));
    CHECK(names_in(folder / "out") == names_in(whole.path() / "out"));
  };
  CHECK(inject_everywhere(job) > 400);
}

TEST_CASE("faults: a trace, a page or a picture is the old one or the new one") {
  CHECK(inject_everywhere(file_job("old", trace_of(kNew), {"run", kNew, "--trace"})) > 20);
  const std::string page = run_gdsim({"report", kNew, "-o", "-"}).out;
  CHECK(inject_everywhere(file_job("old", page, {"report", kNew, "-o"})) > 20);
}

TEST_CASE("faults: on a disk on which no file may grow beyond a size, the old output stays whole") {
  const std::string old_page = page_of_scenario(kOld), new_page = page_of_scenario(kNew);
  for (const int bytes : {0, 1, 100, 700, 1'000, 2'000, 4'000, 100'000, 1'000'000}) {
    const std::string limit = "prlimit --fsize=" + std::to_string(bytes) + " \"$GDSIM\" ";
    const TemporaryFolder folder;
    const std::string out = (folder.path() / "out").string(), page = folder.write("page.html", "old");
    REQUIRE(run_gdsim({"run", kOld, "-o", out}).status == 0);
    const Ran run = run_shell(limit + "run " + kNew + " -o " + out + " 2>&1 | cat");
    const std::string after = page_of(out);
    INFO(bytes << " bytes: " << run.out);
    CHECK((after == (run.out.empty() ? new_page : old_page)));
    if (!run.out.empty()) CHECK_THAT(run.out, Catch::Contains("cannot be written: File too large"));
    const Ran report = run_shell(limit + "report " + out + " -o " + page + " 2>&1 | cat");
    CHECK((read_file(page) == (report.out.empty() ? after : "old")));
    CHECK(names_in(folder.path()).find(".gdsim") == std::string::npos);
  }
}

TEST_CASE("faults: on a small disk that is full, the old output stays whole") {
  const std::string old_page = page_of_scenario(kOld), new_page = page_of_scenario(kNew);
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
    CHECK((page_of(out) == (run.status == 0 ? new_page : old_page)));
    if (run.status != 0) CHECK_THAT(run.err, Catch::Contains("No space left"));
    CHECK(names_in(out).find(".gdsim") == std::string::npos);
  }
}

TEST_CASE("faults: where nothing may be written, it is said, and what is there is read") {
  const TemporaryFolder folder;
  const Mounted disk(folder.path(), "size=1m");
  if (!disk.is_mounted()) return;
  const std::string out = (folder.path() / "out").string();
  REQUIRE(run_gdsim({"run", kOld, "-o", out}).status == 0);
  const std::string page = page_of(out);
  REQUIRE(run_shell("mount -o remount,ro '" + folder.path().string() + "'").status == 0);
  for (const std::vector<std::string>& words : {std::vector<std::string>{"run", kNew, "-o", out},
                                                {"run", kNew, "--trace", (folder.path() / "t").string()},
                                                {"report", out, "-o", (folder.path() / "p.html").string()}}) {
    const Ran ran = run_gdsim(words);
    CHECK(ran.status == 2);
    CHECK_THAT(ran.err, Catch::Contains("cannot be written: Read-only file system"));
  }
  CHECK((page_of(out) == page));
}

TEST_CASE("faults: of runs into one folder at once, each is whole or refused, and readers see whole runs") {
  const std::string old_page = page_of_scenario(kOld), new_page = page_of_scenario(kNew);
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
    const std::string page = page_of(out);
    CHECK((page == old_page || page == new_page));
    for (const std::string seen : {"seen1", "seen2"}) {
      if (!fs::exists(folder.path() / seen)) continue;
      const std::string text = read_file(folder.path() / seen);
      CHECK((text == old_page || text == new_page));
    }
    CHECK_THAT(read_file(out + ".err"), !Catch::Contains("defect"));
    CHECK(names_in(out).find(".gdsim") == std::string::npos);
  }
}
