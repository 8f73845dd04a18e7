#include "support/matches.hpp"
#include "support/string_sink.hpp"
#include <gdsim/compare/run_diff.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using gdsim::testing::matches_of;

// What differs between two runs, from records made by hand.

namespace {

using Measure = DiffValue::Measure;

DiffRow row_of(Measure kind, std::int64_t a, std::int64_t b) { return {"run", "x", {kind, a, {}}, {kind, b, {}}}; }

/// A run of so many launches, one after the other, each of so many picoseconds.
RunView view_of_chain(int launches, std::int64_t duration) {
  RunView view;
  view.title = "Chain";
  view.record.end = SimTime{launches * duration};
  view.record.contexts_total = 8;
  for (int i = 0; i < launches; ++i) {
    view.launches.emplace_back().name = "l" + std::to_string(i);
    LaunchRecord& record = view.record.launches.emplace_back();
    record.begun = record.first_dispatched = SimTime{i * duration};
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
    for (const Measure kind : {Measure::time, Measure::count}) {
      INFO(one.a << " " << one.b);
      const DiffRow row = row_of(kind, one.a, one.b);
      CHECK(diff_change_text(row) == one.text);
      CHECK((row.change() ? std::to_string(*row.change()) : "") == one.whole);
    }
  // From 20 % to 18 %: a tenth less, as conditions and files have it.
  const DiffRow occupancy = row_of(Measure::percent, 200'000, 180'000);
  CHECK(diff_change_text(occupancy) == "-10.0 % of a");
  CHECK(occupancy.change() == -100'000);
  CHECK(diff_change_text({"run", "x", {Measure::words, 0, "p"}, {Measure::words, 0, "q"}}).empty());
  CHECK_FALSE(DiffRow{"run", "x", {Measure::words, 0, "p"}, {Measure::words, 0, "q"}}.change());
  CHECK_FALSE(DiffRow{"run", "x", {Measure::time, 5, {}}, {}}.change());
  CHECK_FALSE(DiffRow{"run", "x", {}, {Measure::time, 5, {}}}.change());
}

TEST_CASE("values of a diff are written for people in their own unit") {
  CHECK(diff_value_text({}) == "-");
  CHECK(diff_value_text({Measure::time, 20'000'000'000, {}}) == "20 ms");
  CHECK(diff_value_text({Measure::percent, 453'000, {}}) == "45.3 %");
  CHECK(diff_value_text({Measure::percent, 455'499, {}}) == "45.5 %");
  CHECK(diff_value_text({Measure::count, 12, {}}) == "12");
  CHECK(diff_value_text({Measure::words, 0, "registers (3)"}) == "registers (3)");
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

TEST_CASE("phases are compared if they are the same thing, others are only in one of the runs") {
  RunView a = view_of_chain(1, 10), b = view_of_chain(1, 10);
  const auto phase = [](std::uint64_t resident, std::int64_t start, std::int64_t end) {
    Phase one;
    one.begin = SimTime{start};
    one.end = SimTime{end};
    one.resident = one.min_resident = one.max_resident = resident;
    return one;
  };
  a.record.phases.phases = {phase(4, 0, 6), phase(2, 6, 10)};
  b.record.phases.phases = {phase(6, 0, 2), phase(4, 2, 5), phase(2, 5, 9)};
  CHECK(rows_of("phase ([^,]*)", a, b) ==
        std::vector<std::string>{
            "1 only in b kind,,,constant,", "1 only in b threads,count,,6,", "1 only in b duration,ns,,0.002,",
            "1 of a and 2 of b kind,,constant,constant,", "1 of a and 2 of b threads,count,4,4,0.0000",
            "1 of a and 2 of b duration,ns,0.006,0.003,-50.0000", "2 of a and 3 of b kind,,constant,constant,",
            "2 of a and 3 of b threads,count,2,2,0.0000", "2 of a and 3 of b duration,ns,0.004,0.004,0.0000"});
  CHECK_THAT(diff_of(a, b), Catch::Contains("\nphase 1 only in b: constant, 6 threads\n") &&
                                Catch::Contains("\nphase 1 of a and 2 of b: constant, 4 threads\n"));
}

TEST_CASE("what threads spend their time on is compared by its kind if any is spent") {
  RunView a = view_of_chain(1, 10), b = view_of_chain(1, 10);
  a.time_use.emplace();
  a.time_use->spent[static_cast<std::size_t>(Activity::executing)] = 3;
  b.time_use.emplace();
  b.time_use->spent[static_cast<std::size_t>(Activity::executing)] = 1;
  b.time_use->spent[static_cast<std::size_t>(Activity::slm)] = 2;
  const std::string slm(kActivityNames[static_cast<std::size_t>(Activity::slm)]);
  CHECK(rows_of("time of threads", a, b) ==
        std::vector<std::string>{"executing,percent,100.0000,33.3333,-66.6667", slm + ",percent,0.0000,66.6667,"});
}

TEST_CASE("columns of the text are as wide as their widest cell, and long words have lines of their own") {
  RunView a = view_of_chain(1, 10), b = view_of_chain(1, 20);
  a.device = "A device of 20 chars";
  b.device = "B";
  b.title = std::string(60, 'x');
  CHECK_THAT(diff_of(a, b), Catch::Contains("run\n  title\n    a: Chain\n    b: " + std::string(60, 'x') + "\n") &&
                                Catch::Contains("\n  device                 A device of 20 chars                    B\n"
                                                "  duration                              10 ps                20 ps  "
                                                "+100.0 %\n"));
}

TEST_CASE("columns are as wide as characters are many, not as bytes") {
  RunView a = view_of_chain(1, 10), b = view_of_chain(1, 10);
  a.device = "\u00e9\u00e9\u00e9";
  b.device = "e";
  CHECK_THAT(diff_of(a, b),
             Catch::Contains("\n  device                            \u00e9\u00e9\u00e9              e\n"));
}

TEST_CASE("on the page of a diff, words may wrap and figures may not") {
  RunView a = view_of_chain(1, 10), b = view_of_chain(1, 20);
  b.title = std::string(60, 'x');
  for (RunView* view : {&a, &b}) {
    view->cores = 1;
    view->record.contexts_per_core = 8;
  }
  gdsim::testing::StringSink sink;
  write_diff_page({"one", a, "other", b}, sink);
  CHECK_THAT(sink.text, Catch::Contains("<td class=\"words\">" + std::string(60, 'x') + "</td>") &&
                            Catch::Contains("<td>10 ps</td><td>20 ps</td><td>+100.0 %</td>"));
}
