#pragma once

#include "output/summary_file.hpp"

#include <gdsim/analysis/listed_file.hpp>
#include <gdsim/analysis/run_view.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/record/group_timeline.hpp>
#include <gdsim/scenario/file_register.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace gdsim::cli {

/// A run as read from its files: what `gdsim run -o DIR` wrote. What is not in them is not in the view. Throws
/// InputError, with all problems, if they cannot be read, or if they are not all those that `summary.json` lists, with
/// the content that it lists; of a folder with cases it names them.
class RunFolder {
 public:
  /// Registers every file of the run, also those of which only the digest is checked.
  RunFolder(const std::filesystem::path& folder, FileRegister& inputs);
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  /// Refers to this.
  const RunView& view() const { return view_; }
  /// Its `summary.json`.
  const SourceText& summary() const { return *summary_; }
  /// Its table `work_groups.csv`; null if it has none.
  const SourceText* work_groups();
  /// Reads them into the view, unless they are too many. Throws InputError as the constructor does.
  void keep_group_lives();

 private:
  /// Null: the run has none.
  struct Tables {
    const SourceText& timeline;
    const SourceText& cores;
    const SourceText& phases;
    const SourceText& launches;
    const SourceText* groups;
    const SourceText* time_use;
    const SourceText* repetitions;
    const SourceText* bands;
  };

  /// Returns the summary.
  const SourceText& list_files(Diagnostics& problems);
  Tables open_tables(Diagnostics& problems);
  void read_tables(const Tables& tables, const SummaryLaunches& launches, Diagnostics& problems);
  /// A file that the summary lists, if it is what is listed there.
  const SourceText& read(const std::string& name, Diagnostics& problems);
  /// Files that the summary lists and that were not read are what is listed there, too.
  void require_whole(Diagnostics& problems);
  void read_timeline(const SourceText& source, Diagnostics& problems);
  void read_cores(const SourceText& source, Diagnostics& problems);
  void read_phases(const SourceText& source, Diagnostics& problems);
  void read_bands(const SourceText& source, Diagnostics& problems);
  void read_time_use(const SourceText& source, Diagnostics& problems);
  void read_launches(const SourceText& source, const SummaryLaunches& summary, Diagnostics& problems);
  void read_group_states(const SourceText& source, Diagnostics& problems);
  void require_consistent(const SourceText& source, Diagnostics& problems) const;

  std::filesystem::path folder_;
  FileRegister& inputs_;
  SourceFiles files_;
  const SourceText* summary_ = nullptr;  ///< in files_
  bool has_work_groups_ = false;
  std::map<std::string, ListedFile> listed_;  ///< what `summary.json` lists; those that were read are taken out
  Timeline timeline_;
  std::vector<CorePoint> cores_;
  std::vector<GroupPoint> groups_;
  std::vector<std::vector<WorkGroupRecord>> group_lives_;  ///< by launch
  std::map<std::string, std::size_t> launch_rows_;         ///< by name
  RunView view_;
};

}  // namespace gdsim::cli
