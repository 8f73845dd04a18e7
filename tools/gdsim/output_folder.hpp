#pragma once

#include <gdsim/report/sink.hpp>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace gdsim::cli {

/// Files that appear in a folder all at once or not at all: written aside, then renamed into place.
/// Whatever cannot be created or written is an InputError, and then nothing is left behind.
class OutputFolder {
 public:
  explicit OutputFolder(std::filesystem::path folder);
  /// Removes what was written aside and not committed, and the folders made for it.
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  /// Writes one file, by a path relative to the folder, aside.
  void add(const std::filesystem::path& file, const std::function<void(Sink&)>& write);
  /// Puts every file into its place.
  /// A file of an earlier run goes when this one is committed.
  void drop(const std::filesystem::path& file) { dropped_.push_back(file); }
  void commit();

 private:
  void make_folders(const std::filesystem::path& folder);

  std::filesystem::path folder_;
  std::filesystem::path aside_;
  std::vector<std::filesystem::path> files_;
  std::vector<std::filesystem::path> dropped_;
  std::vector<std::filesystem::path> made_;  ///< folders that did not exist before
};

}  // namespace gdsim::cli
