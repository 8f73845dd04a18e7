#include "support/builders.hpp"
#include "support/process.hpp"
#include "support/scenarios.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

using namespace gdsim::testing;

namespace {
const std::string kFirstSteps = source_path("scenarios/first_steps.yaml");
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }
}  // namespace

TEST_CASE("a run shows its phases, threads first, then percent") {
  const Ran ran = run_gdsim({"run", kVectorAdd4});
  CHECK(ran.status == 0);
  CHECK(ran.err.empty());
  CHECK_THAT(ran.out, Catch::Contains("304     45.2 %") && Catch::Contains("264     39.3 %") &&
                          Catch::Contains("80     11.9 %") && Catch::Contains("6 Xe-cores, 672 contexts"));
}

TEST_CASE("without gdsim-all beside it, gdsim runs, and says how the other commands are built") {
  const TemporaryFolder folder;
  const std::string alone = (folder.path() / "gdsim").string();
  std::filesystem::copy_file(GDSIM_BINARY_ROOT "/tools/gdsim", alone);
  const Ran run = run_program({alone, "run", kVectorAdd4, "--models", source_path("models")});
  CHECK(run.status == 0);
  CHECK(run.out == gdsim_output({"run", kVectorAdd4}) + "`tools/build release` builds it, and all other commands.\n");
  const Ran file = run_program({alone, "x.yaml"});
  CHECK(file.status == 2);
  CHECK_THAT(file.err, Catch::Contains("to run this file: gdsim run x.yaml"));
  const Ran sweep = run_program({alone, "sweep", kVectorAdd4});
  CHECK(sweep.status == 2);
  CHECK(sweep.out.empty());
  CHECK_THAT(sweep.err, Catch::Contains("tools/build release"));
  const Ran help = run_program({alone, "help"});
  CHECK(help.status == 0);
  CHECK_THAT(help.out, Catch::Contains("  run ") && !Catch::Contains("  sweep "));
  CHECK_THAT(help.err, Catch::Contains("tools/build release"));
}

TEST_CASE("gdsim tells gdsim-all its version, and gdsim-all says if it is another") {
  const TemporaryFolder folder;
  std::filesystem::copy_file(GDSIM_BINARY_ROOT "/tools/gdsim", folder.path() / "gdsim");
  folder.write("gdsim-all", "#!/bin/sh\necho \"$GDSIM_VERSION_OF_STARTER\"\n");
  std::filesystem::permissions(folder.path() / "gdsim-all", std::filesystem::perms::owner_all);
  const std::string version = gdsim_output({"--version"});
  CHECK(run_program({(folder.path() / "gdsim").string(), "sweep"}).out == version);
  CHECK(run_gdsim({"help", "sweep"}).err.empty());
  const Ran other =
      run_program({GDSIM_BINARY_ROOT "/tools/gdsim-all", "help", "sweep"}, {"GDSIM_VERSION_OF_STARTER=gdsim 0.1.0"});
  CHECK(other.status == 0);
  CHECK(other.err == "gdsim: gdsim-all beside it is another version: " + version.substr(0, version.size() - 1) +
                         ", not gdsim 0.1.0; tools/build release builds both\n");
}

TEST_CASE("with --print, a run writes one table to standard output and nothing else") {
  const auto header = [](const char* name) { return first_line(run_gdsim({"run", kFirstSteps, "--print", name}).out); };
  CHECK(header("timeline") ==
        "time_ns,threads_resident,threads_running,threads_stalled,occupancy_percent,work_groups_resident,"
        "work_groups_partial,cores_busy,slm_bytes");
  CHECK(header("cores") ==
        "time_ns,core,threads_resident,threads_running,threads_stalled,occupancy_percent,work_groups_resident,"
        "slm_bytes");
  CHECK(header("phases") ==
        "phase,start_ns,end_ns,duration_ns,threads_resident,occupancy_percent,threads_running_mean,cores_busy,"
        "kind,threads_min,threads_mean,threads_max");
  CHECK(header("work-groups") ==
        "launch,kernel,work_group,core,threads,threads_first_placed,first_placed_ns,fully_placed_ns,ended_ns");
  CHECK(header("summary") == "{");
}

