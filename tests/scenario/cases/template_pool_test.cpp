#include "support/builders.hpp"
#include "support/temporary_folder.hpp"

#include <gdsim/scenario/cases/scenario_cases.hpp>

#include <catch2/catch.hpp>

// A scenario of which many threads make points: its templates are made once for each of them, and used again.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

const std::string kCases =
    "scenario: pooled\ndevice: tiny\nkernels: {k: {global: 64, local: 8, sub_group: 8, program: [compute: 1 us]}}\n"
    "launches: [{kernel: k}]\n";

ReadOptions options_of_cases() {
  ReadOptions read;
  read.models = {source_path("models")};
  return read;
}

}  // namespace

TEST_CASE("templates that are borrowed at the same time are two, and one that was given back is used again") {
  const ReadOptions read = options_of_cases();
  TemplatePool pool("s.yaml", kCases, ".", read);
  const ScenarioTemplate* first = nullptr;
  {
    auto one = pool.borrow();
    auto other = pool.borrow();
    first = &*one;
    CHECK(&*other != first);
    CHECK(one->read({}).workload.launches.size() == 1);
  }
  auto again = pool.borrow();
  auto last = pool.borrow();
  CHECK((&*again == first || &*last == first));
}

TEST_CASE("a pool reads its file once, registers what templates read, and knows the title") {
  const TemporaryFolder folder;
  const std::string file = folder.write("s.yaml", kCases);
  const ReadOptions read = options_of_cases();
  TemplatePool pool(file, read);
  folder.write("s.yaml", "no scenario any more");
  CHECK(pool.title() == "pooled");
  CHECK(pool.borrow()->read({}).title == "pooled");
  CHECK(pool.source().text() == kCases);
  CHECK_THROWS_AS(TemplatePool(folder.path() / "none.yaml", read), InputError);
}

TEST_CASE("a scenario that is none is a problem when a template is first used") {
  const ReadOptions read = options_of_cases();
  TemplatePool pool("s.yaml", "kernels: [", ".", read);
  auto borrowed = pool.borrow();
  CHECK_THROWS_AS(*borrowed, InputError);
}
