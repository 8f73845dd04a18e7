#pragma once

#include <gdsim/scenario/device/model_library.hpp>
#include <gdsim/scenario/ensemble/read_devices.hpp>
#include <gdsim/scenario/expressions/group_values.hpp>
#include <gdsim/scenario/scenario.hpp>
#include <gdsim/scenario/source_files.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {

/// Tables of work-groups. `variation: {work_groups: FILE.csv}` of a kernel has the columns `work_group` and either
/// `duration` or `factor`. `share_on_core: {measured: FILE.csv}` of an expectation has `work_group` and `core`, and
/// optionally `start` and `end`. Each file is read once while this lives.
class WorkGroupTables {
 public:
  /// Paths are relative to `near`. `sources` keeps the texts and must outlive this.
  WorkGroupTables(std::filesystem::path near, SourceFiles& sources) : near_(std::move(near)), sources_(sources) {}

  /// Returns true if the scenario names such a file.
  static bool are_named(const YamlNode& root);
  /// Replaces the names of files by their contents, as if written there: every row becomes a key with its value. Adds
  /// problems, with their places in the files.
  void fill_in(YamlNode& root, Diagnostics& problems);

 private:
  enum class TableUse : std::uint8_t { variation, placement };

  template <class Root, class Visit>
  static void for_each_name(Root& root, Visit visit);
  void fill_in(YamlNode& name, TableUse kind, const ValueReader& values);
  static void read(const SourceText& source, TableUse kind, YamlNode& mapping, Diagnostics& problems);

  std::filesystem::path near_;
  SourceFiles& sources_;
  /// Tables without problems, by kind and name as written.
  std::map<std::pair<TableUse, std::string>, YamlNode> tables_;
};

/// The treatment of a scenario that the device refuses: refusals are problems like others, or are kept in the scenario.
enum class Refusals : std::uint8_t { problems, kept };

/// The policies of dispatch that a caller brings, which scenarios may name beside the built-in ones.
struct OwnPolicies {
  std::vector<OwnPlacement> placements;
  std::vector<OwnKernelChoice> kernel_choices;
};

/// Turns scenario mappings, cases and overrides already applied, into scenarios. Shared parts, such as models,
/// expressions and tables, are read once. May be used by one thread at a time.
class ScenarioReader {
 public:
  /// Scenarios may name the policies `own`. Throws InputError if their names are ambiguous.
  ScenarioReader(std::filesystem::path near, ModelLibrary& models, OwnPolicies own, SourceFiles& sources);

  /// Stores the device that the file names before cases and overrides. A scenario that runs on another device records
  /// it in Workload::written_for.
  void keep_device_of(const YamlNode& file);

  /// Replaces the expressions of `root` by their values, then reads it. All problems are added; the result is usable
  /// only if there is none.
  Scenario read(YamlNode& root, Diagnostics& problems, Refusals refusals = Refusals::problems);

 private:
  /// Reads the scenario of the device `own`; null: the scenario has one device.
  Scenario read_whole(YamlNode& root, Diagnostics& problems, Refusals refusals, const OwnDevice* device = nullptr);

  std::filesystem::path near_;
  ModelLibrary& models_;
  OwnPolicies own_policies_;
  ExpressionCache expressions_;
  WorkGroupTables tables_;
  std::string device_of_file_;  ///< empty: it names none
};

/// A set of files in which a file is found by any of its names: another spelling, a link, a hard link. The command line
/// registers its inputs here, so that no output overwrites an input. Thread-safe.
class FileRegister : public InputListener {
 public:
  /// A file as it was registered.
  struct File {
    std::string name;
    std::string role;  ///< as in messages: `the scenario`
  };

  /// Registers a file, unless it is registered already. It need not exist. A device, a pipe or another file that is not
  /// regular is left out, because it has no contents to lose.
  void add(const std::filesystem::path& file, std::string_view role);
  /// Registers the regular file that an open descriptor refers to, called `name`.
  void add(int descriptor, const std::string& name, std::string_view role);

  /// Registers an input.
  void on_input(const std::filesystem::path& file, int descriptor, std::string_view role) override;

  /// Returns the registered file to which `file` refers, or nullopt.
  std::optional<File> find(const std::filesystem::path& file) const;

 private:
  using Inode = std::pair<std::uint64_t, std::uint64_t>;  ///< device and number

  mutable std::mutex mutex_;
  std::map<Inode, File> inodes_;
  std::map<std::filesystem::path, File> places_;  ///< by absolute paths without links
};

}  // namespace gdsim
