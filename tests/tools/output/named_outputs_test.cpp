#include "output/output_files.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <map>

// No output takes the place of a file that was read, by whatever name it is called.

using namespace gdsim::testing;
namespace fs = std::filesystem;

namespace {

/// A scenario, and all that it may name.
class Inputs {
 public:
  Inputs() {
    const std::string scenario =
        "scenario: W\ndevice: mine.yaml\nkernels:\n  k:\n    global: 64\n    local: 8\n    sub_group: 8\n"
        "    program: [compute: 1 us]\n    variation: {work_groups: durations.csv}\nlaunches: [kernel: k]\n";
    write("plain.yaml", scenario);
    write("w.yaml", scenario + "expect: [{share_on_core: {measured: cores.csv, at_least: 0}}]\n");
    write("mine.yaml", "base: base.yaml\ncores: 2\n");
    write("base.yaml", "base: tiny\n");
    write("durations.csv", "work_group,factor\n0,1.5\n");
    write("other.csv", "work_group,factor\n0,2.5\n");
    write("cores.csv", "work_group,core\n0,0\n");
    write("m.svg", "time_ms,percent\n0,50\n0.001,50\n");
  }

  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

  void write(const std::string& name, const std::string& text) {
    folder_.write(name, text);
    texts_[name] = text;
  }

  /// Runs gdsim in the folder.
  Ran run(const std::vector<std::string>& words) const {
    std::string line = "cd " + folder_.path().string() + " && \"$GDSIM\"";
    for (const std::string& word : words) line += " '" + word + "'";
    return run_shell(line);
  }

  /// The call is refused with these words, and nothing was written.
  void check_refused(const std::vector<std::string>& words, const std::string& message) const {
    const std::string before = folder_.listing();
    const Ran ran = run(words);
    std::string line;
    for (const std::string& word : words) line += word + " ";
    INFO(line << "\n" << ran.out << ran.err);
    CHECK(ran.status == 2);
    CHECK(ran.out.empty());
    CHECK_THAT(ran.err, Catch::Contains(message));
    check_unchanged();
    CHECK(folder_.listing() == before);
  }

  void check_unchanged() const {
    for (const auto& [name, text] : texts_) {
      INFO(name);
      CHECK(read_file(folder_.path() / name) == text);
    }
  }

 private:
  TemporaryFolder folder_;
  std::map<std::string, std::string> texts_;
};

/// The two shards of a study.
void make_shards(const Inputs& inputs) {
  for (const std::string shard : {"1", "2"})
    REQUIRE(inputs
                .run({"sweep", "w.yaml", "--vary", "global=64..128+8", "--shard", shard + "/2", "-o",
                      "shard-" + shard + ".sqlite"})
                .status == 0);
}

}  // namespace

TEST_CASE("no output takes the place of the scenario") {
  const Inputs inputs;
  const std::string why = "would take the place of w.yaml, which was read as the scenario";
  inputs.check_refused({"run", "w.yaml", "--trace", "w.yaml"}, "--trace w.yaml " + why);
  inputs.check_refused({"run", "w.yaml", "--trace", "./w.yaml"}, "--trace ./w.yaml " + why);
  fs::create_symlink("w.yaml", inputs.path("link.html"));
  fs::create_hard_link(inputs.path("w.yaml"), inputs.path("hard.svg"));
  inputs.check_refused({"report", "w.yaml", "-o", "link.html"}, "-o link.html " + why);
  inputs.check_refused({"report", "w.yaml", "-o", "hard.svg"}, "-o hard.svg " + why);
  inputs.check_refused({"explain", "w.yaml", "-o", "new.csv", "-o", "link.html"}, "-o link.html " + why);
  inputs.check_refused({"sweep", "w.yaml", "--vary", "global=64", "-o", "new.sqlite", "-o", "hard.svg"},
                       "-o hard.svg " + why);
  inputs.check_refused({"diff", "w.yaml", "w.yaml", "-o", "new.csv", "-o", "hard.svg"}, "-o hard.svg " + why);
  inputs.check_refused({"compare", "w.yaml", "--measured", "m.svg", "-o", "hard.svg"}, "-o hard.svg " + why);
}

