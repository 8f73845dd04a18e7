#pragma once

#include <gdsim/scenario/source_files.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

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

}  // namespace gdsim
