#include "options/command.hpp"
#include "options/shared_options.hpp"
#include "output/aside_folder.hpp"
#include "output/output_files.hpp"
#include "output/sinks.hpp"
#include "terminal/log.hpp"
#include "terminal/program.hpp"
#include "terminal/progress.hpp"
#include "terminal/terminal.hpp"

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/store/point_store.hpp>
#include <gdsim/sweep/study_writers.hpp>
#include <gdsim/sweep/sweep.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace gdsim::cli {
namespace {

/// The task of a batch script.
struct SlurmSweep {
  std::string program;             ///< path of gdsim
  std::vector<std::string> words;  ///< of the sweep: scenario and options, without -o, --slurm and options of the merge
  std::vector<std::string> outputs;  ///< of the merge
  std::vector<std::string> table;    ///< options of the merge: how its tables are ranked and shown
  std::uint64_t shards = 1;
};

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += " " + single_quoted(word);
  return text;
}

constexpr const char* kHead = R"sh(#!/bin/sh
# A sweep of gdsim on a cluster with Slurm: `sbatch FILE` (or `sh FILE` on a login node).
# An array runs one shard per task. A job behind it runs the shards that failed again, up to three times, and merges.
# Shards lie in $shards, which every node must see; point TMPDIR and the folder at storage with working file locks.
#SBATCH --job-name=gdsim-sweep
#SBATCH --cpus-per-task=1
#SBATCH --output=gdsim-sweep-%A-%a.log
set -eu
)sh";

constexpr const char* kBody = R"sh(
submit() {  # ROUND LIST: these shards as an array, and the job behind it; prints nothing
  array=$(sbatch --parsable --array="$2" "$script" shard)
  sbatch --parsable --dependency=afterany:"${array%%;*}" --output=gdsim-sweep-%j.log "$script" finish "$1" >/dev/null
}

missing() {  # the shards that are not complete, as a list for --array
  list=
  i=1
  while [ "$i" -le "$count" ]; do
    [ -e "$shards/shard-$i.done" ] || list="$list${list:+,}$i"
    i=$((i + 1))
  done
  echo "$list"
}

script=${GDSIM_SWEEP_SCRIPT:-$0}
case ${1:-submit} in
  submit)
    mkdir -p "$shards"
    cp "$0" "$shards/sweep.slurm"  # Slurm's own copy is gone when the job is
    script=$shards/sweep.slurm
    export GDSIM_SWEEP_SCRIPT="$script"
    submit 1 "1-$count"
    ;;
  shard)
    i=$SLURM_ARRAY_TASK_ID
    sweep --jobs "${SLURM_CPUS_PER_TASK:-1}" --shard "$i/$count" --resume -o "$shards/shard-$i.sqlite"
    : > "$shards/shard-$i.done"
    ;;
  finish)
    list=$(missing)
    if [ -n "$list" ] && [ "$2" -le "$retries" ]; then
      echo "gdsim sweep: shards $list failed; run again ($2 of $retries)" >&2
      submit $(($2 + 1)) "$list"
    else
      merge
    fi
    ;;
esac
)sh";

/// Returns a batch script for Slurm: an array with a task per shard, then a job that repeats failed tasks up to three
/// times and merges. The script submits itself: `sbatch FILE` or `sh FILE`.
std::string slurm_script(const SlurmSweep& sweep) {
  std::string files;
  for (const std::string& output : sweep.outputs) files += " -o " + single_quoted(output);
  const std::string folder = std::filesystem::path(sweep.outputs.front()).stem().string() + ".shards";
  return kHead +
         fmt::format(
             "\ncount={}\nretries=3\nshards=${{GDSIM_SHARDS:-{}}}\n\nsweep() {{ {} sweep{} \"$@\"; }}\n"
             "merge() {{ {} sweep --merge \"$shards\"/shard-*.sqlite{}{}; }}\n",
             sweep.shards, single_quoted(folder), single_quoted(sweep.program), joined(sweep.words),
             single_quoted(sweep.program), joined(sweep.table), files) +
         kBody;
}

namespace fs = std::filesystem;

/// Returns the path with which another process can start this program.
std::string own_path() {
  std::error_code error;
  const fs::path path = fs::read_symlink("/proc/self/exe", error);
  return error ? "gdsim" : (path.parent_path() / "gdsim").string();
}

