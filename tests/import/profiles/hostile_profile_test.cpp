#include "import/profiles/samples.hpp"
#include "support/temporary_folder.hpp"

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/profiles/profile.hpp>

#include <catch2/catch.hpp>

#include <random>

// Profiles that are cut off, damaged, or made to do harm: they are taken, or refused with the place.

using namespace gdsim;
using namespace gdsim::testing;
using Catch::Matchers::Contains;

namespace {

/// Returns true if it is taken or refused; anything else that is thrown fails the test.
bool is_survived(const std::string& bytes) {
  try {
    return profile_of(bytes).launches.size() < kMaxProfiledLaunches;
  } catch (const InputError& error) {
    return std::string(error.what()).find("error: ") != std::string::npos;
  }
}

std::string refusal_of_file(const std::filesystem::path& file) {
  try {
    static_cast<void>(read_profile(ProfileInput(file)));
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing is wrong with it";
}

}  // namespace

TEST_CASE("a profile that ends at any byte is taken or refused") {
  for (const SampleProfile& one : sample_profiles()) {
    INFO(one.name);
    for (std::size_t size = 0; size < one.bytes.size(); ++size) CHECK(is_survived(one.bytes.substr(0, size)));
  }
}

TEST_CASE("a profile with bytes changed at random is taken or refused") {
  std::mt19937_64 random(1);
  for (const SampleProfile& one : sample_profiles()) {
    INFO(one.name);
    for (int i = 0; i < 400; ++i) {
      std::string changed = one.bytes;
      for (int change = 0; change < 3; ++change)
        changed[random() % changed.size()] = static_cast<char>(random() % 3 == 0 ? random() : "0,\"]}-9"[random() % 7]);
      CHECK(is_survived(changed));
    }
  }
}

TEST_CASE("JSON that is nested a million deep is refused at the byte where it is too deep") {
  CHECK_THAT(problem_of("{\"traceEvents\": " + std::string(1'000'000, '[')),
             Contains("error: at byte ") && Contains("is nested deeper than 256"));
  CHECK_THAT(problem_of(repeated("{\"a\":", 1'000'000)), Contains("is nested deeper than 256"));
}

TEST_CASE("a value of JSON that never ends is refused, and many numbers take no memory", "[figures]") {
  CHECK_THAT(problem_of("{\"traceEvents\": [\"" + std::string(40'000'000, 'x')),
             Contains("a value has more than 16777216 bytes, the most that is read"));
  CHECK_THAT(problem_of("{\"numbers\": [" + repeated("1,", 5'000'000) + "1]}"), Contains("there are no `traceEvents`"));
}

TEST_CASE("JSON that breaks off or has another type is refused with the byte") {
  CHECK_THAT(problem_of("{\"traceEvents\": [{\"ph\": \"X\""),
             Contains("error: at byte 27: the file ends before its JSON does"));
  CHECK_THAT(problem_of("{\"traceEvents\": [}"), Contains("error: at byte ") && Contains("this is no JSON"));
  CHECK_THAT(problem_of(trace_of(R"({"ph": "X", "cat": "kernel", "name": "k", "ts": 1, "dur": "long"})")),
             Contains("error: at byte ") && Contains("the event's `dur` is no duration: 'long'"));
  CHECK_THAT(problem_of(trace_of(R"({"args": {"grid": [1, "two"]}})")),
             Contains("'two' is no size of a grid or block"));
}

TEST_CASE("compressed data that break off or are damaged are refused with the byte") {
  const std::string whole = sample("trace.json.gz");
  CHECK_THAT(problem_of(whole.substr(0, whole.size() / 2)), Contains("the compressed data end at byte "));
  std::string damaged = whole;
  damaged[whole.size() / 2] = static_cast<char>(damaged[whole.size() / 2] ^ 0x55);
  CHECK(is_survived(damaged));
}

TEST_CASE("a database of another schema, of other types, or without an end is refused with table and row") {
  const TemporaryFolder folder;
  const auto refusal = [&](const std::string& name, const std::vector<std::string>& statements) {
    write_database(folder.path() / name, statements);
    return refusal_of_file(folder.path() / name);
  };
  CHECK_THAT(refusal("other.sqlite", {"CREATE TABLE t (a)"}), Contains("is a database, but no profile"));
  std::vector<std::string> wrong = nsys_statements();
  wrong.push_back("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET gridX = 'many' WHERE streamId = 7");
  CHECK_THAT(refusal("type.sqlite", wrong),
             Contains("table CUPTI_ACTIVITY_KIND_KERNEL, row 1: column 'gridX' is 'many'; a whole number is needed"));
  std::vector<std::string> nameless = nsys_statements();
  nameless.push_back("DELETE FROM StringIds");
  CHECK_THAT(refusal("names.sqlite", nameless), Contains("row 1: the name is string 1, which StringIds does not hold"));
  CHECK_THAT(
      refusal("columns.sqlite", {"CREATE TABLE StringIds (id, value)", "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (a)"}),
      Contains("none of the columns is there"));
  folder.write("cut.sqlite", read_file(folder.path() / "type.sqlite").substr(0, 6'000));
  CHECK_THAT(refusal_of_file(folder.path() / "cut.sqlite"), Contains("error: "));
}

TEST_CASE("numbers beyond what a launch may have are refused with their line") {
  CHECK_THAT(problem_of("name,grid,block\nk,99999999999999999999,64\n"), Contains("profile:2:1: error: column 'grid'"));
  CHECK_THAT(problem_of("name,grid,block,registers\nk,4,64,1e30\n"),
             Contains("profile:2:1: error: column 'registers'"));
  CHECK_THAT(problem_of("name,grid,block,start_ns,end_ns\nk,4,64,9,4\n"), Contains("the launch ends before it starts"));
}

TEST_CASE("a list of kernels names only files beside it") {
  const TemporaryFolder folder;
  const std::string list = folder.write("kernelslist.g", "kernel-1.traceg\nkernel-/../../etc/passwd.traceg\n");
  folder.write("kernel-1.traceg", sample("kernel-1.traceg"));
  CHECK_THAT(refusal_of_file(list), Contains("kernelslist.g:2:1: error: "));
}
