#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/read_budget.hpp>
#include <gdsim/import/profiles/profile.hpp>
#include <gdsim/import/read_compiled.hpp>
#include <gdsim/yaml/yaml_node.hpp>
#include "import/profiles/samples.hpp"
#include "support/temporary_folder.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <functional>
#include <string>

// The worst repetition of each format, N, 2 N and 4 N times: the memory of a process of its own that reads it grows at
// most as the file does, or the file is refused with what is allowed.

using namespace gdsim;
using namespace gdsim::testing;
using Catch::Matchers::Contains;

namespace {

std::string little_endian(std::uint64_t number, std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes.push_back(static_cast<char>(number >> (8 * i) & 0xff));
  return bytes;
}

/// The header of a section of an ELF file.
std::string section_of(std::uint64_t name, std::uint64_t type, std::uint64_t begin, std::uint64_t size) {
  return little_endian(name, 4) + little_endian(type, 4) + std::string(16, '\0') + little_endian(begin, 8) +
         little_endian(size, 8) + std::string(24, '\0');
}

/// An ELF file whose `count` sections all are the same container of `count` elements of PTX.
std::string overlapping_sections(std::size_t count) {
  const std::string element = little_endian(1, 2) + little_endian(0x101, 2) + little_endian(64, 4) +
                              std::string(20, '\0') + little_endian(80, 4) + std::string(32, '\0');
  const std::string container = little_endian(0xBA55ED50, 4) + little_endian(1, 2) + little_endian(16, 2) +
                                little_endian(element.size() * count, 8) + repeated(element, count);
  const std::string names("\0.shstrtab\0.nv_fatbin\0\0\0", 24);
  const std::size_t begin = 64;
  const std::size_t table = begin + container.size() + names.size();
  const std::string magic = "\x7f" + std::string("ELF\2\1\1");
  return magic + std::string(9, '\0') + little_endian(1, 2) + little_endian(62, 2) + std::string(20, '\0') +
         little_endian(table, 8) + std::string(4, '\0') + little_endian(64, 2) + std::string(4, '\0') +
         little_endian(64, 2) + little_endian(count + 2, 2) + little_endian(1, 2) + container + names +
         section_of(0, 0, 0, 0) + section_of(1, 3, begin + container.size(), names.size()) +
         repeated(section_of(11, 1, begin, container.size()), count);
}

/// The largest resident size, in bytes, of a process that does this.
std::uint64_t peak_of(const std::function<void()>& act) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      act();
    } catch (const InputError&) {
    }
    _exit(0);
  }
  int state = 0;
  rusage use{};
  REQUIRE(wait4(child, &state, 0, &use) == child);
  REQUIRE(state == 0);
  return static_cast<std::uint64_t>(use.ru_maxrss) * 1024;
}

/// Fails the test if `read` takes more memory than 4 MiB and 100 bytes for each of the file.
void check_memory(std::uint64_t bytes, const std::function<void()>& read) {
#ifndef GDSIM_UNDER_SANITIZERS  // whose memory is their own
  constexpr std::uint64_t slack = std::uint64_t{1} << 22;
  CHECK(peak_of(read) <= peak_of([] {}) + slack + 100 * bytes);
#else
  CHECK_NOTHROW(peak_of(read));
  static_cast<void>(bytes);
#endif
}

