#include "support/builders.hpp"
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/workload/launched_kernels.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>

// What compile() says of values that cannot run: every issue, with the path of the field at fault.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

Program deep_program() {
  Program program{compute(ps(1))};
  for (int i = 0; i < 300; ++i) {
    Program outer;
    outer.push_back(i % 2 == 0 ? Step(Only{{{0, 0}}, std::move(program)}) : Step(Loop{1, std::move(program)}));
    program = std::move(outer);
  }
  return program;
}

/// The paths of all issues of small values with one change.
template <class Change>
std::vector<std::string> paths_after(Change change) {
  DeviceSpec device = small_device();
  Workload workload = workload_of({kernel_of(2, 2, {compute(ps(5))})});
  change(device, workload);
  std::vector<std::string> paths;
  for (const Issue& issue : compile(device, device.dispatch, workload).issues()) paths.push_back(issue.path);
  return paths;
}

using Paths = std::vector<std::string>;

}  // namespace

TEST_CASE("programs of work-groups have the same steps, and each work-group has one") {
  const auto paths = [](GroupPrograms groups) {
    return paths_after([&](DeviceSpec&, Workload& w) { w.kernels[0].group_programs = std::move(groups); });
  };
  const Program longer{compute(ps(9))};
  CHECK(paths({{longer}, {0, 1}}) == Paths{});
  CHECK(paths({{longer}, {0, 1, 1}}) == Paths{"kernels[0].group_programs"});
  CHECK(paths({{longer}, {0, 2}}) == Paths{"kernels[0].group_programs"});
  CHECK(paths({{longer}, {}}) == Paths{"kernels[0].group_programs"});
  CHECK(paths({{{compute(ps(9)), barrier()}}, {0, 1}}) == Paths{"kernels[0].group_programs"});
  CHECK(paths({{{compute(ps(0))}}, {0, 1}}) == Paths{"kernels[0].program[0].compute"});
}

TEST_CASE("an issue names the path of the field at fault") {
  CHECK(paths_after([](DeviceSpec& d, Workload&) { d.fused_engines = 0; }) == Paths{"device.fused_engines"});
  CHECK(paths_after([](DeviceSpec& d, Workload&) { d.slm.reserve = Bytes{-1}; }) == Paths{"device.slm.reserve"});
  CHECK(paths_after([](DeviceSpec& d, Workload&) { d.release = Release{7}; }) == Paths{"device.release"});
  CHECK(paths_after([](DeviceSpec& d, Workload&) {  // a list, and another kind of order
          d.dispatch.tie_order = TieOrder{TieOrder::Pattern::ascending, {core(0), core(0)}};
        }) == Paths{"device.dispatch.tie_order"});
  CHECK(paths_after([](DeviceSpec& d, Workload&) {
          d.tie_order = TieOrder{TieOrder::Pattern::evens_then_odds, {core(0)}};
        }) == Paths{"device.tie_order"});
  CHECK(paths_after([](DeviceSpec&, Workload& w) { w.launches[0].work = KernelId{5}; }) == Paths{"launches[0].kernel"});
  CHECK(paths_after([](DeviceSpec&, Workload& w) { w.launches[0].after = {launch(9)}; }) ==
        Paths{"launches[0].after[0]"});
  CHECK(paths_after([](DeviceSpec&, Workload& w) { w.launches[0].queue = QueueId{0}; }) == Paths{"launches[0].queue"});
  CHECK(paths_after([](DeviceSpec&, Workload& w) { w.launches[0].reads = {BufferId{0}}; }) ==
        Paths{"launches[0].reads[0]"});
  CHECK(paths_after([](DeviceSpec&, Workload& w) { w.launches[0].at = at(ps(-1)); }) == Paths{"launches[0].at"});
  CHECK(paths_after([](DeviceSpec&, Workload& w) { w.kernels[0].range.local[2] = 0; }) == Paths{"kernels[0].local[2]"});
  CHECK(paths_after([](DeviceSpec&, Workload& w) {
          w.kernels[0].program.push_back(Loop{3, {Memory{Bytes{-4}}}});
        }) == Paths{"kernels[0].program[1].loop.body[0].memory"});
  CHECK(paths_after([](DeviceSpec&, Workload& w) { w.kernels[0].program.push_back(LaunchChild{KernelId{1}}); }) ==
        Paths{"kernels[0].program[1].launch.kernel"});
  CHECK(paths_after([](DeviceSpec&, Workload& w) {
          w.kernels[0].variation.factors = {{group(1), Decimal::whole(2)}, {group(0), Decimal::whole(3)}};
        }) == Paths{"kernels[0].variation.work_groups[0]"});
  CHECK(paths_after([](DeviceSpec&, Workload& w) {  // each once
          w.kernels[0].variation.factors = {{group(1), Decimal::whole(2)}, {group(1), Decimal::whole(3)}};
        }) == Paths{"kernels[0].variation.work_groups[1]"});
  CHECK(paths_after([](DeviceSpec&, Workload& w) { w.kernels[0].program = deep_program(); }).size() == 1);
}

