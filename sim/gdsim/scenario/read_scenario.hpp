#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/compile/compile.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/record/phases.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/run/simulate.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace gdsim {

/// Occupancy of each phase, percent of the device's contexts, in order.
struct ExpectedPhases {
  std::vector<Decimal> percent;
};
/// Resident threads of each phase, in order.
struct ExpectedPhaseThreads {
  std::vector<std::uint64_t> threads;
};
/// Running threads of each phase, averaged over it, in order.
struct ExpectedRunningThreads {
  std::vector<Decimal> threads;
};
/// Duration of each constant phase and band, in order; their number must match, too.
struct ExpectedPhaseDurations {
  std::vector<Duration> times;
};
struct ExpectedPeakOccupancy {
  Decimal percent;
};
struct ExpectedMeanOccupancy {
  Decimal percent;
};
/// RunRecord::achieved_occupancy().
struct ExpectedAchievedOccupancy {
  Decimal percent;
};
/// The highest occupancy of single cores, percent of a core's contexts.
struct ExpectedCores {
  struct Peak {
    CoreId core{};
    Decimal percent;
  };
  std::vector<Peak> cores;
};
/// RunRecord::duration().
struct ExpectedDuration {
  Duration time;
};
/// RunRecord::active().
struct ExpectedActive {
  Duration time;
};
struct ExpectedOutcome {
  Outcome outcome{};
};
/// First dispatch, last end and begin of launches, and durations from begin and dispatch, where given.
struct ExpectedLaunchTimes {
  struct Times {
    LaunchId launch{};
    std::optional<SimTime> first_dispatched;
    std::optional<SimTime> ended;
    std::optional<SimTime> begun;
    std::optional<Duration> duration;
    std::optional<Duration> active;
  };
  std::vector<Times> launches;
};
/// The core of each work-group of launches, by work-group number.
struct ExpectedPlacement {
  struct Cores {
    LaunchId launch{};
    std::vector<CoreId> cores;
  };
  std::vector<Cores> launches;
};
/// The minimum share of a launch's measured work-groups that run on the core where they were measured.
struct ExpectedShareOnCore {
  struct Measured {
    WorkGroupId work_group{};
    CoreId core{};
  };
  LaunchId launch{};
  std::vector<Measured> measured;
  Decimal at_least_percent;
};
/// The device refuses the scenario for this reason, a code such as `too_many_registers`; `gdsim help scenario` lists
/// all codes.
struct ExpectedRefusal {
  std::string code;
};

using ExpectedItem = std::variant<ExpectedPhases, ExpectedPhaseThreads, ExpectedRunningThreads, ExpectedPhaseDurations,
                                  ExpectedPeakOccupancy, ExpectedMeanOccupancy, ExpectedAchievedOccupancy,
                                  ExpectedCores, ExpectedDuration, ExpectedActive, ExpectedOutcome, ExpectedLaunchTimes,
                                  ExpectedPlacement, ExpectedShareOnCore, ExpectedRefusal>;

/// The allowed deviation from the expected value. nullopt: none.
struct Tolerance {
  std::optional<Decimal> points;   ///< percentage points, for occupancies
  std::optional<Decimal> threads;  ///< for running threads
  std::optional<Decimal> percent;  ///< of the expected value, for times
  std::optional<Duration> time;
};

/// The status of an item: it must hold, or it is a known gap, which does not hold yet.
enum class ExpectationStatus : std::uint8_t { must_hold, known_gap };

/// One item of `expect:`.
struct Expectation {
  std::string key;  ///< as in the file: `phases`, `duration`, ...
  ExpectedItem item;
  Tolerance within;
  std::string source;  ///< where the expected value comes from
  ExpectationStatus status = ExpectationStatus::must_hold;
  SourceMark mark;
};