/// What is wrong with the file, or an empty text.
std::string problem_with(const std::function<void()>& read) {
  try {
    read();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

void read_events(const std::string& bytes) { static_cast<void>(read_profile(ProfileInput("trace", bytes))); }

/// The rows of a view that a file of 8 KiB computes.
std::string view_of(const std::string& rows, const std::string& name) {
  return "CREATE VIEW kernels AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c" + rows + ") SELECT " +
         name + " AS name, x AS start, x + 1 AS 'end', 0 AS agent_id, 1 AS grid_x, 1 AS workgroup_x FROM c";
}

/// What is wrong with a database that holds this view.
std::string problem_with_view(const std::string& view) {
  const TemporaryFolder folder;
  write_database(folder.path() / "v.sqlite", {view});
  return problem_with([&] { static_cast<void>(read_profile(ProfileInput(folder.path() / "v.sqlite"))); });
}

}  // namespace

TEST_CASE("sections that overlap take no more memory than the file has bytes, times a constant") {
  for (const std::size_t count : {500U, 1'000U, 2'000U}) {
    const SourceText file("overlapping", overlapping_sections(count));
    INFO(count);
    check_memory(file.text().size(), [&] { static_cast<void>(read_compiled(file)); });
    CHECK_THAT(
        problem_with([&] { static_cast<void>(read_compiled(file)); }),
        Contains("overlapping: error: has parts that overlap, or hold themselves: together they have more than "));
  }
}

TEST_CASE("sections that do not overlap are read, and of many notes the first are shown") {
  const SourceText file("many", overlapping_sections(1));
  CHECK_THAT(problem_with([&] { static_cast<void>(read_compiled(file)); }),
             Contains("holds no kernel; element 1 is PTX"));
}

TEST_CASE("events of a trace that never end take no more memory than those that end", "[figures]") {
  for (const std::size_t count : {50'000U, 100'000U, 200'000U}) {
    INFO(count);
    const std::string others = "{\"traceEvents\":[" + repeated("{\"ph\":\"B\"},", count) + "{}]}";
    const std::string kernels = "{\"traceEvents\":[" + repeated(R"({"ph":"B","cat":"kernel","ts":1},)", count) + "{}]}";
    check_memory(others.size(), [&] { read_events(others); });
    check_memory(kernels.size(), [&] { read_events(kernels); });
  }
}

TEST_CASE("of nested events of a trace, those between which a kernel runs keep their places") {
  const Profile profile = profile_of(
      trace_of(R"({"ph":"B","name":"outer","ts":1},{"ph":"B","cat":"kernel","name":"k","ts":2},{"ph":"B","ts":3},)"
               R"({"ph":"E","ts":4},{"ph":"E","ts":7},{"ph":"E","ts":9})"));
  REQUIRE(profile.launches.size() == 1);
  CHECK(profile.launches[0].duration == 5'000'000);
}

TEST_CASE("what gzip makes of a small file is bounded by 64 MiB and 100 times its size") {
  const std::string bytes = gzipped("{\"traceEvents\":[" + repeated("{\"ph\":\"B\"},", 8'000'000) + "{}]}");
  CHECK_THAT(problem_with([&] { read_events(bytes); }),
             Contains("trace: error: is unpacked to more than ") &&
                 Contains("the most that is allowed for a file of " + std::to_string(bytes.size()) +
                          " bytes: 67108864, and 100 for each of its bytes"));
}

TEST_CASE("the whole size of a packed file counts while its first part is read", "[figures]") {
  std::string digits;
  std::uint64_t state = 1;
  for (int i = 0; i < 4'000'000; ++i) {
    state = state * 6'364'136'223'846'793'005 + 1'442'695'040'888'963'407;
    digits += "0123456789abcdef"[state >> 60];
  }
  const std::string kernel =
      R"({"ph":"X","cat":"kernel","name":"k","ts":1,"dur":2,"args":{"grid":[1,1,1],"block":[32,1,1]}})";
  const std::string text = "{\"traceEvents\":[" + repeated(kernel + "," + std::string(10'000'000, ' '), 13) + kernel +
                           "],\"digits\":\"" + digits + "\"}";
  const TemporaryFolder folder;
  const Profile profile = read_profile(ProfileInput(folder.write("t.json.gz", gzipped(text))));
  CHECK(profile.launches.size() == 14);
}

TEST_CASE("remarks of a compiler take as much memory as the budget allows") {
  std::string remarks;
  for (int kernel = 0; kernel < 100'000; ++kernel) {
    const std::string remark = "a.hip:" + std::to_string(kernel) + ":1: remark: ";
    remarks += remark + "Function Name: k" + std::to_string(kernel) + "\n" + remark + "VGPRs: 8\n" + remark +
               "VGPRs Spill: 0\n" + remark + "LDS Size [bytes/block]: 0\n";
  }
  const SourceText file("remarks", remarks);
  check_memory(remarks.size(), [&] { static_cast<void>(read_compiled(file)); });
}

TEST_CASE("a line of a table has as many cells as the budget has memory for", "[figures]") {
  const std::string table = "name,grid,block,registers\n" + std::string(6'000'000, ',') + "\n";
  check_memory(table.size(), [&] { read_events(table); });
  const std::string packed = gzipped("name,grid,block,registers\n" + std::string(8'000'000, ',') + "\n");
  CHECK_THAT(problem_with([&] { read_events(packed); }), Contains("has entries and texts that take more than "));
}

TEST_CASE("a view of a database that returns, holds or computes too much is refused, and writes no file", "[figures]") {
  CHECK_THAT(problem_with_view(view_of(" WHERE x < 300", "hex(zeroblob(8000000))")),
             Contains("v.sqlite: error: is unpacked to more than "));
  CHECK_THAT(
      problem_with_view("CREATE VIEW kernels AS SELECT * FROM (WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT "
                        "x + 1 FROM c WHERE x < 300) SELECT hex(zeroblob(4000000)) || x AS name, x AS start FROM c) "
                        "ORDER BY name"),
      Contains("v.sqlite: error: has entries and texts that take more than "));
  CHECK_THAT(problem_with_view("CREATE VIEW kernels AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "
                               "SELECT 'k' AS name, x AS start FROM c WHERE x < 0"),
             Contains("v.sqlite: error: takes more than 1000040960 steps to be computed"));
}

TEST_CASE("launches of a database are in the order of their starts, whatever the order of its rows is") {
  const TemporaryFolder folder;
  std::vector<std::string> statements = nsys_statements();
  statements.push_back("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = 20000, end = 30000 WHERE correlationId = 3");
  write_database(folder.path() / "p.sqlite", statements);
  const Profile profile = read_profile(ProfileInput(folder.path() / "p.sqlite"));
  CHECK(profile.texts[profile.launches.at(0).name] == "scale");
}

TEST_CASE("what is kept is counted, and what is exceeded is said with what is allowed") {
  ReadLimits limits = kReadLimits;
  limits[static_cast<std::size_t>(ReadCost::entries)] = {2};
  limits[static_cast<std::size_t>(ReadCost::memory)] = {10, 2, 40};
  ReadBudget budget("file", 4, limits);
  budget.keep(8);
  CHECK_FALSE(budget.take(ReadCost::memory, 11));
  CHECK(budget.take(ReadCost::memory, 10));
  CHECK(budget.sentence_for(ReadCost::memory) ==
        "has entries and texts that take more than 18 bytes of memory, the most that is allowed for a file of 4 bytes: "
        "10, and 2 for each of its bytes");
  budget.find(1'000);
  CHECK(budget.limit(ReadCost::memory) == 40);
  budget.keep(1);
  CHECK(problem_with([&] { budget.keep(1); }) ==
        "file: error: has more than 2 values and entries, the most that is allowed");
}

TEST_CASE("aliases of YAML multiply nothing: they are refused") {
  Diagnostics problems;
  const SourceText text("a.yaml", "a: &a [1, 1]\nb: [*a, *a]\n");
  CHECK_FALSE(read_yaml(text, problems));
  CHECK(problems.size() == 2);
}