/// One call of `gdsim sweep`.
class SweepCall {
 public:
  explicit SweepCall(CommandContext& context)
      : context_(context),
        options_(context.options),
        outputs_(options_, {".csv", ".json", ".sqlite", ".html", ".svg"}),
        metric_(read_metric()) {
    if (const auto best = options_.value("best")) best_ = whole_number("--best", *best, 1);
    if (const auto shard = options_.value("shard")) shard_ = parse_shard(*shard);
    require_use_of_options();
    if (shard_ && (outputs_.store().empty() || outputs_.has_files() || options_.has("format")))
      throw UsageError("--shard writes a store and nothing else: -o shard-" + std::to_string(shard_->number) +
                       ".sqlite; `gdsim sweep --merge` makes tables of all shards");
  }

  ExitStatus run() {
    if (options_.has("merge")) return merge();
    if (options_.arguments().size() != 1)
      throw UsageError("sweep needs one scenario file, " + std::to_string(options_.arguments().size()) + " were given");
    if (const auto shards = options_.value("slurm")) return print_slurm_script(whole_number("--slurm", *shards, 1));
    return sweep();
  }

 private:
  /// Refuses options that have no effect beside others.
  void require_use_of_options() const {
    const auto refuse = [&](std::initializer_list<const char*> names, const std::string& beside, const char* why) {
      for (const char* name : names)
        if (options_.has(name)) throw UsageError(beside + " takes no --" + name + "; " + why);
    };
    if (options_.has("merge"))
      refuse({"vary", "zip", "where", "sample", "seed", "shard", "slurm", "set", "case", "resume", "max-time",
              "max-events", "jobs", "models", "of"},
             "--merge", "the shards know theirs");
    if (options_.has("slurm")) {
      refuse({"shard"}, "--slurm", "it runs all shards");
      refuse({"jobs"}, "--slurm", "a shard has as many as its task has CPUs: #SBATCH --cpus-per-task");
      refuse({"resume"}, "--slurm", "its shards continue what they began");
    }
    if (options_.has("shard"))
      refuse({"metric", "best"}, "--shard", "`gdsim sweep --merge` ranks the points of all shards");
    if (options_.has("zip") && options_.values("vary").size() < 2)
      throw UsageError("--zip pairs lists: two --vary or more are needed");
  }

  const Metric& read_metric() const {
    try {
      return metric_of(options_.value("metric").value_or("duration"));
    } catch (const InputError& error) {
      throw UsageError(error.problems().front().message);
    }
  }

  SweepRequest request() const {
    SweepRequest request;
    request.metric = &metric_;
    request.scenario = options_.arguments().front();
    request.read = scenario_options(options_);
    for (const std::string& text : options_.values("vary")) request.axes.push_back(parse_axis(text));
    request.rules.zip = options_.has("zip");
    request.rules.where = options_.value("where").value_or("");
    if (const auto sample = options_.value("sample")) request.rules.sample = whole_number("--sample", *sample, 1);
    if (const auto seed = options_.value("seed")) {
      if (!request.rules.sample) throw UsageError("--seed belongs to --sample N");
      request.rules.seed = whole_number("--seed", *seed, 0);
    }
    request.shard = shard_.value_or(Shard{});
    if (options_.has("resume")) {
      if (outputs_.store().empty()) throw UsageError("--resume continues a store: -o FILE.sqlite is needed");
      request.resume = Resume::yes;
    }
    request.run = context_.run_options;
    request.run.bounds = read_run_bounds(options_);
    request.jobs = jobs_of(options_);
    request.of = launch_figure_of(options_);
    request.program = std::string("gdsim ") + version_number();
    request.store = outputs_.store();
    return request;
  }

  ExitStatus sweep() {
    SweepRequest wanted = request();
    std::optional<CountProgress> progress;
    if (is_terminal(STDERR_FILENO)) {
      progress.emplace("points");
      wanted.progress = [&](std::uint64_t done, std::uint64_t all) { progress->show(done, all); };
    }
    wanted.check_outputs = [&](const FileRegister& inputs) { outputs_.require_free(inputs); };
    if (logs_trace()) wanted.started = [](const std::string& point) { log_trace("point " + point + " started"); };
    Sweep sweep(std::move(wanted));
    log_debug(fmt::format("{}: {} points of {}", sweep.identity().title, sweep.space().count(), sweep.space().size()));
    const SweepEnd end = sweep.run();
    progress.reset();
    if (shard_) {
      context_.out.show(fmt::format("shard {}/{}: {} points are stored in {}\n", shard_->number, shard_->count,
                                    sweep.store().count(), outputs_.store().string()));
      context_.out.flush();
      log_info("wrote " + outputs_.store().string());
    } else {
      write(sweep.store(), sweep.space(), sweep.identity(), sweep.inputs());
    }
    if (end == SweepEnd::complete) {
      log_info(sweep.identity().title + " is complete");
      return ExitStatus::done;
    }
    log_warning(sweep.identity().title + " was interrupted" +
                (outputs_.store().empty() ? "" : "; --resume continues " + outputs_.store().string()));
    return ExitStatus::interrupted;
  }

