#pragma once

#include <gdsim/base/in_order.hpp>
#include <gdsim/points/point_space.hpp>
#include <gdsim/points/run_point.hpp>
#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/cases/scenario_cases.hpp>
#include <gdsim/store/point_store.hpp>

#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// Makes the scenario of each point of a study. The scenario file is read once, the models once per thread.
class PointMaker {
 public:
  /// `given_text` is the scenario if it is in no file; `file` is then its name. Throws InputError if the file cannot be
  /// read, or if an axis names a key that cannot be set. `read` must outlive this.
  PointMaker(const std::filesystem::path& file, const std::optional<std::string>& given_text, const ReadOptions& read,
             const std::vector<Axis>& axes);

  /// Throws InputError if an axis names a key that no scenario has, independently of its values.
  void require_known_keys();
  /// Makes the scenario of a point. Throws InputError if it cannot be read or its device refuses it. Thread-safe.
  Scenario make(const PointSpace& space, std::uint64_t ordinal);
  /// Returns the scenario with its own values.
  Scenario make_own();
  /// Returns the text that determines the results of a point, besides its scenario: it does not depend on the names of
  /// axes.
  std::string point_text(const PointSpace& space, std::uint64_t ordinal) const;

  /// Returns the title; a text for people if the scenario has none.
  std::string title() { return pool_.title(); }
  /// Returns the names for conditions besides the axes: the parameters.
  std::vector<std::pair<std::string, double>> constants();
  /// Returns the index of the scenario's own value, by axis; nullopt if an axis does not have it.
  std::vector<std::optional<std::size_t>> own_values();
  /// Returns the words of the vendor of the scenario's device; if an axis chooses the device, those of no vendor.
  Terms words();
  /// Returns a hash of all files that were read: the scenario, its overrides and the models that it or an axis names.
  std::string content_hash(const std::string& program);
  /// Returns every file that was read so far. Thread-safe.
  const FileRegister& inputs() const { return pool_.inputs(); }

 private:
  TemplatePool pool_;
  std::vector<std::vector<ScenarioValue>> values_;  ///< by axis
  std::vector<std::size_t> path_order_;             ///< axes by their full paths
};

/// Whether points that have a result are run again.
enum class Resume : std::uint8_t { no, yes };

/// The points to be swept, and the options.
struct SweepRequest {
  std::filesystem::path scenario;
  /// The scenario's text, if it is in no file: `scenario` is its name, and paths are relative to its folder.
  std::optional<std::string> text = {};
  ReadOptions read;
  std::vector<Axis> axes;
  PointRules rules;  ///< its constants are read from the scenario
  Shard shard;
  Resume resume = Resume::no;
  RunOptions run;  ///< its stop ends the sweep, its bounds end a point
  Jobs jobs;
  std::string program;          ///< name and version of the program
  std::filesystem::path store;  ///< empty: no results are stored
  /// Called after the scenario and the files that it and the axes name have been read, before the store is opened;
  /// throws if an output is one of these files.
  std::function<void(const FileRegister& inputs)> check_outputs;
  /// Called after each point, with the number of finished points of this call and the number of all its points.
  std::function<void(std::uint64_t done, std::uint64_t all)> progress;
  /// Called with a point's name before the point is run, by the thread that runs it.
  std::function<void(const std::string& point)> started;
  /// The metric by which the points will be ranked; null: a metric that all points have.
  const Metric* metric = nullptr;
  std::optional<LaunchFigure> of = {};  ///< the time that is a point's duration; nullopt: that of its run
};

/// How a sweep ended.
enum class SweepEnd : std::uint8_t { complete, interrupted };

/// Runs a scenario at many points. A point that cannot be read or is refused, or whose run deadlocks, is a result and
/// does not end the sweep. Must be used by one thread at a time, the one that uses its store; it starts further
/// threads.
class Sweep {
 public:
  /// Reads the scenario and opens the store. Throws InputError with all problems before a point is run: lists, names,
  /// the store, and a scenario that cannot be read, neither with its own values nor at any of its first 4,096 points.
  explicit Sweep(SweepRequest request);

  const PointSpace& space() const { return space_; }
  const StudyIdentity& identity() const { return identity_; }
  PointStore& store() { return store_; }
  /// Returns every file that was read so far.
  const FileRegister& inputs() const { return maker_.inputs(); }

  /// Runs the points that are to be run. Finished points are stored, however the sweep ends. An exception that is no
  /// result, but an internal defect, is rethrown after all other points.
  SweepEnd run();

 private:
  /// Checks the scenario, makes the notes, checks the outputs, and returns the path of the store: it is opened only for
  /// a valid scenario.
  const std::filesystem::path& prepare_and_get_store();
  void require_sound_scenario();
  std::uint64_t points_of_shard() const;
  void run_batch(const std::vector<std::uint64_t>& ordinals);

  SweepRequest request_;
  PointMaker maker_;
  PointSpace space_;
  StudyIdentity identity_;
  PointStore store_;
  std::uint64_t done_ = 0;
  std::uint64_t all_ = 0;
  bool is_stopped_ = false;
  std::exception_ptr defect_;
};

}  // namespace gdsim
