#pragma once

#include <gdsim/scenario/source_files.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace gdsim {

/// A set of files in which a file is found by any of its names: another spelling, a link, a hard link. The command line
/// registers its inputs here, so that no output overwrites an input. Thread-safe.
class FileRegister : public InputListener {
 public:
  /// A file as it was registered.
  struct File {
    std::string name;
    std::string role;  ///< as in messages: `the scenario`
  };

  /// Registers a file, unless it is registered already. It need not exist. A device, a pipe or another file that is not
  /// regular is left out, because it has no contents to lose.
  void add(const std::filesystem::path& file, std::string_view role);
  /// Registers the regular file that an open descriptor refers to, called `name`.
  void add(int descriptor, const std::string& name, std::string_view role);

  /// Registers an input.
  void on_input(const std::filesystem::path& file, int descriptor, std::string_view role) override;

  /// Returns the registered file to which `file` refers, or nullopt.
  std::optional<File> find(const std::filesystem::path& file) const;

 private:
  using Inode = std::pair<std::uint64_t, std::uint64_t>;  ///< device and number

  mutable std::mutex mutex_;
  std::map<Inode, File> inodes_;
  std::map<std::filesystem::path, File> places_;  ///< by absolute paths without links
};

}  // namespace gdsim
