#include <gdsim/base/diagnostic.hpp>
#include <gdsim/report/csv/samples_csv.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;

TEST_CASE("as many samples as are allowed are allowed, and one more is not, however short the last") {
  const Picoseconds interval{7};
  const Picoseconds longest{kMaxSamples * 7};
  CHECK_NOTHROW(require_few_samples(Picoseconds{0}, interval));
  CHECK_NOTHROW(require_few_samples(longest - Picoseconds{1}, interval));
  CHECK_NOTHROW(require_few_samples(longest, interval));
  CHECK_THROWS_AS(require_few_samples(longest + Picoseconds{1}, interval), InputError);
  CHECK_THROWS_AS(require_few_samples(longest + Picoseconds{8}, interval), InputError);
  CHECK_THROWS_WITH(require_few_samples(longest + Picoseconds{1}, interval),
                    Catch::Contains("a sample every 7 ps of ") && Catch::Contains("more than 10000000 samples"));
}