/// The contents of a scenario file, read and checked: the device, its workload, and the expected results.
///
///     const gdsim::ScenarioFile file = gdsim::read_scenario("mine.yaml");
///     const gdsim::Scenario& scenario = file.cases.front().scenario;
///     const gdsim::Compilation ready = gdsim::compile(scenario.device, scenario.dispatch, scenario.workload);
struct Scenario {
  std::string file;  ///< as named by the caller
  std::string title;
  DeviceSpec device;
  DispatchRules dispatch;  ///< the device's rules, overridden key by key
  Workload workload;
  MinPhase min_phase;
  std::uint64_t repeat = 1;  ///< number of runs, with seeds one higher each
  std::vector<Expectation> expectations;
  /// The reasons why the device refuses to run this, with their places. Empty if it can run. They are kept only if an
  /// `expect: error` expects them, or if this is one of several cases; otherwise they are problems of the file.
  std::vector<Diagnostic> refusals;
  /// With several devices: the scenario of each, in which launches of the others are remote. This scenario then has no
  /// `device` and `workload` of its own. Empty if there is one device.
  std::vector<Scenario> devices{};
  std::string device_name{};              ///< its name under `devices:`, if this is one of several devices
  std::vector<DeviceLink> links{};        ///< between `devices`
  Diagnostic power_place{};               ///< the place of the device's `power`; its `message` is empty
  std::vector<Collective> collectives{};  ///< of `devices`, or of all devices if this is one of several

  /// Returns true if an item of `expect:` says that the device refuses the scenario.
  bool expects_refusal() const;
};

/// One case of a scenario file; a file without `cases:` has a single one without a name.
struct ScenarioCase {
  std::string name;
  std::vector<std::pair<std::string, std::string>> values_set;  ///< path, value as written
  Scenario scenario;
  /// The scenario as it is run: the text of the file, or the result of the case and overrides.
  std::string effective;
};

/// The maximum size of a file, 1 GiB. It also ends the reading of a device or a pipe.
inline constexpr std::size_t kMaxFileBytes = std::size_t{1} << 30;

/// Is notified of every file that is read: to list a scenario's dependencies, or to keep outputs from overwriting it.
class InputListener {
 public:
  virtual ~InputListener() = default;
  /// Called before a file is read from the open `descriptor`. `file` is the given name, `-` for standard input; `role`
  /// is the file's role: `the scenario`.
  virtual void on_input(const std::filesystem::path& file, int descriptor, std::string_view role) = 0;
};

/// Keeps every text that was read, as long as marks refer to it. Not thread-safe.
class SourceFiles {
 public:
  SourceFiles() = default;
  /// Notifies `listener`, which must outlive it, of every file that it reads.
  explicit SourceFiles(InputListener& listener) : listener_(&listener) {}
  SourceFiles(const SourceFiles&) = delete;  // marks refer to its texts
  SourceFiles& operator=(const SourceFiles&) = delete;
  SourceFiles(SourceFiles&&) = default;
  SourceFiles& operator=(SourceFiles&&) = default;
  ~SourceFiles() = default;

  /// Reads a file, unless it was read before; `-` is standard input. Throws InputError if it cannot be read or is
  /// longer than `max`.
  const SourceText& read(const std::filesystem::path& path, std::size_t max = kMaxFileBytes) {
    return read(path, "an input", max);
  }
  /// Reads a file, as above; `role` is for the listener.
  const SourceText& read(const std::filesystem::path& path, std::string_view role, std::size_t max = kMaxFileBytes);
  /// Keeps a text that is in no file, e.g. the value of `--set`.
  const SourceText& keep(std::string name, std::string text);
  /// Returns the text that was read first: the scenario, if one was read. There must be one.
  const SourceText& first() const { return texts_.front(); }
  /// Returns every text, in the order in which they were read.
  const std::deque<SourceText>& all() const { return texts_; }
  /// Returns the texts that are in files, by their given paths; without standard input.
  std::vector<const SourceText*> files() const;

 private:
  std::deque<SourceText> texts_;
  std::vector<std::size_t> files_;  ///< indices of the texts of files, by their given names
  InputListener* listener_ = nullptr;
};

/// A value that replaces one of a scenario before it is read, as on the command line.
struct Override {
  std::string path;   ///< `kernels.k.global`, `launches.0.at`, `device.cores`, or a short name: `tile`, `local`
  std::string value;  ///< as it would be written in the file
};

/// Options for reading a scenario file.
struct ReadOptions {
  std::vector<Override> overrides;                    ///< in order; they win over a case's values and expectations
  std::vector<std::filesystem::path> models;          ///< folders in which device models are looked up, in order
  std::vector<OwnPlacement> own_placements{};         ///< placements that a dispatch may name beside the built-in ones
  std::vector<OwnKernelChoice> own_kernel_choices{};  ///< the same for kernel choices
  std::string only_case{};                            ///< the one case to read; empty: all
};

/// A scenario file that was read. It can be moved. Places of cases and expectations refer to `sources`, which must
/// outlive them.
struct ScenarioFile {
  SourceFiles sources;              ///< the texts to which the places of expectations refer
  std::vector<ScenarioCase> cases;  ///< at least one
};