TEST_CASE("the removed options --no-fast-forward and --no-skip are accepted, change nothing, and are not in help") {
  const std::string plain = run_gdsim({"run", kFirstSteps, "--print", "timeline"}).out;
  for (const char* option : {"--no-fast-forward", "--no-skip"}) {
    const Ran ran = run_gdsim({"run", kFirstSteps, option, "--print", "timeline"});
    CHECK(ran.status == 0);
    CHECK(ran.out == plain);
    CHECK(ran.err.empty());
    CHECK(run_gdsim({"run", "--help"}).out.find(option) == std::string::npos);
    CHECK(run_gdsim({"sweep", kFirstSteps, option}).status == 2);
  }
}

TEST_CASE("with -o, a run writes all tables and says nothing") {
  const TemporaryFolder folder;
  const Ran ran = run_gdsim({"run", kFirstSteps, "-o", (folder.path() / "deep" / "out").string()});
  CHECK(ran.status == 0);
  CHECK((ran.out + ran.err).empty());
  CHECK(folder.listing() ==
        "deep deep/out deep/out/cores.csv deep/out/graph.dot deep/out/group_states.csv deep/out/kernels.csv "
        "deep/out/launches.csv deep/out/phases.csv deep/out/scenario_as_run.yaml deep/out/summary.json "
        "deep/out/time_use.csv deep/out/timeline.csv deep/out/work_groups.csv");
}

TEST_CASE("with -o, a run replaces an earlier run, and leaves what lies beside its folder alone") {
  const TemporaryFolder folder;
  folder.write("notes.txt", "mine");
  const std::string out = (folder.path() / "out").string();
  REQUIRE(run_gdsim({"run", kVectorAdd4, "-o", out, "--sample", "1 ms"}).status == 0);
  REQUIRE(run_gdsim({"run", kFirstSteps, "-o", out, "--print", "phases"}).out.starts_with("phase,"));
  CHECK(read_file(out + "/timeline.csv") == run_gdsim({"run", kFirstSteps, "--print", "timeline"}).out);
  CHECK(read_file(folder.path() / "notes.txt") == "mine");
  CHECK(folder.listing() ==
        "notes.txt out out/cores.csv out/graph.dot out/group_states.csv out/kernels.csv out/launches.csv "
        "out/phases.csv out/scenario_as_run.yaml out/summary.json out/time_use.csv out/timeline.csv "
        "out/work_groups.csv");
}

TEST_CASE("cases go into folders of their own, side by side in cases.csv") {
  const TemporaryFolder folder;
  const std::string file = folder.write("cases.yaml", plain_scenario("cases:\n"
                                                                     "  - {name: a, set: {kernels.k.global: 8}}\n"
                                                                     "  - {name: b, set: {device.cores: 4}}\n"));
  const auto out = folder.path() / "out";
  REQUIRE(run_gdsim({"run", file, "-o", out.string()}).status == 0);
  CHECK(read_file(out / "cases.csv") ==
        "case,kernels.k.global,device.cores,duration_ns,peak_occupancy_percent,mean_occupancy_percent,outcome\n"
        "a,8,,1000.000,6.2500,6.2500,completed\n"
        "b,,4,1000.000,25.0000,25.0000,completed\n");
  CHECK(
      read_file(out / "a" / "phases.csv").find("\n1,0.000,1000.000,1000.000,1,6.2500,1.0000,1,constant,1,1.0000,1\n") !=
      std::string::npos);
  CHECK(run_gdsim({"run", file, "--print", "phases"}).status == 2);
  CHECK(run_gdsim({"run", file, "--case", "b", "--print", "phases"}).out.find(",8,25.0000,") != std::string::npos);
  CHECK_THAT(run_gdsim({"run", file, "--case", "z"}).err, Catch::Contains("there is no case 'z'"));
}