  ExitStatus merge() {
    std::vector<fs::path> files(options_.arguments().begin(), options_.arguments().end());
    const fs::path& target = outputs_.store();
    for (const fs::path& file : files) context_.inputs.add(file, "one of the stores to be merged");
    outputs_.require_free(context_.inputs);
    const bool is_new = !target.empty() && !fs::exists(target);
    NewStore aside(is_new ? target : fs::path());
    StoredStudy study;
    {
      PointStore store(is_new ? aside.path() : target);
      if (is_new) store.begin_bulk();
      study = merge_studies(files, store);
      if (is_new) store.end_of_bulk();
      write(store, PointSpace(study.axes, study.rules), study.identity, context_.inputs);
    }
    aside.commit();
    if (!target.empty()) log_info("wrote " + target.string());
    return ExitStatus::done;
  }

  void write(PointStore& store, const PointSpace& space, const StudyIdentity& identity, const FileRegister& inputs) {
    const StudyTable table(store, space, identity, metric_, best_);
    outputs_.write(
        {{".csv", [&](Sink& sink) { write_study_csv(table, sink); }},
         {".json", [&](Sink& sink) { write_study_json(table, sink); }},
         {".html", [&](Sink& sink) { write_study_page(table, sink); }},
         {".svg", [&](Sink& sink) { write_study_svg(table, sink); }}},
        [&] { return study_text(table); }, inputs, context_.out);
  }

  ExitStatus print_slurm_script(std::uint64_t shards) {
    if (outputs_.store().empty() && !outputs_.has_files())
      throw UsageError("--slurm needs to know what comes out: -o FILE.sqlite or -o FILE.csv");
    if (options_.arguments().front() == "-") throw UsageError("--slurm needs a scenario file that every node can read");
    {
      const Sweep checked(checked_request());
      outputs_.require_free(checked.inputs());  // the merge job does not read the scenario
    }
    SlurmSweep sweep{own_path(), words_of_sweep(), options_.values("output"),
                     options_given({"metric", "best", "format"}), shards};
    context_.out.write(slurm_script(sweep));
    context_.out.flush();
    return ExitStatus::done;
  }

  /// Returns the request without its store. Its problems are reported here, not on the cluster.
  SweepRequest checked_request() const {
    SweepRequest checked = request();
    checked.store.clear();
    return checked;
  }

  /// Returns the words of this call without those that differ between shards.
  std::vector<std::string> words_of_sweep() const {
    std::vector<std::string> words{options_.arguments().front()};
    const std::vector<std::string> given =
        options_given({"vary", "where", "sample", "seed", "set", "case", "models", "max-events", "max-time"});
    words.insert(words.end(), given.begin(), given.end());
    if (options_.has("zip")) words.emplace_back("--zip");
    return words;
  }

  /// `--NAME=VALUE` for each value of these options.
  std::vector<std::string> options_given(std::initializer_list<const char*> names) const {
    std::vector<std::string> words;
    for (const char* name : names)
      for (const std::string& value : options_.values(name)) words.push_back("--" + std::string(name) + "=" + value);
    return words;
  }

  /// A file that is written beside its place and moved there when it is complete.
  class NewStore {
   public:
    explicit NewStore(fs::path target) : target_(std::move(target)) {
      if (target_.empty()) return;
      aside_.emplace(folder(), target_);
      for (const char* suffix : {"-wal", "-shm", "-journal", ""})
        path_ = aside_->add(std::string("store") + suffix, target_);
    }

    const fs::path& path() const { return path_; }
    void commit() {
      if (!aside_) return;
      sync_path(path_, target_);
      fs::rename(path_, target_);
      sync_path(folder(), target_);
    }

