#include "support/matches.hpp"
#include "support/string_sink.hpp"

#include <gdsim/study/diff_files.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using gdsim::testing::matches_of;

// What differs between two runs, from records made by hand.

namespace {

using Kind = DiffValue::Kind;

DiffRow row_of(Kind kind, std::int64_t a, std::int64_t b) { return {"run", "x", {kind, a, {}}, {kind, b, {}}}; }

/// A run of so many launches, one after the other, each of so many picoseconds.
RunView view_of_chain(int launches, std::int64_t duration) {
  RunView view;
  view.title = "Chain";
  view.record.end = SimTime{launches * duration};
  view.record.contexts_total = 8;
  for (int i = 0; i < launches; ++i) {
    view.launches.emplace_back().name = "l" + std::to_string(i);
    LaunchRecord& record = view.record.launches.emplace_back();
    record.first_dispatched = SimTime{i * duration};
    record.ended = SimTime{(i + 1) * duration};
  }
  return view;
}

std::string diff_of(const RunView& a, const RunView& b) { return diff_text({"one", a, "other", b}); }

/// The rows of a section as CSV, without its name.
std::vector<std::string> rows_of(const std::string& section, const RunView& a, const RunView& b) {
  gdsim::testing::StringSink sink;
  write_diff_csv({"one", a, "other", b}, sink);
  return matches_of(sink.text, "\n" + section + ",([^\n]*)");
}

}  // namespace

TEST_CASE("a change is said in percent of the first run's figure, rounded, halves away from zero") {
  struct Case {
    std::int64_t a, b;
    std::string text, whole;  ///< as people read it; in files
  };
  for (const Case& one : std::vector<Case>{{100, 112, "+12.0 %", "120000"},
                                           {100, 97, "-3.0 %", "-30000"},
                                           {3, 4, "+33.3 %", "333333"},
                                           {3, 5, "+66.7 %", "666667"},
                                           {3, 2, "-33.3 %", "-333333"},
                                           {3, 1, "-66.7 %", "-666667"},
                                           {2'000'000, 2'000'001, "+0.0 %", "1"},
                                           {2'000'000, 1'999'999, "-0.0 %", "-1"},
                                           {1, 0, "-100.0 %", "-1000000"},
                                           {7, 7, "=", "0"},
                                           {0, 0, "=", ""},
                                           {0, 5, "", ""}})
    for (const Kind kind : {Kind::time, Kind::percent, Kind::count}) {
      INFO(one.a << " " << one.b);
      const DiffRow row = row_of(kind, one.a, one.b);
      CHECK(diff_change_text(row) == one.text);
      CHECK((row.change() ? std::to_string(*row.change()) : "") == one.whole);
    }
  CHECK(diff_change_text({"run", "x", {Kind::words, 0, "p"}, {Kind::words, 0, "q"}}).empty());
  CHECK_FALSE(DiffRow{"run", "x", {Kind::words, 0, "p"}, {Kind::words, 0, "q"}}.change());
  CHECK_FALSE(DiffRow{"run", "x", {Kind::time, 5, {}}, {}}.change());
  CHECK_FALSE(DiffRow{"run", "x", {}, {Kind::time, 5, {}}}.change());
}

