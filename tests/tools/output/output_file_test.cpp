#include "support/builders.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <filesystem>
#include <iterator>

// One file as an output: what it is written over stays what it is.

using namespace gdsim::testing;
namespace fs = std::filesystem;

namespace {

std::string page_of(const std::string& scenario) { return run_gdsim({"report", scenario, "-o", "-"}).out; }

/// A device of its own, where the machine lets one be made and opened.
bool make_device(const fs::path& path, unsigned minor_number) {
  if (mknod(path.c_str(), S_IFCHR | 0600, makedev(1, minor_number)) != 0) return false;
  const int descriptor = open(path.c_str(), O_WRONLY);
  if (descriptor >= 0) close(descriptor);
  return descriptor >= 0;
}

}  // namespace

TEST_CASE("a link that is named as an output stays, and its target is written, be it there or not") {
  const TemporaryFolder folder;
  const std::string target = folder.write("there.html", "old");
  for (const std::string name : {"there", "missing"}) {
    const fs::path link = folder.path() / (name + "-link.html");
    fs::create_symlink(name + ".html", link);
    REQUIRE(run_gdsim({"report", kVectorAdd4, "-o", link.string()}).status == 0);
    CHECK(fs::is_symlink(link));
    CHECK((read_file(folder.path() / (name + ".html")) == page_of(kVectorAdd4)));
  }
  CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 4);
  fs::create_symlink("b", folder.path() / "a");
  fs::create_symlink("a", folder.path() / "b");
  const Ran ran = run_gdsim({"run", kVectorAdd4, "--trace", (folder.path() / "a").string()});
  CHECK(ran.status == 2);
  CHECK_THAT(ran.err, Catch::Contains("Too many levels of symbolic links"));
}

TEST_CASE("a file that is written again keeps its permissions") {
  const TemporaryFolder folder;
  const std::string page = folder.write("page.html", "old");
  fs::permissions(page, fs::perms::owner_read | fs::perms::owner_write);
  REQUIRE(run_gdsim({"report", kVectorAdd4, "-o", page}).status == 0);
  CHECK(fs::status(page).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("a FIFO that is named as an output gives its reader the page and stays a FIFO") {
  const TemporaryFolder folder;
  const std::string fifo = (folder.path() / "fifo").string();
  REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
  // The reader gives up if there is no writer.
  const Ran ran =
      run_shell("timeout 20 cat " + fifo + " & \"$GDSIM\" report " + kVectorAdd4 + " -o " + fifo + " || exit 1; wait");
  CHECK(ran.status == 0);
  CHECK((ran.out == page_of(kVectorAdd4)));
  CHECK(fs::is_fifo(fifo));
}

TEST_CASE("a device that is named as an output is written through and stays a device") {
  const TemporaryFolder folder;
  const fs::path null = folder.path() / "null", full = folder.path() / "full";
  if (!make_device(null, 3) || !make_device(full, 7)) {
    WARN("devices cannot be made here: not tested");
    return;
  }
  CHECK(run_gdsim({"report", kVectorAdd4, "-o", null.string()}).status == 0);
  CHECK(run_gdsim({"run", kVectorAdd4, "--trace", null.string()}).status == 0);
  CHECK(fs::is_character_file(null));
  const Ran ran = run_gdsim({"report", kVectorAdd4, "-o", full.string()});
  CHECK(ran.status == 2);
  CHECK_THAT(ran.err, Catch::Contains("full: error: cannot be written: No space left on device"));
  CHECK(fs::is_character_file(full));
}

TEST_CASE("standard output by its name is written where it stands, not replaced") {
  const TemporaryFolder folder;
  const std::string log = folder.write("log", "before\n");
  const Ran ran = run_shell("{ \"$GDSIM\" report " + kVectorAdd4 + " -o /dev/stdout && echo after; } >> " + log);
  CHECK(ran.status == 0);
  CHECK((read_file(log) == "before\n" + page_of(kVectorAdd4) + "after\n"));
}

TEST_CASE("a file cannot be made beside the descriptors of a process, and only numbers name them") {
  for (const char* name : {"x.html", "1.html"}) {
    const Ran ran = run_gdsim({"report", kVectorAdd4, "-o", "/proc/self/fd/" + std::string(name)});
    CHECK(ran.status == 2);
    CHECK_THAT(ran.err, Catch::StartsWith("/proc/self/fd/" + std::string(name) + ": error: cannot be written"));
    CHECK(ran.out.empty());  // "1.html" is not descriptor 1
  }
}

TEST_CASE("the output - is standard output, and nothing else goes there") {
  const TemporaryFolder folder;
  CHECK_THAT(page_of(kVectorAdd4), Catch::StartsWith("<!DOCTYPE html>") && Catch::EndsWith("</html>\n"));
  const std::string trace = (folder.path() / "trace").string();
  REQUIRE(run_gdsim({"run", kVectorAdd4, "--trace", trace}).status == 0);
  CHECK((run_gdsim({"run", kVectorAdd4, "--trace", "-"}).out == read_file(trace)));
  const std::string measured = folder.write("m.csv", "time_ms,percent\n0,50\n10,25\n");
  const Ran compared = run_gdsim({"compare", kVectorAdd4, "--measured", measured, "-o", "-"});
  CHECK_THAT(compared.out, Catch::StartsWith("<svg") && Catch::EndsWith("</svg>\n"));
  CHECK(run_gdsim({"run", kVectorAdd4, "--trace", "-", "--print", "phases"}).status == 2);
  const Ran run = run_gdsim({"run", kVectorAdd4, "-o", "-"});
  CHECK(run.status == 2);
  CHECK_THAT(run.err, Catch::Contains("-o needs a folder") && Catch::Contains("./-"));
}

TEST_CASE("a name as long as a file may have can be written") {
  const TemporaryFolder folder;
  const fs::path page = folder.path() / (std::string(250, 'x') + ".html");
  CHECK(run_gdsim({"report", kVectorAdd4, "-o", page.string()}).status == 0);
  CHECK(fs::exists(page));
}
