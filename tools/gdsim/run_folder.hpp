#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/record/group_timeline.hpp>
#include <gdsim/report/run_view.hpp>
#include <gdsim/scenario/source_files.hpp>

#include <filesystem>
#include <vector>

namespace gdsim::cli {

/// A run as its files tell it: what `gdsim run -o DIR` wrote. They do not tell which work-groups wait when, what the
/// device calls its parts, or what limits residency. Throws InputError, with all problems, if they cannot be read.
class RunFolder {
 public:
  explicit RunFolder(const std::filesystem::path& folder);
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  /// Refers to this.
  const RunView& view() const { return view_; }

 private:
  void read_summary(const SourceText& source, Diagnostics& problems);
  void read_timeline(const SourceText& source, Diagnostics& problems);
  void read_cores(const SourceText& source, Diagnostics& problems);
  void read_phases(const SourceText& source, Diagnostics& problems);
  void read_work_groups(const SourceText& source, Diagnostics& problems);
  void require_consistent(const SourceText& source, Diagnostics& problems) const;

  SourceFiles files_;
  Timeline timeline_;
  std::vector<CorePoint> cores_;
  std::vector<GroupPoint> groups_;
  RunView view_;
};

}  // namespace gdsim::cli