TEST_CASE("no output takes the place of a scenario that was read from standard input") {
  const Inputs inputs;
  const Ran ran = inputs.run({"run", "-", "--trace", "w.yaml"});
  CHECK(ran.status == 2);
  const Ran read = run_shell("cd " + fs::path(inputs.path("w.yaml")).parent_path().string() +
                             " && \"$GDSIM\" run - --trace w.yaml < w.yaml");
  CHECK(read.status == 2);
  CHECK_THAT(read.err,
             Catch::Contains("--trace w.yaml would take the place of <stdin>, which was read as the scenario"));
  inputs.check_unchanged();
}

TEST_CASE("no output takes the place of a file that the scenario names") {
  const Inputs inputs;
  const std::string durations =
      "would take the place of ./durations.csv, which was read as the factors or durations of work-groups";
  inputs.check_refused({"run", "w.yaml", "--trace", "durations.csv"}, "--trace durations.csv " + durations);
  inputs.check_refused({"explain", "w.yaml", "-o", "durations.csv"}, "-o durations.csv " + durations);
  inputs.check_refused({"diff", "w.yaml", "w.yaml", "-o", "durations.csv"}, "-o durations.csv " + durations);
  inputs.check_refused({"sweep", "w.yaml", "--vary", "global=64", "-o", "durations.csv"},
                       "-o durations.csv " + durations);
  inputs.check_refused({"run", "w.yaml", "--trace", "cores.csv"},
                       "which was read as the measured cores of work-groups");
  inputs.check_refused({"run", "w.yaml", "--trace", "mine.yaml"}, "which was read as a device model");
  inputs.check_refused({"run", "w.yaml", "--trace", "base.yaml"}, "which was read as a device model");
}

TEST_CASE("no output of a sweep takes the place of a file that a value of an axis names") {
  const Inputs inputs;
  const std::vector<std::string> sweep{"sweep", "w.yaml", "--vary",
                                       "kernels.k.variation.work_groups=durations.csv,other.csv"};
  const auto words = [&](std::vector<std::string> more) {
    more.insert(more.begin(), sweep.begin(), sweep.end());
    return more;
  };
  inputs.check_refused(words({"-o", "new.sqlite", "-o", "other.csv"}),
                       "-o other.csv would take the place of ./other.csv");
  REQUIRE(inputs.run(words({"-o", "new.sqlite"})).status == 0);
  inputs.check_refused(words({"-o", "new.sqlite", "--resume", "-o", "other.csv"}), "-o other.csv would take the place");
}

TEST_CASE("no picture takes the place of the measured file that it shows") {
  const Inputs inputs;
  inputs.check_refused({"compare", "w.yaml", "--measured", "m.svg", "-o", "m.svg"},
                       "-o m.svg would take the place of m.svg, which was read as the measured file");
}

TEST_CASE("no output takes the place of a file of a run's folder that was read") {
  const Inputs inputs;
  REQUIRE(inputs.run({"run", "w.yaml", "-o", "out"}).status == 0);
  for (const std::string name : {"scenario_as_run.yaml", "summary.json"}) {
    fs::create_symlink("out/" + name, inputs.path("link.svg"));
    inputs.check_refused({"report", "out", "-o", "link.svg"}, "which was read as a file of a run's folder");
    inputs.check_refused({"diff", "out", "out", "-o", "link.svg"}, "which was read as a file of a run's folder");
    inputs.check_refused({"compare", "out", "--measured", "m.svg", "-o", "link.svg"}, "a file of a run's folder");
    fs::remove(inputs.path("link.svg"));
  }
  CHECK(inputs.run({"report", "out", "-o", "out.html"}).status == 0);
  CHECK(inputs.run({"report", "out", "-o", "out.html"}).status == 0);
}

TEST_CASE("a run's folder takes the place of no file that was read, and can be written again") {
  const Inputs inputs;
  REQUIRE(inputs.run({"run", "plain.yaml", "-o", "out"}).status == 0);
  CHECK(inputs.run({"run", "plain.yaml", "-o", "out"}).status == 0);
  // The scenario as it ran, whose inputs lie beside it.
  const std::vector<std::string> copied{"mine.yaml", "base.yaml", "durations.csv"};
  for (const std::string& name : copied) fs::copy_file(inputs.path(name), inputs.path("out/" + name));
  const std::string scenario = read_file(inputs.path("out/scenario_as_run.yaml"));
  inputs.check_refused({"run", "out/scenario_as_run.yaml", "-o", "out", "--set", "kernels.k.global=128"},
                       "-o out (out/scenario_as_run.yaml) would take the place of out/scenario_as_run.yaml, which was "
                       "read as the scenario");
  CHECK(read_file(inputs.path("out/scenario_as_run.yaml")) == scenario);
  for (const std::string& name : copied) fs::remove(inputs.path("out/" + name));
  CHECK(inputs.run({"run", "plain.yaml", "-o", "out"}).status == 0);
}

