#include <gdsim/record/part_timelines.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;

namespace {
Fact fact(ThreadEvent kind, std::uint32_t threads, std::uint32_t core = 0) {
  Fact f;
  f.kind = kind;
  f.threads = threads;
  f.core = CoreId{core};
  f.slm = Bytes{1024};
  return f;
}
}  // namespace

TEST_CASE("a partially placed work-group counts as resident and partial until it is filled") {
  DeviceCounter counter(2);
  Fact first = fact(ThreadEvent::placed, 12);
  first.opens_core = first.opens_group = true;
  counter.apply(first);
  CHECK(counter.counts().work_groups_partial == 1);
  CHECK(counter.counts().resident.work_groups == 1);
  CHECK(counter.counts().resident.slm == Bytes{1024});
  Fact rest = fact(ThreadEvent::placed, 4);
  rest.fills_group = true;
  counter.apply(rest);
  CHECK(counter.counts().work_groups_partial == 0);
  CHECK(counter.counts().resident.threads == 16);
  CHECK(counter.counts().resident.slm == Bytes{1024});
}

TEST_CASE("waiting threads are resident but do not run") {
  DeviceCounter counter(1);
  counter.apply(fact(ThreadEvent::placed, 8));
  counter.apply(fact(ThreadEvent::waiting, 5));
  CHECK(counter.counts().resident.running == 3);
  CHECK(counter.counts().resident.stalled() == 5);
  counter.apply(fact(ThreadEvent::resumed, 5));
  CHECK(counter.counts().resident.stalled() == 0);
}

TEST_CASE("ended threads stay resident until their contexts come back") {
  DeviceCounter counter(1);
  Fact opened = fact(ThreadEvent::placed, 8);
  opened.opens_core = opened.opens_group = opened.fills_group = true;
  counter.apply(opened);
  counter.apply(fact(ThreadEvent::ended, 8));
  CHECK(counter.counts().resident.threads == 8);
  CHECK(counter.counts().resident.stalled() == 8);
  Fact back = fact(ThreadEvent::released, 8);
  back.closes_core = back.closes_group = true;
  counter.apply(back);
  CHECK(counter.counts() == DeviceCounts{});
}

TEST_CASE("a core is busy while one of its contexts is held") {
  DeviceCounter counter(3);
  counter.apply(fact(ThreadEvent::placed, 1, 0));
  counter.apply(fact(ThreadEvent::placed, 1, 0));
  counter.apply(fact(ThreadEvent::placed, 1, 2));
  CHECK(counter.counts().cores_busy == 2);
  counter.apply(fact(ThreadEvent::released, 1, 0));
  CHECK(counter.counts().cores_busy == 2);
  counter.apply(fact(ThreadEvent::released, 1, 0));
  CHECK(counter.counts().cores_busy == 1);
}