/// Reads a scenario file (`-`: standard input) with all its cases. Throws InputError with all its problems at once,
/// each with its place. Any number of threads may read at the same time.
///
///     gdsim::ReadOptions options;
///     options.models = {"/usr/share/gdsim/models"};
///     options.overrides = {{"dispatch.ports", "3"}};
///     for (const gdsim::ScenarioCase& one : gdsim::read_scenario("mine.yaml", options).cases)
///       std::cout << one.scenario.title << '\n';
ScenarioFile read_scenario(const std::filesystem::path& file, const ReadOptions& options = {});
/// The same, where the caller keeps the texts of several files together, or listens to what is read: `sources` keeps
/// the texts, and is used by one thread at a time.
std::vector<ScenarioCase> read_scenario(const std::filesystem::path& file, const ReadOptions& options,
                                        SourceFiles& sources);
/// Reads a scenario from a text. Paths of device files are relative to `near`. The text must outlive `sources`' marks.
std::vector<ScenarioCase> read_scenario(const SourceText& source, const std::filesystem::path& near,
                                        const ReadOptions& options, SourceFiles& sources);

/// A scenario file from which scenarios are made that differ in a few values. The file and its models are read once.
/// Not thread-safe; several threads need one each.
///
///     gdsim::ScenarioMaker maker("gemm.yaml");
///     for (const char* tile : {"32", "64"}) {
///       const gdsim::Override value{"tile", tile};
///       const gdsim::Scenario one = maker.make({&value, 1});
///       std::cout << tile << ": " << one.workload.launches.size() << " launches\n";
///     }
class ScenarioMaker {
 public:
  /// Reads the file (`-`: standard input). Throws InputError with all problems if it is not YAML, if an override cannot
  /// be followed, or if it has several cases and `options` selects none.
  explicit ScenarioMaker(const std::filesystem::path& file, ReadOptions options = {});
  /// Reads a text, called `name` in messages. Paths of device files are relative to `near`.
  ScenarioMaker(std::string name, std::string text, std::filesystem::path near, ReadOptions options = {});
  ~ScenarioMaker();
  ScenarioMaker(const ScenarioMaker&) = delete;
  ScenarioMaker& operator=(const ScenarioMaker&) = delete;

  /// Returns the scenario with these values in place of its own, applied after the overrides of `options`. Throws
  /// InputError with all problems, each with its place, also if the device refuses to run it. The places of its
  /// expectations are valid until the next call.
  Scenario make(std::span<const Override> values = {});

  /// The maximum number of values that are kept, which bounds the memory.
  static constexpr std::size_t kValuesKept = 4'096;

  /// Returns every text that was read so far: the scenario, then the models.
  const SourceFiles& sources() const;

 private:
  struct Parts;

  // Not a unique_ptr: <memory> takes longer to compile than this.
  Parts* parts_;  ///< owned
};

/// Compiles a scenario without refusals, without a copy of its workload: the scenario must outlive the result and stay
/// unchanged. Throws InputError if it cannot run for another reason, or if it has several devices. Thread-safe.
///
///     const gdsim::ScenarioFile file = gdsim::read_scenario("mine.yaml");
///     const gdsim::Scenario& scenario = file.cases.front().scenario;
///     const gdsim::Compiled compiled = gdsim::compile_scenario(scenario);
///     const gdsim::RunResult run = gdsim::simulate(compiled, gdsim::run_options_of(scenario));
Compiled compile_scenario(const Scenario& scenario);
Compiled compile_scenario(const Scenario&& scenario) = delete;

/// Returns the run options that the file sets: its `min_phase`. Run `number` of `repeat`, from 0, has its own seeds.
/// The caller adds observers, bounds and stops. Thread-safe.
RunOptions run_options_of(const Scenario& scenario, std::uint64_t number = 0);

/// Reads the device that a model describes: a name, `h100-sxm`, which is looked up in the folders in their order, or
/// the path of a file, which has a '/' or ends in .yaml. `gdsim devices` lists the names; an installed gdsim has its
/// models in share/gdsim/models. Throws InputError with every problem of the model and its place. Thread-safe.
///
///     const gdsim::DeviceSpec h100 = gdsim::read_device_model("h100-sxm", {"/usr/share/gdsim/models"});
///     std::cout << h100.name << ": " << h100.contexts_total() << " contexts\n";
DeviceSpec read_device_model(const std::string& name_or_path, const std::vector<std::filesystem::path>& folders);

}  // namespace gdsim
