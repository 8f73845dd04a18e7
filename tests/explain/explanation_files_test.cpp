#include <gdsim/explain/explain.hpp>
#include "support/markup.hpp"
#include "support/matches.hpp"
#include "support/string_sink.hpp"

#include <catch2/catch.hpp>

using namespace gdsim;
using gdsim::testing::fault_of_markup;
using gdsim::testing::matches_of;

// An explanation, as each kind of file has it: what saves, what makes no difference, what takes longer.

namespace {

Explanation three_kinds() {
  Explanation one;
  one.title = "A & B";
  one.device = "tiny <1>";
  one.baseline = Duration{2'000'000};
  one.changed_runs = {{"no_tail", Duration{1'000'000}, 500'000, "Tail: half of it."},
                      {"cores_2x", Duration{1'999'000}, 500, "Cores: hardly.", true},
                      {"slots", Duration{2'000'000}, 0, "Slots: the same."},
                      {"fewer", Duration{8'000'000}, -3'000'000, "Fewer: four times as long.", false, "An artefact."}};
  one.changed_runs[1].list = one.changed_runs[3].list = ChangeList::bound;
  one.changed_runs[3].may_be_chance = true;
  one.not_possible = {"level:HBM: no <level>"};
  one.notes = {"Know this."};
  return one;
}

std::string written(void (*write)(const Explanation&, Sink&), const Explanation& one = three_kinds()) {
  gdsim::testing::StringSink sink;
  write(one, sink);
  return sink.text;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("an explanation of one run of several says so wherever there is room for it") {
  Explanation one = three_kinds();
  CHECK(written(write_explanation_json, one).find("\"note\"") == std::string::npos);
  CHECK(written(write_explanation_page, one).find("`repeat") == std::string::npos);
  one.repeat = 5;
  CHECK_THAT(written(write_explanation_json, one),
             Catch::Contains("\n  \"note\": \"`repeat: 5` is left out: this is about one run, the first.\",\n"));
  CHECK_THAT(written(write_explanation_page, one),
             Catch::Contains("<p class=\"note\">`repeat: 5` is left out: this is about one run, the first.</p>\n"));
  CHECK_THAT(explanation_text(one),
             Catch::Contains("2 us\n`repeat: 5` is left out: this is about one run, the first.\nKnow this.\n\n"));
}

TEST_CASE("an explanation as CSV and as JSON has every run, with its sign") {
  CHECK(written(write_explanation_csv) ==
        "what,duration_ns,saves_percent,sentence,declared,list,may_be_chance,artefact\n"
        "no_tail,1000.000,50.0000,Tail: half of it.,false,change,,\n"
        "cores_2x,1999.000,0.0500,Cores: hardly.,true,bound,,\n"
        "slots,2000.000,0.0000,Slots: the same.,false,change,,\n"
        "fewer,8000.000,-300.0000,Fewer: four times as long.,false,bound,true,An artefact.\n");
  CHECK(written(write_explanation_json) == R"({
  "scenario": "A & B",
  "device": "tiny <1>",
  "outcome": "completed",
  "baseline_ns": 2000.000,
  "findings": [
    {
      "what": "no_tail",
      "duration_ns": 1000.000,
      "saves_percent": 50.0000,
      "sentence": "Tail: half of it.",
      "declared": false,
      "list": "change"
    },
    {
      "what": "cores_2x",
      "duration_ns": 1999.000,
      "saves_percent": 0.0500,
      "sentence": "Cores: hardly.",
      "declared": true,
      "list": "bound"
    },
    {
      "what": "slots",
      "duration_ns": 2000.000,
      "saves_percent": 0.0000,
      "sentence": "Slots: the same.",
      "declared": false,
      "list": "change"
    },
    {
      "what": "fewer",
      "duration_ns": 8000.000,
      "saves_percent": -300.0000,
      "sentence": "Fewer: four times as long.",
      "declared": false,
      "list": "bound",
      "may_be_chance": true,
      "artefact": "An artefact."
    }
  ],
  "not_possible": [
    "level:HBM: no <level>"
  ],
  "notes": [
    "Know this."
  ],
  "schema_version": 1
}
)");
}

TEST_CASE(
    "the text of an explanation says what saves, three sentences of different kinds at most, and lists everything") {
  CHECK(explanation_text(three_kinds()) ==
        "A & B\non tiny <1>: 2 us\nKnow this.\n\n"
        "What you can change\n"
        "Tail: half of it.\n"
        "\n"
        "with one thing changed             duration     saves\n"
        "no_tail                                1 us    50.0 %\n"
        "slots                                  2 us     0.0 %\n"
        "\n"
        "Bounds: what another GPU, or less of this work, saves at most\n"
        "Cores: hardly.\n"
        "\n"
        "with one thing changed             duration     saves\n"
        "cores_2x                           1.999 us     0.1 %\n"
        "fewer                                  8 us  -300.0 %  chance\n"
        "fewer: An artefact.\n"
        "not possible: level:HBM: no <level>\n");
  Explanation none = three_kinds();
  none.changed_runs.erase(none.changed_runs.begin(), none.changed_runs.begin() + 2);
  CHECK_THAT(explanation_text(none), Catch::Contains("change\nNo single change below clearly shortens the run.\n\n"));
  Explanation many = three_kinds();
  many.changed_runs.insert(many.changed_runs.begin(), 2, many.changed_runs.front());
  many.changed_runs[0].sentence = "One.";
  many.changed_runs[0].what = "local:8";
  many.changed_runs[1].sentence = "Two.";
  many.changed_runs[1].what = "local:16";
  CHECK_THAT(explanation_text(many), Catch::Contains("change\nOne.\nTail: half of it.\n\nwith"));
}

TEST_CASE("bars are as long as their runs, the longest across the whole picture, and say by how much they differ") {
  for (const auto write : {write_explanation_svg, write_explanation_page}) {
    const std::string text = written(write);
    CHECK(fault_of_markup(text).empty());
    CHECK(matches_of(text, "<rect class=\"bar ([a-z]+)\" x=\"[0-9]+\" y=\"[0-9]+\" width=\"([0-9]+)\"") ==
          Lines{"base 180", "less 90", "less 179", "less 180", "more 720"});
    CHECK(matches_of(text, "role=\"img\" aria-label=\"([^\"]*)\"><title>") ==
          Lines{"as it is: 2 us. The run as it is.", "no_tail: 1 us (-50.0 %). Tail: half of it.",
                "cores_2x: 1.999 us (-0.1 %). Cores: hardly.", "slots: 2 us (0.0 %). Slots: the same.",
                "fewer: 8 us (+300.0 %). Fewer: four times as long."});
    const auto tops = matches_of(text, "<rect class=\"bar [a-z]+\" x=\"[0-9]+\" y=\"([0-9]+)\"");
    const int height = std::stoi(matches_of(text, "viewBox=\"0 0 880 ([0-9]+)\"").at(0));
    for (std::size_t i = 0; i < tops.size(); ++i) {
      CHECK(std::stoi(tops[i]) + 16 <= height);
      if (i > 0) CHECK(std::stoi(tops[i]) >= std::stoi(tops[i - 1]) + 16 + 12);  // a bar and a line of text
    }
  }
  Explanation none = three_kinds();
  none.baseline = Duration{};
  none.changed_runs = {};
  CHECK(matches_of(written(write_explanation_svg, none), "class=\"bar base\".* width=\"([0-9]+)\"") == Lines{"1"});
}

TEST_CASE("the page of an explanation lists what saves, and every run in a table") {
  const std::string page = written(write_explanation_page);
  CHECK(matches_of(page, "<li>(.*)</li>") == Lines{"Tail: half of it.", "Cores: hardly."});
  CHECK(matches_of(page,
                   "<tr><th scope=\"row\" class=\"name\">(.*)</th><td class=\"name\">(.*)</td><td>(.*)</td>"
                   "<td>(.*)</td>") ==
        Lines{"no_tail Tail: half of it. 1 us 50.0 %", "cores_2x Cores: hardly. 1.999 us 0.1 %",
              "slots Slots: the same. 2 us 0.0 %", "fewer Fewer: four times as long. 8 us -300.0 %"});
  CHECK(matches_of(page, "<h1>(.*)</h1>") == Lines{"A &amp; B"});
  CHECK_THAT(page, Catch::Contains("on <bdi>tiny &lt;1&gt;</bdi>: 2 us</p>") &&
                       Catch::Contains("Not possible: level:HBM: no &lt;level&gt;</p>") &&
                       Catch::EndsWith("</section>\n</main>\n</body>\n</html>\n"));
}
