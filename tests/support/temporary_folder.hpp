#pragma once

#include <filesystem>
#include <string>

namespace gdsim::testing {

/// A new, empty folder. The destructor removes it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Writes a file in the folder and returns its path.
  std::string write(const std::string& name, const std::string& text) const;
  /// The names of all its entries, sorted, joined by spaces.
  std::string listing() const;

 private:
  std::filesystem::path path_;
};

/// Returns the whole text of a file. The test fails if it cannot be read.
std::string read_file(const std::filesystem::path& path);

}  // namespace gdsim::testing
