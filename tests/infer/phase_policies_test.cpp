#include "support/scenarios.hpp"
#include <gdsim/infer/infer_rules.hpp>

#include <catch2/catch.hpp>

// Which policies give a series of occupancies.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// Eight work-groups of 40 threads on Tiger Lake, with a barrier first or none.
std::string eight_groups(const std::string& steps, const std::string& phases) {
  return "scenario: eight\ndevice: xe-lp-tgl\nkernels: {k: {global: 2560, local: 320, sub_group: 8, program: [" +
         steps + "]}}\nlaunches: [{kernel: k}]\nexpect: [{phases: [" + phases + "], within: 0.1}]\n";
}

PhaseInference infer(const std::string& text, OneEarly early = OneEarly::no, Jobs jobs = {1}) {
  const ReadText read = read_text(text);
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  return infer_policies({{"eight", &read.scenario(), read.scenario().expectations}}, early, {}, jobs);
}

}  // namespace

TEST_CASE("two of 360 policies give what is documented without a barrier") {
  const PhaseInference found = infer(eight_groups("compute: 10 ms", "33.3, 14.3"));
  CHECK(found.tried == 360);
  CHECK(found.verdict == Verdict::several);
  REQUIRE(found.policies.size() == 2);
  CHECK(to_yaml(found.policies[0].rules) == "{placement: fill_first, admission: partial, ports: 2, handover: never}");
  CHECK(to_yaml(found.policies[1].rules) ==
        "{placement: fill_first, admission: partial, ports: 2, handover: barrier_or_slm}");
}

TEST_CASE("three phases need a work-group that ends early, which is tried on request") {
  const std::string text = eight_groups("barrier, compute: 10 ms", "45.3, 39.3, 11.9");
  CHECK(infer(text).verdict == Verdict::none);
  const PhaseInference found = infer(text, OneEarly::yes, {2});
  CHECK(found.verdict == Verdict::several);
  REQUIRE(found.policies.size() == 22);
  CHECK(found.policies.front().early == std::vector<std::string>{"work-group 6 of k"});
}

TEST_CASE("the sentence says how many were tried, and that none fits") {
  const PhaseInference found = infer(eight_groups("compute: 10 ms", "12, 99"));
  CHECK(found.sentence == "None of 360 combinations of placement, admission, ports and handover gives the series.");
}
