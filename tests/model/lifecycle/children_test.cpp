#include "support/builders.hpp"
#include <gdsim/model/lifecycle/launch_states.hpp>
#include <gdsim/workload/launched_kernels.hpp>

#include <catch2/catch.hpp>

#include <optional>
#include <vector>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// One launch of two work-groups, each of which launches two children: the launches 1 and 2, and 3 and 4.
Workload family(ChildrenBegin begin, ChildWait wait = ChildWait::no) {
  const Step child = LaunchChild{KernelId{1}, wait};
  Kernel parent = kernel_of(2, 1, {compute(ps(1)), child, child});
  parent.children_begin = begin;
  Workload workload = workload_of({parent, kernel_of(1, 1, {compute(ps(1))})});
  workload.launches.resize(1);
  add_child_launches(workload);
  return workload;
}

std::vector<LaunchId> taken(Children& children) {
  const auto launched = children.take_launched();
  return {launched.begin(), launched.end()};
}

using Launches = std::vector<LaunchId>;

}  // namespace

TEST_CASE("a child is submitted once, as soon as its work-group launches it") {
  const Workload workload = family(ChildrenBegin::with_parent);
  Children children(workload);
  CHECK(taken(children).empty());
  CHECK_FALSE(children.is_launched(launch(3)));
  children.launch(launch(3), GroupIndex{7});
  CHECK(children.is_launched(launch(3)));
  CHECK_FALSE(children.is_launched(launch(1)));
  CHECK(taken(children) == Launches{launch(3)});
  CHECK(taken(children).empty());
}

TEST_CASE("children that begin after their parent are kept until they are submitted, in order") {
  const Workload workload = family(ChildrenBegin::after_parent);
  Children children(workload);
  CHECK_FALSE(children.any_late(launch(0)));
  children.launch(launch(3), GroupIndex{1});
  children.launch(launch(4), GroupIndex{1});
  children.launch(launch(1), GroupIndex{0});
  CHECK(children.is_launched(launch(3)));
  children.submit_held(GroupIndex{1});
  CHECK(taken(children).empty());
  CHECK(children.any_late(launch(0)));
  children.submit_late(launch(0));
  CHECK_FALSE(children.any_late(launch(0)));
  CHECK(taken(children) == Launches{launch(1), launch(3), launch(4)});
}

TEST_CASE("children that begin at a wait are submitted in order when their work-group waits, or when it ends") {
  const Workload workload = family(ChildrenBegin::at_wait);
  Children children(workload);
  children.launch(launch(4), GroupIndex{1});
  children.launch(launch(1), GroupIndex{0});
  children.launch(launch(3), GroupIndex{1});
  CHECK(children.is_launched(launch(3)));
  CHECK(taken(children).empty());
  children.submit_held(GroupIndex{1});
  CHECK(taken(children) == Launches{launch(4), launch(3)});
  children.submit_held(GroupIndex{1});
  CHECK(taken(children).empty());
  children.submit_held(GroupIndex{0});
  CHECK(taken(children) == Launches{launch(1)});
}

TEST_CASE("only a work-group that waits for its child is notified of the child's end") {
  const auto waiting = [](ChildWait wait) {
    const Workload workload = family(ChildrenBegin::with_parent, wait);
    Children children(workload);
    children.launch(launch(2), GroupIndex{5});
    return children.waiting_parent(launch(2));
  };
  CHECK(waiting(ChildWait::yes) == GroupIndex{5});
  CHECK(waiting(ChildWait::no) == std::nullopt);
}