TEST_CASE("values of a diff are written for people in their own unit") {
  CHECK(diff_value_text({}) == "-");
  CHECK(diff_value_text({Kind::time, 20'000'000'000, {}}) == "20 ms");
  CHECK(diff_value_text({Kind::percent, 453'000, {}}) == "45.3 %");
  CHECK(diff_value_text({Kind::percent, 455'499, {}}) == "45.5 %");
  CHECK(diff_value_text({Kind::count, 12, {}}) == "12");
  CHECK(diff_value_text({Kind::words, 0, "registers (3)"}) == "registers (3)");
}

TEST_CASE("the text of a diff has two hundred lines at most, and counts those that are left out") {
  // Each launch differs in its duration and its end, all but the first in their first dispatch; and the whole duration.
  const auto text = [](int launches) { return diff_of(view_of_chain(launches, 10), view_of_chain(launches, 20)); };
  const auto lines = [](const std::string& of) { return matches_of(of, "\n  ([a-z])").size(); };
  CHECK(lines(text(66)) == 198);  // 1 + 3 x 66 - 1
  CHECK_THAT(text(66), !Catch::Contains("more; --format csv"));
  const std::string more = text(67);
  CHECK(lines(more) == 200);
  CHECK_THAT(more, Catch::Contains("\n... and 1 more; --format csv has all\n"));
  CHECK_THAT(text(100), Catch::Contains("\n... and 100 more; --format csv has all\n"));
}

TEST_CASE("what is equal is counted and not listed, but for the duration") {
  const RunView view = view_of_chain(2, 10);
  CHECK(diff_of(view, view) == "a: one\nb: other\n\nrun\n  duration                        20 ps          20 ps  =\n" +
                                   std::to_string(rows_of("[^,\n]*", view, view).size() - 1) +
                                   " more figures are equal\n");
}

TEST_CASE("launches are matched by their names, in the order of the first run, then those that only the second has") {
  RunView a = view_of_chain(2, 10), b = view_of_chain(3, 10);
  a.launches[0].name = "x";
  CHECK(rows_of("launch ([a-z0-9]+),duration", a, b) ==
        std::vector<std::string>{"x ns,0.010,,", "l1 ns,0.010,0.010,0.0000", "l0 ns,,0.010,", "l2 ns,,0.010,"});
}

TEST_CASE("a wait is a row if one of both launches waited so, and slack if it is known") {
  RunView a = view_of_chain(1, 10), b = view_of_chain(1, 10);
  b.record.launches[0].waited.add(WaitReason::contexts, Duration{5});
  b.record.launches[0].slack = Duration{3};
  const std::string contexts(name_of(WaitReason::contexts));
  CHECK(rows_of("launch l0", a, b) == std::vector<std::string>{"duration,ns,0.010,0.010,0.0000",
                                                               "first dispatch,ns,0.000,0.000,",
                                                               "end,ns,0.010,0.010,0.0000", "slack,ns,,0.003,",
                                                               "waited for " + contexts + ",ns,0.000,0.005,"});
  CHECK(rows_of("launch l0", a, a).size() == 3);
}

TEST_CASE("limiters of a kernel are one word, with how many work-groups they allow") {
  RunView a = view_of_chain(1, 10), b = view_of_chain(1, 10);
  a.limits = {{"k", "registers", 3, true}, {"k", "slm", 3, true}, {"k", "threads", 8, false}};
  b.limits = {{"k", "threads", 8, true}, {"m", "slm", 2, true}};
  CHECK(rows_of("kernel ([km])", a, b) ==
        std::vector<std::string>{"k limiter,,registers+slm (3),threads (8),", "m limiter,,,slm (2),"});
}

TEST_CASE("phases are matched by their place, and what threads spend their time on by its kind if any is spent") {
  RunView a = view_of_chain(1, 10), b = view_of_chain(1, 10);
  Phase phase;
  phase.end = SimTime{10};
  phase.resident = 4;
  a.record.phases.phases = {phase};
  phase.resident = 6;
  b.record.phases.phases = {phase, phase};
  CHECK(rows_of("phase ([12])", a, b) == std::vector<std::string>{"1 threads,count,4,6,50.0000",
                                                                  "1 duration,ns,0.010,0.010,0.0000",
                                                                  "2 threads,count,,6,", "2 duration,ns,,0.010,"});
  a.time_use.emplace();
  a.time_use->spent[static_cast<std::size_t>(TimeKind::executing)] = 3;
  b.time_use.emplace();
  b.time_use->spent[static_cast<std::size_t>(TimeKind::executing)] = 1;
  b.time_use->spent[static_cast<std::size_t>(TimeKind::slm)] = 2;
  const std::string slm(kTimeKindNames[static_cast<std::size_t>(TimeKind::slm)]);
  CHECK(rows_of("time of threads", a, b) ==
        std::vector<std::string>{"executing,percent,100.0000,33.3333,-66.6667", slm + ",percent,0.0000,66.6667,"});
}
