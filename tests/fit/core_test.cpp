#include "support/builders.hpp"

#include <gdsim/base/check.hpp>
#include <gdsim/fit/core.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

Footprint footprint(std::uint32_t threads, Bytes slm = {}, Program program = {compute(us(1))}) {
  Kernel kernel = kernel_of(1, threads, std::move(program));
  kernel.needs.slm.total = slm;
  return make_footprint(kernel, small_device(), threads);
}

Core empty_core() { return Core(small_device(), EngineDetail::none); }

EngineSets& no_engines() {
  static EngineSets sets(2);
  return sets;
}

}  // namespace

TEST_CASE("a footprint holds contexts per thread and the rest per work-group") {
  const Footprint print = footprint(3, Bytes{1000}, {barrier(), compute(us(1))});
  CHECK(print.thread == EngineNeed{});
  CHECK(print.work_group[Pool::slots] == 1);
  CHECK(print.work_group[Pool::slm] == 1000);
  CHECK(print.work_group[Pool::barriers] == 1);
  CHECK(print.whole[Pool::contexts] == 3);
}

TEST_CASE("a kernel's explicit barrier count replaces the one that its program implies") {
  Kernel kernel = kernel_of(1, 1, {barrier(), compute(us(1))});
  kernel.needs.barriers = 3;
  CHECK(make_footprint(kernel, small_device(), 1).work_group[Pool::barriers] == 3);
  kernel.needs.barriers = 0;
  CHECK(make_footprint(kernel, small_device(), 1).work_group[Pool::barriers] == 0);
}

TEST_CASE("a work-group that needs more SLM than is free does not fit") {
  Core core = empty_core();
  const Footprint half = footprint(1, Bytes{4096});
  core.take_group(half);
  core.take_group(half);
  CHECK(core.refusal(half, Admission::whole) == WaitReason::slm);
  CHECK_FALSE(core.refusal(footprint(1), Admission::whole).has_value());
  core.release_group(half);
  CHECK_FALSE(core.refusal(half, Admission::whole).has_value());
}

TEST_CASE("how many more fit is limited by the scarcest resource") {
  Core core = empty_core();
  CHECK(core.how_many_more(footprint(3)) == 2);
  CHECK(core.how_many_more(footprint(1)) == 8);
  CHECK(core.how_many_more(footprint(1, Bytes{3000})) == 2);
  core.take_threads(footprint(1), 6, at(us(0)), no_engines());
  CHECK(core.how_many_more(footprint(1)) == 2);
  CHECK(core.how_many_more(footprint(3)) == 0);
  CHECK(core.thread_capacity(footprint(3)) == 2);
  CHECK(core.refusal(footprint(3), Admission::whole) == WaitReason::contexts);
  CHECK_FALSE(core.refusal(footprint(3), Admission::partial).has_value());
  CHECK_FALSE(core.refusal(footprint(2), Admission::whole).has_value());
}

TEST_CASE("a core keeps its own account of the time for which contexts are held") {
  Core core = empty_core();
  const Footprint print = footprint(5);
  core.take_threads(print, 5, at(ps(100)), no_engines());
  CHECK(core.context_time(at(ps(100))) == 0);
  CHECK(core.context_time(at(ps(110))) == 50);
  core.release_threads(print, 2, at(ps(120)), EngineSet::none, no_engines());
  core.release_threads(print, 3, at(ps(200)), EngineSet::none, no_engines());
  CHECK(core.context_time(at(ps(200))) == 2 * 20 + 3 * 100);
  CHECK(core.is_empty());
}

TEST_CASE("taking more than there is, or giving back more than is held, is a defect") {
  Core core = empty_core();
  CHECK_THROWS_AS(core.take_threads(footprint(1), 9, at(us(0)), no_engines()), DefectError);
  Core other = empty_core();
  CHECK_THROWS_AS(other.release_threads(footprint(1), 1, at(us(0)), EngineSet::none, no_engines()), DefectError);
  CHECK_THROWS_AS(other.release_group(footprint(1)), DefectError);
}