TEST_CASE("no output of a merge takes the place of a store that was read") {
  const Inputs inputs;
  make_shards(inputs);
  fs::create_symlink("shard-2.sqlite", inputs.path("link.csv"));
  fs::create_hard_link(inputs.path("shard-2.sqlite"), inputs.path("hard.sqlite"));
  const std::vector<std::string> merge{"sweep", "--merge", "shard-1.sqlite", "shard-2.sqlite", "-o"};
  const auto to = [&](const std::string& name) {
    auto words = merge;
    words.push_back(name);
    return words;
  };
  inputs.check_refused(to("shard-1.sqlite"), "which was read as one of the stores to be merged");
  inputs.check_refused(to("hard.sqlite"), "which was read as one of the stores to be merged");
  inputs.check_refused(to("link.csv"), "which was read as one of the stores to be merged");
  CHECK(inputs.run(to("all.sqlite")).status == 0);
}

TEST_CASE("a batch script is not printed for outputs that would take the place of an input") {
  const Inputs inputs;
  inputs.check_refused({"sweep", "w.yaml", "--vary", "global=64,128", "--slurm", "2", "-o", "durations.csv"},
                       "-o durations.csv would take the place of ./durations.csv");
}

TEST_CASE("a file that is read while an output is being written is not replaced by it") {
  const TemporaryFolder folder;
  const std::string file = folder.write("x.csv", "read");
  gdsim::FileRegister inputs;
  gdsim::cli::StandardOutput out;
  gdsim::cli::OutputFile output({"-o x.csv", file}, inputs, out);
  output.sink().write("written");
  inputs.add(file, "the scenario");
  CHECK_THROWS_WITH(output.commit(), Catch::Contains("which was read as the scenario"));
  CHECK(read_file(file) == "read");
}

TEST_CASE("two outputs of one command are two files") {
  const Inputs inputs;
  fs::create_symlink("a.csv", inputs.path("a.json"));
  const std::vector<std::string> sweep{"sweep", "w.yaml", "--vary", "global=64,128", "-o", "a.csv", "-o"};
  for (const std::string name : {"a.csv", "./a.csv", "a.json"}) {
    auto words = sweep;
    words.push_back(name);
    inputs.check_refused(words,
                         "-o a.csv and -o " + name + " are one file, a.csv; each output needs a file of its own");
  }
  fs::create_symlink("s.sqlite", inputs.path("s.csv"));
  inputs.check_refused({"sweep", "w.yaml", "--vary", "global=64,128", "-o", "s.sqlite", "-o", "s.csv"},
                       "-o s.sqlite and -o s.csv are one file");
  inputs.check_refused({"run", "w.yaml", "-o", "out", "--trace", "out/summary.json"},
                       "--trace out/summary.json lies in the folder of -o out");
  const Ran ran = run_shell("cd " + fs::path(inputs.path("w.yaml")).parent_path().string() +
                            " && \"$GDSIM\" sweep w.yaml --vary global=64,128 -o b.csv > b.csv");
  CHECK(ran.status == 2);
  CHECK_THAT(ran.err, Catch::Contains("-o b.csv and standard output are one file"));
}

TEST_CASE("an output that was named and is no input is written, also beside the inputs and into devices") {
  const Inputs inputs;
  CHECK(inputs.run({"run", "w.yaml", "-o", "out", "--trace", "out.pftrace"}).status == 0);
  CHECK(inputs.run({"sweep", "w.yaml", "--vary", "global=64,128", "-o", "a.sqlite", "-o", "a.csv"}).status == 0);
  CHECK(
      inputs.run({"sweep", "w.yaml", "--vary", "global=64,128", "-o", "a.sqlite", "--resume", "-o", "a.csv"}).status ==
      0);
  CHECK(inputs.run({"report", "w.yaml", "-o", "/dev/null"}).status == 0);
  CHECK(inputs.run({"report", "w.yaml", "-o", "/dev/stdout"}).status == 0);
  inputs.check_unchanged();
}
