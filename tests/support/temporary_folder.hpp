#pragma once

#include <filesystem>
#include <string>

namespace gdsim::testing {

/// An empty folder that is removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Writes a file in the folder and returns its path.
  std::string write(const std::string& name, const std::string& text) const;
  /// The names of everything in it, sorted, joined by spaces.
  std::string listing() const;

 private:
  std::filesystem::path path_;
};

/// The whole text of a file; fails the test if it cannot be read.
std::string read_file(const std::filesystem::path& path);

}  // namespace gdsim::testing
