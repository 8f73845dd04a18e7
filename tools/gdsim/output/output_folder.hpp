#pragma once

#include "output/aside_folder.hpp"

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/report/sink.hpp>
#include <gdsim/scenario/scenario_reader.hpp>

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gdsim::cli {

/// The name of the file that lists the others of its folder.
inline constexpr const char* kSummaryFile = "summary.json";

/// Returns the list `files` of a folder's `summary.json`, of any version of gdsim, or nullopt if it has none.
std::optional<std::vector<ListedFile>> listed_files(const SourceText& summary);

/// Returns every file in a folder of results, named within it. Throws InputError, with all problems, if there is
/// something that gdsim did not write. gdsim wrote each `summary.json` with a list `files`, and what these list, as
/// long as it has the listed size; what the list of an interrupted replacement names (kOwnList); and nothing else. An
/// entry of the folder that is called `aside` is passed over.
std::set<std::string> require_own_files(const std::filesystem::path& folder, const std::filesystem::path& aside);

// A folder of results is replaced as a whole:
//
// 1. Its files are written into a folder beside it, `.gdsim-partial-PID-NUMBER` (aside_folder.hpp).
// 2. Every file there is synced, then the folders there.
// 3. Both folders exchange their names in one step; a place that is empty is just taken.
// 4. The folder in which both lie is synced. Then the old files are removed.
//
// Until 3 the old folder stands whole, from 3 on the new one, also after a power failure. gdsim replaces nothing but
// what it wrote (require_own_files()), and looks at that before the run and again before 3.
//
// Where names cannot be exchanged, files are moved in one by one: where the folder is a mount point, where the current
// folder lies in it (a shell would stay in the old one), where the folder around it cannot be written, and where the
// file system cannot exchange. The old files go first, each `summary.json` comes last: a folder without it is no run's.
// Until the last file is in place, a list there (kOwnList) tells the next run which files are gdsim's.

/// The folder of a run of one or several cases. Its parts are the folder itself (``) and the folders of its cases
/// (`CASE`). Throws InputError if something cannot be made, written or replaced; then the old folder stands.
class OutputFolder {
 public:
  /// Makes the folder if it is missing, and locks it: concurrent runs exclude each other. Throws InputError if the
  /// folder holds what gdsim did not write. `inputs`, which must outlive this, are not replaced.
  OutputFolder(std::filesystem::path folder, const FileRegister& inputs);
  /// Removes what was not committed, and the folders made for it.
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  /// Lists files of parts that will be added, all at once, which is faster than one by one.
  void expect(const std::map<std::string, std::vector<std::string>>& files_of_parts);
  /// The scenario names files, by paths from this folder: summaries say where it is.
  void set_scenario_folder(std::filesystem::path folder) { scenario_folder_ = std::move(folder); }

  using Write = std::function<void(Sink&)>;
  using WriteSummary = std::function<void(Sink&, const FolderFacts&)>;
  /// Writes one file of a part.
  void add(const std::string& part, const std::string& name, const Write& write);
  /// Writes the part's `summary.json`, which lists all files that were added to the part before.
  void add_summary(const std::string& part, const WriteSummary& write);
  /// Puts what was written in place of what is there.
  void commit();

 private:
  /// Makes nothing yet: what the public constructor has made is removed by the destructor if it throws.
  OutputFolder(const FileRegister& inputs, std::filesystem::path folder)
      : folder_(std::move(folder)), inputs_(inputs) {}
  void make_folders(const std::filesystem::path& folder);
  void take_lock();
  std::set<std::string> require_replaceable() const;
  void sync_new() const;
  bool exchange(const std::set<std::string>& old) const;
  void move_in(const std::set<std::string>& old) const;

  std::filesystem::path folder_;  ///< as the user named it
  const FileRegister& inputs_;
  std::filesystem::path place_;              ///< without links
  std::vector<std::filesystem::path> made_;  ///< folders that did not exist before
  std::optional<FileLock> lock_;
  bool is_exchanged_ = false;  ///< not: files are moved in one by one
  std::optional<AsideFolder> aside_;
  std::filesystem::path scenario_folder_;
  std::map<std::string, std::vector<ListedFile>> parts_;
  std::set<std::string> expected_;
  std::set<std::string> new_files_;
};

}  // namespace gdsim::cli
