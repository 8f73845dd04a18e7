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

/// The folder of a run, or of one with several cases: parts are the folder itself (``) and those of its cases (`CASE`).
/// Its files change all at once (folder_commit.hpp); whatever is not to be known as an earlier run's is not touched.
/// What cannot be made, written or replaced is an InputError, and then nothing is left behind.
class OutputFolder {
 public:
  /// Makes the folder if it is missing, and locks it: two runs at once exclude each other. Ends what a run began that
  /// was killed, and removes what it left. `inputs`, which must outlive this, are neither replaced nor removed.
  OutputFolder(std::filesystem::path folder, const FileRegister& inputs);
  /// Removes what was written aside and not committed, and the folders made for it.
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  /// Refuses, before a run begins, to overwrite files of the user: all of them at once.
  void require_own(const std::map<std::string, std::vector<std::string>>& files_of_parts) const;

  using Write = std::function<void(Sink&)>;
  using WriteSummary = std::function<void(Sink&, const std::vector<ListedFile>&)>;
  /// Writes one file of a part aside.
  void add(const std::string& part, const std::string& name, const Write& write);
  /// Writes the part's `summary.json`, with the list of all files that it was given before.
  void add_summary(const std::string& part, const WriteSummary& write);
  /// What an earlier run wrote into a part is removed when this one is committed, unless it is added.
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