TEST_CASE("cases.csv shows what was in force, even if --set overrode a case") {
  const TemporaryFolder folder;
  const std::string file = folder.write("cases.yaml", plain_scenario("cases:\n"
                                                                     "  - {name: a, set: {kernels.k.global: 8}}\n"));
  const auto out = folder.path() / "out";
  REQUIRE(run_gdsim({"run", file, "-o", out.string(), "--set", "kernels.k.global=32"}).status == 0);
  CHECK_THAT(read_file(out / "cases.csv"), Catch::Contains("\na,32,"));
}

TEST_CASE("a case that is refused as expected is listed, and the others run") {
  const TemporaryFolder folder;
  const std::string file = source_path("scenarios/work_group_size_r.yaml");
  const Ran ran = run_gdsim({"run", file});
  CHECK(ran.status == 0);
  CHECK_THAT(ran.out, Catch::Contains("R4    completed") && Catch::Contains("R5    refused: work_group_too_large"));
  const auto out = folder.path() / "out";
  REQUIRE(run_gdsim({"run", file, "-o", out.string()}).status == 0);
  CHECK_THAT(read_file(out / "cases.csv"), Catch::Contains(",,,,refused: work_group_too_large\n"));
  CHECK(folder.listing().find("out/R4/phases.csv") != std::string::npos);
  CHECK(folder.listing().find("out/R5") == std::string::npos);
  CHECK(run_gdsim({"run", file, "--case", "R5"}).status == 2);
}

TEST_CASE("with --set, a run replaces values of the scenario and of its device") {
  const auto phases = [](const std::string& set) {
    return run_gdsim({"run", kVectorAdd4, "--set", set, "--print", "phases"}).out;
  };
  CHECK_THAT(phases("device.cores=2"), Catch::Contains(",224,100.0000,"));
  CHECK_THAT(phases("dispatch.admission=whole"), Catch::Contains(",320,47.6190,"));
  CHECK_THAT(phases("kernels.vector_add4.global=3200"), Catch::Contains(",376,"));
}

TEST_CASE("a scenario may come from standard input") {
  const Ran ran = run_shell("\"$GDSIM\" run - --print phases < " + kFirstSteps);
  CHECK(ran.status == 0);
  CHECK(ran.out == run_gdsim({"run", kFirstSteps, "--print", "phases"}).out);
}

TEST_CASE("a file whose name begins with a dash can be named after --") {
  const TemporaryFolder folder;
  folder.write("-odd.yaml", read_file(kFirstSteps));
  CHECK(run_shell("cd " + folder.path().string() + " && \"$GDSIM\" run --print phases -- -odd.yaml").status == 0);
}

TEST_CASE("a reader that closes the pipe is no failure") {
  const Ran ran = run_shell("{ \"$GDSIM\" run " + kVectorAdd4 + " --print timeline; echo status $? >&2; } | head -c 1");
  CHECK_THAT(ran.err, Catch::Equals("status 0\n"));
  const TemporaryFolder folder;
  const std::string is_closed = (folder.path() / "closed").string();
  const Ran closed = run_shell("{ until [ -e " + is_closed + " ]; do :; done; \"$GDSIM\" run " + kVectorAdd4 +
                               "; echo status $? >&2; } | { exec 0<&-; touch " + is_closed + "; }");
  CHECK_THAT(closed.err, Catch::Equals("status 0\n"));
}

TEST_CASE("help and version go to standard output and succeed") {
  CHECK(run_gdsim({"--version"}).out.starts_with("gdsim 0."));
  CHECK(run_gdsim({"--help"}).status == 0);
  CHECK(run_gdsim({"help"}).out == run_gdsim({"--help"}).out);
  CHECK(run_gdsim({"run", "--help"}).out == run_gdsim({"help", "run"}).out);
  CHECK_THAT(run_gdsim({"run", "-h"}).out, Catch::Contains("Examples:") && Catch::Contains("--set PATH=VALUE"));
  CHECK_THAT(run_gdsim({"check", "--help"}).out, Catch::Contains("gdsim check scenarios/*.yaml"));
}