   private:
    fs::path folder() const { return target_.has_parent_path() ? target_.parent_path() : fs::path("."); }

    fs::path target_;
    fs::path path_;  ///< of the file beside its place; empty without a target
    std::optional<AsideFolder> aside_;
  };

  CommandContext& context_;
  const Options& options_;
  OutputsBySuffix outputs_;
  const Metric& metric_;
  std::optional<std::uint64_t> best_;
  std::optional<Shard> shard_;
};

ExitStatus run_sweep(CommandContext& context) { return SweepCall(context).run(); }

}  // namespace

Command sweep_command() {
  CommandSpec spec{
      "sweep",
      "SCENARIO.yaml",
      "many points, ranked: which value is best?",
      "Runs the scenario with every combination of the values that --vary lists, and ranks them. The rows keep\n"
      "the order of the values; if there are more than 40, gdsim shows the ten best by rank.\n"
      "\n"
      "NAME is a parameter, `device`, or any path as in --set. If there is one kernel, NAME may also be a key\n"
      "of it, such as `local`. LIST is 8,16,32 (these values), 32..1024*2 (each twice the one before) or\n"
      "64..512+64 (each 64 more). Commas in brackets separate no values: [8,8],[16,16]. If the device refuses\n"
      "a value, or the run deadlocks, the table has a row that says so.\n"
      "\n"
      "-o FILE.sqlite keeps every result at once, and several processes may share the file. --resume runs only\n"
      "what is not in it. --shard and --merge spread a sweep over machines; --slurm prints a batch script.\n"
      "Exit status: 0 done, 2 bad input, 130 interrupted (what is done is kept), 70 a defect of gdsim.",
      "  gdsim sweep scenarios/studies/work_group_size.yaml --vary local=32..1024*2\n"
      "  gdsim sweep gemm.yaml --vary tile=8,16,32 --vary stages=1..4+1 -o gemm.html -o gemm.csv\n"
      "  gdsim sweep gemm.yaml --vary tile=8..64+8 --where 'tile * tile <= 1024' --best 5\n"
      "  gdsim sweep gemm.yaml --vary tile=8..64+8 --shard 3/8 -o shard-3.sqlite --resume\n"
      "  gdsim sweep --merge shard-*.sqlite -o all.sqlite -o all.csv",
      {{"vary", 0, "NAME=LIST", "let a value take these values (repeatable: the product)", Times::any},
       {"zip", 0, "", "pair the lists instead: first with first, second with second"},
       {"where", 0, "EXPR", "drop the points for which this is 0, as in 'tile * stages <= 64'"},
       {"sample", 0, "N", "draw N points of the product (Latin hypercube)"},
       {"seed", 0, "S", "of --sample (default: 0)"},
       {"metric", 0, "NAME",
        "rank by duration (default), mean_occupancy, peak_occupancy, fit_occupancy, "
        "work_groups_per_core or waves",
        Times::once, "duration mean_occupancy peak_occupancy fit_occupancy work_groups_per_core waves"},
       {"best", 0, "N", "keep the N best rows only"},
       {"output", 'o', "FILE",
        "write FILE.csv, FILE.json, FILE.html (a page) or FILE.svg (a picture); FILE.sqlite is the "
        "store, which keeps every result (repeatable)",
        Times::any},
       OutputsBySuffix::format_spec(),
       {"resume", 0, "", "run only the points that the store has no result of"},
       {"shard", 0, "I/N", "run the I-th of N equal parts of the points, into -o FILE.sqlite"},
       {"merge", 0, "", "put the files of all shards together: gdsim sweep --merge FILE.sqlite... -o all.sqlite"},
       {"slurm", 0, "N", "print a batch script for Slurm that runs N shards, retries and merges"}}};
  for (const OptionSpec& option : scenario_option_specs()) spec.options.push_back(option);
  spec.options.push_back(of_option_spec());
  spec.options.push_back(jobs_option_spec());
  for (const OptionSpec& option : run_bounds_option_specs()) spec.options.push_back(option);
  put_in_group(spec, "Choose the points", {"vary", "zip", "where", "sample", "seed"});
  put_in_group(spec, kWhatIsWritten, {"metric", "best", "output", "format"});
  put_in_group(spec, "Keep results, and use more than one machine", {"resume", "shard", "merge", "slurm"});
  return {spec, run_sweep};
}

}  // namespace gdsim::cli
