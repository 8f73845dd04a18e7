#include "support/scenarios.hpp"
#include <gdsim/explain/explain.hpp>
#include <gdsim/points/run_point.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <vector>

using namespace gdsim;
using namespace gdsim::testing;

// How far chance moves a duration, said beside what changes move it.

namespace {

std::string drawn_scenario(const std::string& variation) {
  return "scenario: S\ndevice: tiny\nkernels: {k: {global: 640, local: 8, sub_group: 8, program: [compute: 1 us], "
         "variation: " +
         variation + "}}\nlaunches: [kernel: k]\n";
}

std::vector<std::string> notes_of_explanation(const std::string& text, OtherSeeds seeds = OtherSeeds::tried) {
  const ReadText read = read_text(text);
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  return explain(read.scenario(), {}, {}, {}, seeds).notes;
}

bool speaks_of_seeds(const std::vector<std::string>& notes) {
  return std::any_of(notes.begin(), notes.end(),
                     [](const std::string& note) { return note.find("vary at random") != std::string::npos; });
}

const Terms kNeutralTerms = {};

}  // namespace

TEST_CASE("explain says how far other seeds move a run whose work-groups are drawn") {
  std::vector<Duration> durations;
  for (int seed = 1; seed <= 5; ++seed) {
    const ReadText read =
        read_text(drawn_scenario("{distribution: normal, cv: 0.2, seed: " + std::to_string(seed) + "}"));
    durations.push_back(run_for_study(read.scenario(), {}).record.duration());
  }
  const auto [shortest, longest] = std::minmax_element(durations.begin(), durations.end());
  REQUIRE(*shortest < *longest);
  const std::vector<std::string> notes =
      notes_of_explanation(drawn_scenario("{distribution: normal, cv: 0.2, seed: 1}"));
  CHECK_THAT(notes.back(),
             Catch::StartsWith("Work-groups vary at random: over 5 seeds the run takes " + to_rounded_text(*shortest) +
                               " to " + to_rounded_text(*longest) + "; a difference of less than "));
}

TEST_CASE("explain says nothing of seeds where nothing is drawn, or where they are not tried") {
  CHECK_FALSE(speaks_of_seeds(notes_of_explanation(drawn_scenario("none"))));
  const std::string drawn = drawn_scenario("{distribution: normal, cv: 0.2, seed: 1}");
  CHECK(speaks_of_seeds(notes_of_explanation(drawn)));
  CHECK_FALSE(speaks_of_seeds(notes_of_explanation(drawn, OtherSeeds::not_tried)));
}

TEST_CASE("other seeds are tried for several devices, too") {
  CHECK(speaks_of_seeds(notes_of_explanation(
      "scenario: S\ndevices: {x: tiny, y: tiny}\nkernels: {k: {global: 640, local: 8, sub_group: 8, program: [compute: "
      "1 "
      "us], variation: {distribution: normal, cv: 0.2, seed: 1}}}\nlaunches: [{kernel: k, device: each}]\n")));
}

TEST_CASE("the span of durations over seeds is in percent of the run's own, and is not known if one did not complete") {
  const std::array<std::optional<Duration>, 2> others{Duration{990'000}, Duration{1'030'000}};
  CHECK(seed_note(Duration{1'000'000}, others, kNeutralTerms) ==
        "Work-groups vary at random: over 3 seeds the run takes 990 ns to 1.03 us; a difference of less than 4.0 % may "
        "be chance.");
  const std::array<std::optional<Duration>, 1> near{Duration{1'000'900}};
  CHECK(seed_note(Duration{1'000'000}, near, kNeutralTerms) ==
        "Work-groups vary at random: over 2 seeds the run takes 1 us to 1.001 us, less than 0.1 % apart.");
  const std::array<std::optional<Duration>, 1> same{Duration{1'000'000}};
  CHECK(seed_note(Duration{1'000'000}, same, kNeutralTerms) ==
        "Work-groups vary at random: 2 seeds give the same duration.");
  const std::array<std::optional<Duration>, 2> bounded{Duration{990'000}, std::nullopt};
  CHECK_FALSE(seed_note(Duration{1'000'000}, bounded, kNeutralTerms));
}
