#pragma once

#include "output/file_digest.hpp"
#include "output/file_lists.hpp"
#include "output/file_lock.hpp"

#include <gdsim/report/sink.hpp>
#include <gdsim/scenario/file_register.hpp>

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gdsim::cli {

/// The folder of a run of one or several cases. Its parts are the folder itself (``) and the folders of its cases
/// (`CASE`). Its files change all at once (folder_commit.hpp). Files that are not known to be an earlier run's are not
/// touched. Throws InputError if something cannot be made, written or replaced; then no new file remains.
class OutputFolder {
 public:
  /// Makes the folder if it is missing, and locks it: concurrent runs exclude each other. Finishes the commit of a
  /// killed run, and removes its left-over files. `inputs`, which must outlive this, are neither replaced nor removed.
  OutputFolder(std::filesystem::path folder, const FileRegister& inputs);
  /// Removes files that were not committed, and the folders made for them.
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  /// Throws InputError, with all problems, if a run would overwrite the user's files. Must be called before the run.
  void require_own(const std::map<std::string, std::vector<std::string>>& files_of_parts) const;

  using Write = std::function<void(Sink&)>;
  using WriteSummary = std::function<void(Sink&, const std::vector<ListedFile>&)>;
  /// Writes one file of a part aside.
  void add(const std::string& part, const std::string& name, const Write& write);
  /// Writes the part's `summary.json`, which lists all files that were added to the part before.
  void add_summary(const std::string& part, const WriteSummary& write);
  /// Removes, with this commit, an earlier run's files of a part unless they are added.
  void drop(const std::string& part);
  void commit();

 private:
  struct Part {
    std::vector<ListedFile> files;
    std::string summary;  ///< the SHA-256 of its `summary.json`; empty: it has none
  };

  void make_folders(const std::filesystem::path& folder);
  void take_lock();
  FileDigest write_aside(const std::string& part, const std::string& name, const Write& write);
  std::vector<FileChange> changes() const;

  std::filesystem::path folder_;
  const FileRegister& inputs_;
  std::filesystem::path aside_;
  std::map<std::string, Part> parts_;
  std::vector<std::filesystem::path> made_;  ///< folders that did not exist before
  std::optional<FileLock> lock_;
};

}  // namespace gdsim::cli
