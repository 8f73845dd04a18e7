#include <gdsim/workload/kernel.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

using namespace gdsim;

TEST_CASE("work-groups are counted per dimension, partial ones included") {
  const NdRange range{{64, 63, 128}, {1, 4, 128}};
  CHECK(range.groups() == Extent{64, 16, 1});
  CHECK(range.group_count() == 1024);
  CHECK(range.group_size() == 512);
  CHECK_FALSE(range.is_uniform());
}

TEST_CASE("work-groups are numbered row-major, the last dimension fastest") {
  // 2 x 2 work-groups: the right column and the bottom row are smaller.
  const NdRange range{{1, 5, 7}, {1, 3, 4}};
  CHECK(range.group_size(WorkGroupId{0}) == 12);
  CHECK(range.group_size(WorkGroupId{1}) == 9);
  CHECK(range.group_size(WorkGroupId{2}) == 8);
  CHECK(range.group_size(WorkGroupId{3}) == 6);
}

TEST_CASE("a thread is a sub-group, the last one perhaps not full") {
  Kernel kernel;
  kernel.range = {{1, 1, 100}, {1, 1, 40}};
  kernel.sub_group = 16;
  CHECK(kernel.threads_per_work_group() == 3);
  CHECK(kernel.threads_of(WorkGroupId{0}) == 3);
  CHECK(kernel.threads_of(WorkGroupId{2}) == 2);
}

TEST_CASE("the threads of a kernel are those of its work-groups together") {
  rc::prop("closed form equals the sum", [] {
    Kernel kernel;
    for (std::size_t d = 0; d < 3; ++d) {
      kernel.range.global[d] = *rc::gen::inRange<std::uint64_t>(1, 12);
      kernel.range.local[d] = *rc::gen::inRange<std::uint64_t>(1, 6);
    }
    kernel.sub_group = *rc::gen::inRange<std::uint32_t>(1, 9);
    std::uint64_t threads = 0;
    std::uint64_t items = 0;
    for (std::uint64_t i = 0; i < kernel.range.group_count(); ++i) {
      threads += kernel.threads_of(WorkGroupId{i});
      items += kernel.range.group_size(WorkGroupId{i});
    }
    RC_ASSERT(kernel.threads_total() == threads);
    RC_ASSERT(items == *volume(kernel.range.global));
  });
}

TEST_CASE("a volume beyond 64 bits is distinguished") {
  CHECK(volume({1, 2, 3}) == 6U);
  CHECK_FALSE(volume({std::uint64_t{1} << 32, std::uint64_t{1} << 32, 2}).has_value());
}
