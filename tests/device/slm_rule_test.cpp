#include <gdsim/device/core_resources.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;

TEST_CASE("a request takes the next size of the ladder") {
  SlmRule rule;
  rule.per_core = Bytes{65536};
  rule.per_work_group = Bytes{65536};
  rule.sizes = {Bytes{0}, Bytes{1024}, Bytes{2048}, Bytes{65536}};
  CHECK(rule.allocated(Bytes{0}) == Bytes{0});
  CHECK(rule.allocated(Bytes{1}) == Bytes{1024});
  CHECK(rule.allocated(Bytes{1024}) == Bytes{1024});
  CHECK(rule.allocated(Bytes{1025}) == Bytes{2048});
  CHECK(rule.allocated(Bytes{2049}) == Bytes{65536});
  CHECK_FALSE(rule.allocated(Bytes{65537}).has_value());
}

TEST_CASE("nothing is handed out above the ladder") {
  SlmRule rule;
  rule.sizes = {Bytes{1024}};
  CHECK_FALSE(rule.allocated(Bytes{1025}).has_value());
}

TEST_CASE("without a ladder a request takes what it asks") {
  SlmRule rule;
  rule.per_core = Bytes{4096};
  rule.per_work_group = Bytes{4096};
  rule.sizes = {};
  CHECK(rule.allocated(Bytes{1000}) == Bytes{1000});
}

TEST_CASE("with a granule and a reserve a request takes a multiple of both together") {
  SlmRule rule;
  rule.granule = Bytes{128};
  rule.reserve = Bytes{1024};
  CHECK(rule.allocated(Bytes{0}) == Bytes{1024});
  CHECK(rule.allocated(Bytes{1}) == Bytes{1152});
  CHECK(rule.allocated(Bytes{128}) == Bytes{1152});
  CHECK(rule.allocated(Bytes{5000}) == Bytes{6144});
}

TEST_CASE("a carve-out is the next pool, but never less than one work-group needs") {
  SlmRule rule;
  rule.per_core = Bytes{100 * 1024};
  rule.pools = {Bytes{0}, Bytes{8 * 1024}, Bytes{32 * 1024}, Bytes{100 * 1024}};
  CHECK(rule.pool({}, Bytes{1024}) == Bytes{100 * 1024});
  CHECK(rule.pool(32, Bytes{6144}) == Bytes{32 * 1024});
  CHECK(rule.pool(33, Bytes{6144}) == Bytes{100 * 1024});
  CHECK(rule.pool(0, Bytes{0}) == Bytes{0});
  CHECK(rule.pool(0, Bytes{1024}) == Bytes{8 * 1024});
  CHECK(rule.pool(8, Bytes{20 * 1024}) == Bytes{32 * 1024});
}

TEST_CASE("a reserve comes on top of what was rounded, by sizes as by granule") {
  SlmRule rule;
  rule.reserve = Bytes{1};
  rule.granule = Bytes{1024};
  CHECK(rule.allocated(Bytes{512}) == Bytes{1025});
  rule.granule = Bytes{1};
  rule.sizes = {Bytes{0}, Bytes{1024}};
  CHECK(rule.allocated(Bytes{512}) == Bytes{1025});
}
