#include <gdsim/base/diagnostic.hpp>
#include <gdsim/report/csv/csv_tables.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;

TEST_CASE("as many samples as are allowed are allowed, and one more is not, however short the last") {
  const Duration interval{7};
  const Duration longest{kMaxSamples * 7};
  CHECK_NOTHROW(require_few_samples(Duration{0}, interval));
  CHECK_NOTHROW(require_few_samples(longest - Duration{1}, interval));
  CHECK_NOTHROW(require_few_samples(longest, interval));
  CHECK_THROWS_AS(require_few_samples(longest + Duration{1}, interval), InputError);
  CHECK_THROWS_AS(require_few_samples(longest + Duration{8}, interval), InputError);
  CHECK_THROWS_WITH(require_few_samples(longest + Duration{1}, interval),
                    Catch::Contains("a sample every 7 ps of ") && Catch::Contains("more than 10000000 samples"));
}
