#include "support/temporary_folder.hpp"

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

TEST_CASE("a file of as many bytes as are read is read, a longer one is refused") {
  const TemporaryFolder folder;
  const std::string file = folder.write("file", std::string(100'000, 'x'));
  SourceFiles files;
  CHECK(files.read(file, 100'000).text().size() == 100'000);
  CHECK_THROWS_AS(files.read(file, 99'999), InputError);
  CHECK_THROWS_WITH(files.read(file, 99'999), Catch::Contains("is longer than 99999 bytes, the most that is read"));
}
