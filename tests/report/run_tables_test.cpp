#include "support/builders.hpp"
#include "support/string_sink.hpp"

#include <gdsim/points/kept_run.hpp>
#include <gdsim/report/run_tables.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <catch2/catch.hpp>

#include <set>
#include <sstream>
#include <utility>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// The first case of a scenario of this source tree that one device can run.
Scenario first_case(const std::string& file) {
  ReadOptions options;
  options.models = {source_path("models")};
  SourceFiles sources;
  for (ScenarioCase& one : read_scenario(source_path(file), options, sources))
    if (one.scenario.refusals.empty() && one.scenario.devices.empty()) {
      one.scenario.expectations.clear();  // they refer to `sources`
      return std::move(one.scenario);
    }
  FAIL(file << " has no such case");
  return {};
}

bool is_of(const Format& format, const Scenario& scenario) {
  if (!format.vendor.empty() && format.vendor != scenario.device.vendor) return false;
  if (format.keeps == Keeps::core_groups) return !scenario.device.core_groups.empty();
  if (format.keeps == Keeps::processes) return scenario.dispatch.preemption.has_value();
  return format.keeps != Keeps::repetitions;
}

Compiled two_work_groups() { return compiled(small_device(), workload_of({kernel_of(2, 1, {compute(us(1))})})); }

}  // namespace

TEST_CASE("a user of the library writes the tables that the command line writes, byte for byte") {
  for (const std::string file : {"vector_add4", "time_slices", "power_limit", "child_kernels", "mi300x_xcds"}) {
    INFO(file);
    Scenario scenario = first_case("scenarios/" + file + ".yaml");
    scenario.file.clear();  // the library is given no file
    const Compiled compiled = compile_scenario(scenario);
    std::set<Keeps> keeps;
    std::vector<std::string> names;
    std::vector<Format> formats = built_in_formats();
    for (const Format& format : export_formats()) formats.push_back(format);
    std::erase_if(formats, [&](const Format& format) { return !is_of(format, scenario); });
    for (const Format& format : formats) {
      keeps.insert(format.keeps);
      names.emplace_back(format.name);
    }
    REQUIRE(names.size() >= 11);
    const KeptRun kept(scenario, compiled, keeps, InternalRunOptions{});
    RunTables tables(compiled, names, scenario.title);
    RunOptions options = run_options_of(scenario);
    tables.watch(options);
    const RunResult run = gdsim::simulate(compiled, options);
    for (const Format& format : formats) {
      INFO(format.name);
      StringSink sink;
      format.write(kept.report(), sink);
      CHECK_FALSE(sink.text.empty());
      CHECK(tables.text(format.name, run) == sink.text);
      std::ostringstream stream;
      tables.write(format.name, run, stream);
      CHECK(stream.str() == sink.text);
    }
  }
}

TEST_CASE("a table that does not exist, or that the device has nothing for, is refused by name") {
  const Compiled compiled = two_work_groups();
  CHECK_THROWS_WITH(RunTables(compiled, {"timelines"}),
                    Catch::Contains("'timelines'") && Catch::Contains("did you mean 'timeline'?"));
  CHECK_THROWS_WITH(RunTables(compiled, {"repetitions"}), Catch::Contains("there is no table"));
  CHECK_THROWS_WITH(RunTables(compiled, {"groups"}), Catch::Contains("core_groups"));
  CHECK_THROWS_WITH(RunTables(compiled, {"slices"}), Catch::Contains("preemption"));
}

TEST_CASE("tables of a run that was not watched, or of another workload, are refused instead of written wrongly") {
  const Compiled compiled = two_work_groups();
  RunTables tables(compiled, {"cores"});
  const RunResult unwatched = gdsim::simulate(compiled);
  CHECK_THROWS_WITH(tables.text("cores", unwatched), Catch::Contains("watch() was not called"));
  RunOptions options;
  tables.watch(options);
  CHECK_THROWS_WITH(tables.watch(options), Catch::Contains("watches one run"));
  const RunResult run = gdsim::simulate(compiled, options);
  CHECK_FALSE(tables.text("cores", run).empty());
  CHECK_THROWS_WITH(tables.text("phases", run), Catch::Contains("none of the tables that were asked for"));
  CHECK_THROWS_WITH(tables.text("cores", RunResult{}), Catch::Contains("0 launches, the workload 1"));
}
