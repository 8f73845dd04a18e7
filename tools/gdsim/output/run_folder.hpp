#pragma once

#include "output/summary_file.hpp"

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/analysis/run_view.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/record/part_timelines.hpp>
#include <gdsim/record/timeline.hpp>
#include <gdsim/scenario/file_register.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace gdsim::cli {

/// A run as read from the files that `gdsim run -o DIR` wrote. The view holds only what the files hold. Throws
/// InputError, with all problems, if they cannot be read, or if one that `summary.json` lists is missing or has another
/// content. For a folder with cases, the error names the cases.
class RunFolder {
 public:
  /// Registers every file of the run, also files of which only the digest is checked.
  RunFolder(const std::filesystem::path& folder, FileRegister& inputs);
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  /// Refers to this.
  const RunView& view() const { return view_; }
  /// Its `summary.json`.
  const SourceText& summary() const { return *summary_; }
  /// Returns its table `work_groups.csv`, or null if it has none.
  const SourceText* work_groups();
  /// Reads the work-groups' lives into the view, unless there are too many. Throws InputError as the constructor does.
  void keep_group_lives();

 private:
  /// Tables that the run lacks are null.
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
  /// Reads a file that the summary lists, and checks that its content is as listed.
  const SourceText& read(const std::string& name, Diagnostics& problems);
  /// Checks that listed files that were not read have the listed contents, too.
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
  std::map<std::string, ListedFile> listed_;  ///< files that `summary.json` lists and that were not read yet
  Timeline timeline_;
  std::vector<CorePoint> cores_;
  std::vector<GroupPoint> groups_;
  std::vector<std::vector<WorkGroupRecord>> group_lives_;  ///< by launch
  std::map<std::string, std::size_t> launch_rows_;         ///< by name
  RunView view_;
};

}  // namespace gdsim::cli