TEST_CASE("kinds of arithmetic that have no name, or stand there twice, are refused") {
  const auto issue = [](std::vector<InstructionCount> kinds) {
    return paths_after([&](DeviceSpec& d, Workload& w) {
      d.clock = Hertz{1'000'000'000};
      d.arithmetic = {{"fp32", Decimal::whole(8)}};
      w.kernels[0].program.push_back(IssueSlots{{}, kinds});
    });
  };
  CHECK(issue({{"fp32", 1}}) == Paths{});
  CHECK(issue({{"Fp32", 1}}) == Paths{"kernels[0].program[1].issue[0]"});
  CHECK(issue({{"fp32", 1}, {"fp32", 2}}) == Paths{"kernels[0].program[1].issue.fp32"});
  CHECK(issue({{"fp64", 1}}) == Paths{"kernels[0].program[1].issue.fp64"});
  CHECK(paths_after([](DeviceSpec& d, Workload&) {
          d.arithmetic = {{"fp32", Decimal::whole(8)}, {"fp32", Decimal::whole(4)}};
        }) == Paths{"device.arithmetic.fp32"});
  CHECK(paths_after([](DeviceSpec& d, Workload&) {
          d.arithmetic = {{"", Decimal::whole(8)}};
        }) == Paths{"device.arithmetic[0]"});
}

TEST_CASE("a factor that stands in the wrong place is refused with the number of the work-group in front of it") {
  const auto message = [](std::vector<WorkGroupFactor> factors) {
    Workload workload = workload_of({kernel_of(20, 2, {compute(ps(5))})});
    workload.kernels[0].variation.factors = std::move(factors);
    const Compilation compilation = compile(small_device(), small_device().dispatch, workload);
    REQUIRE(compilation.issues().size() == 1);
    return compilation.issues()[0].path + ": " + compilation.issues()[0].message;
  };
  const Decimal two = Decimal::whole(2);
  CHECK(
      message({{group(3), two}, {group(11), two}, {group(7), two}, {group(15), two}}) ==
      "kernels[0].variation.work_groups[7]: stands behind work-group 11; factors must ascend by work-group, each once");
  CHECK(
      message({{group(9), two}, {group(9), two}}) ==
      "kernels[0].variation.work_groups[9]: stands behind work-group 9; factors must ascend by work-group, each once");
  CHECK(
      message({{group(1), two}, {group(0), two}, {group(2), two}}) ==
      "kernels[0].variation.work_groups[0]: stands behind work-group 1; factors must ascend by work-group, each once");
}

TEST_CASE("all issues come at once, of whatever parts") {
  CHECK(paths_after([](DeviceSpec& d, Workload& w) {
          d.fused_engines = 0;
          d.dispatch.placement = "unknown";
          w.kernels[0].sub_group = 0;
          w.launches[0].after = {launch(9), launch(0), launch(7)};
        }) == Paths{"device.fused_engines", "dispatch.placement", "kernels[0].sub_group", "launches[0].after[0]",
                    "launches[0].after[2]"});
}

TEST_CASE("a launch that comes after itself waits in a cycle") {
  CHECK(paths_after([](DeviceSpec&, Workload& w) { w.launches[0].after = {launch(0)}; }) == Paths{"launches[0].after"});
}

TEST_CASE("children that were not added as they should be are refused, and missing ones are added") {
  const auto with_child = [](Workload& w) {
    w.kernels.push_back(kernel_of(1, 1, {compute(ps(1))}));
    w.kernels[0].program.push_back(LaunchChild{KernelId{1}});
  };
  Workload workload = workload_of({kernel_of(2, 2, {compute(ps(5))})});
  with_child(workload);
  const Compiled ready = compiled(small_device(), workload);
  REQUIRE(ready.workload().launches.size() == 3);
  CHECK(ready.workload().launches[2].name == "k0[1]/");
  CHECK(compiled(small_device(), ready.workload()).workload().launches.size() == 3);
  const auto spoiled = [&](const auto& change) {
    Workload other = ready.workload();
    change(other.launches);
    const Compilation compilation = compile(small_device(), small_device().dispatch, other);
    return compilation ? std::string() : compilation.issues().front().path;
  };
  CHECK(spoiled([](auto& launches) { launches.pop_back(); }) == "launches[0].parent");
  CHECK(spoiled([](auto& launches) { launches.push_back(launches[2]); }) == "launches[3].parent");
  CHECK(spoiled([](auto& launches) { launches[0].as_kernel().first_child = launch(2); }) == "launches[0].parent");
  CHECK(spoiled([](auto& launches) { launches[2].as_kernel().parent->work_group = group(7); }) == "launches[2].parent");
  CHECK(spoiled([](auto& launches) { launches[2].at = at(ps(7)); }) == "launches[2].parent");
  CHECK(spoiled([](auto&) {}).empty());
}

TEST_CASE("a child that differs in a single field from the one that is added is refused at its place") {
  Workload workload = workload_of({kernel_of(2, 2, {compute(ps(5)), LaunchChild{KernelId{1}, ChildWait::yes}})});
  workload.kernels.push_back(kernel_of(1, 1, {compute(ps(1))}));
  workload.kernels.push_back(kernel_of(1, 1, {compute(ps(1))}));
  workload.queues = {{"q", QueueOrder::out_of_order, {}}};
  workload.buffers = {"x"};
  const DeviceSpec device = small_device();
  const Workload ready = compiled(device, workload).workload();
  REQUIRE(ready.launches.size() == 3);
  using Change = std::function<void(Launch&)>;
  const std::vector<std::pair<std::string, Change>> changes{
      {"name", [](Launch& l) { l.name += "x"; }},
      {"no name", [](Launch& l) { l.name.clear(); }},
      {"kernel", [](Launch& l) { l.as_kernel().kernel = KernelId{2}; }},
      {"priority", [](Launch& l) { l.as_kernel().priority = 1; }},
      {"cores",
       [](Launch& l) {
         l.as_kernel().cores = {{core(0), core(1)}};
       }},
      {"parent's launch", [](Launch& l) { l.as_kernel().parent->launch = launch(2); }},
      {"parent's work-group", [](Launch& l) { l.as_kernel().parent->work_group = group(5); }},
      {"which child", [](Launch& l) { l.as_kernel().parent->child = 1; }},
      {"wait", [](Launch& l) { l.as_kernel().parent->wait = ChildWait::no; }},
      {"at", [](Launch& l) { l.at = at(ps(1)); }},
      {"after", [](Launch& l) { l.after = {launch(0)}; }},
      {"wait of the host", [](Launch& l) { l.host_waits = {launch(0)}; }},
      {"queue", [](Launch& l) { l.queue = QueueId{0}; }},
      {"reads", [](Launch& l) { l.reads = {BufferId{0}}; }},
      {"writes", [](Launch& l) { l.writes = {BufferId{0}}; }}};
  for (const auto& [what, change] : changes)
    for (const std::uint32_t child : {1U, 2U}) {
      INFO(what << " of child " << child);
      Workload other = ready;
      change(other.launches[child]);
      CHECK(first_wrong_child(other) == launch(child));
      const Compilation compilation = compile(device, device.dispatch, other);
      REQUIRE_FALSE(compilation);
      const Issues& issues = compilation.issues();
      CHECK(std::any_of(issues.begin(), issues.end(), [&](const Issue& issue) {
        return issue.path == "launches[" + std::to_string(child) + "].parent" &&
               issue.message.find("children are not as add_child_launches() adds them") != std::string::npos;
      }));
    }
  Workload copies = ready;
  copies.launches[2].work = Copy{Bytes{1}, CopyDirection::host_to_device};
  CHECK(first_wrong_child(copies) == launch(2));
  copies.launches[1].work = copies.launches[2].work;
  CHECK(first_wrong_child(copies) == launch(0));  // whose children begin nowhere
}

TEST_CASE("a catalog whose entry makes no placement is refused") {
  PlacementCatalog policies = built_in_placements();
  policies.placements.push_back({"none", nullptr});
  policies.placements.push_back({"null", [](const DeviceSpec&) { return std::unique_ptr<Placement>(); }});
  for (const std::string name : {"none", "null"}) {
    DispatchRules rules = small_device().dispatch;
    rules.placement = name;
    const Compilation compilation =
        compile(small_device(), rules, workload_of({kernel_of(1, 1, {compute(ps(1))})}), policies);
    REQUIRE_FALSE(compilation);
    CHECK(compilation.issues().front().path == "dispatch.placement");
  }
}

TEST_CASE("issues become an InputError with one problem each, where a value is asked for") {
  DeviceSpec device = small_device();
  device.fused_engines = 0;
  device.release = Release{9};
  try {
    compile(device, device.dispatch, workload_of({kernel_of(1, 1, {compute(ps(1))})})).value();
    FAIL("there is no value");
  } catch (const InputError& error) {
    REQUIRE(error.problems().size() == 2);
    CHECK(error.problems()[1].message == "device.fused_engines: is 0; it must be from 1 to 4294967295");
  }
}