TEST_CASE("the log goes to standard error, by flag or by environment, and colours only where they are wanted") {
  const TemporaryFolder folder;
  const std::string file = folder.write("plain.yaml", plain_scenario());
  const auto warning = "came to its bound";
  const auto run = [&](const std::vector<std::string>& more, const std::vector<std::string>& environment = {}) {
    std::vector<std::string> words{"run", file, "--max-time", "1 ns"};
    words.insert(words.end(), more.begin(), more.end());
    return run_gdsim(words, environment).err;
  };
  CHECK_THAT(run({}), Catch::Contains(warning));
  CHECK(run({"--log-level", "off"}).empty());
  CHECK(run({}, {"SPDLOG_LEVEL=error"}).empty());
  CHECK_THAT(run({"--log-level", "warn"}, {"SPDLOG_LEVEL=off"}), Catch::Contains(warning));
  CHECK(run({}).find('\x1b') == std::string::npos);
  CHECK(run_gdsim({"check", kVectorAdd4, "--color", "always"}).out.find('\x1b') != std::string::npos);
  CHECK(run_gdsim({"check", kVectorAdd4}, {"NO_COLOR=1"}).out.find('\x1b') == std::string::npos);
}

TEST_CASE("a terminal gets colours by itself, unless it is dumb or NO_COLOR is set") {
  if (!has_terminals()) {
    WARN("there are no pseudo-terminals here (/dev/pts): not tested");
    return;
  }
  const auto is_colored = [](const std::vector<std::string>& environment) {
    const Ran ran = run_gdsim_on_terminal({"check", kVectorAdd4}, environment);
    CHECK(ran.status == 0);
    return ran.out.find('\x1b') != std::string::npos;
  };
  CHECK(is_colored({}));
  CHECK_FALSE(is_colored({"TERM=dumb"}));
  CHECK_FALSE(is_colored({"NO_COLOR=1"}));
}

TEST_CASE("models are looked up beside the scenario, in --models, in GDSIM_MODELS") {
  const TemporaryFolder folder;
  const std::string device = "device: gpu9\nbase: tiny\ncores: 9\n";
  std::string text = plain_scenario();
  text.replace(text.find("tiny"), 4, "gpu9");
  const std::string scenario = folder.write("s/scenario.yaml", text);
  const auto contexts = [&](const std::vector<std::string>& more, const std::vector<std::string>& environment = {}) {
    std::vector<std::string> words{"run", scenario, "--print", "summary"};
    words.insert(words.end(), more.begin(), more.end());
    const std::string out = run_gdsim(words, environment).out;
    const auto at = out.find("contexts_total\": ");
    return at == std::string::npos ? "refused" : out.substr(at + 17, out.find(',', at) - at - 17);
  };
  CHECK(contexts({}) == "refused");
  folder.write("by_environment/gpu9.yaml", device);
  const std::string environment = "GDSIM_MODELS=/nowhere:" + (folder.path() / "by_environment").string();
  CHECK(contexts({}, {environment}) == "72");
  folder.write("by_option/vendor/gpu9.yaml", "device: gpu9\nbase: tiny\ncores: 8\n");
  CHECK(contexts({"--models", (folder.path() / "by_option").string()}, {environment}) == "64");
  folder.write("s/gpu9.yaml", "device: gpu9\nbase: tiny\ncores: 7\n");
  // A file beside the scenario does not answer for a model in silence.
  CHECK(contexts({"--models", (folder.path() / "by_option").string()}, {environment}) == "refused");
}

TEST_CASE("a defect of gdsim itself ends with 70 and asks for a report") {
  const Ran ran = run_program({GDSIM_BINARY_ROOT "/tests/gdsim_losing", "run", kVectorAdd4});
  CHECK(ran.status == 70);
  CHECK(ran.out.empty());
  CHECK_THAT(ran.err, Catch::Contains("conservation is violated") && Catch::Contains("Please report it"));
  const Ran check = run_program({GDSIM_BINARY_ROOT "/tests/gdsim_losing", "check", kVectorAdd4, "nowhere.yaml"});
  CHECK(check.status == 70);
}
