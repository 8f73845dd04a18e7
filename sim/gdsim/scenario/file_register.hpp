#pragma once

#include <gdsim/scenario/read_scenario.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace gdsim {

/// Files that are known by whatever name leads to them: another spelling, a link, a hard link. The command line keeps
/// those that it read in one, so that no output takes the place of an input. Any thread may use it.
class FileRegister : public InputListener {
 public:
  /// A file as it was registered.
  struct File {
    std::string name;
    std::string role;  ///< as what it is known: `the scenario`
  };

  /// Registers a file, unless it is known already. It need not exist. What is no regular file, such as a device or a
  /// pipe, is left out: nothing in it can be lost.
  void add(const std::filesystem::path& file, std::string_view role);
  /// Registers the regular file that an open descriptor refers to, called `name`.
  void add(int descriptor, const std::string& name, std::string_view role);

  /// Registers what is read.
  void on_input(const std::filesystem::path& file, int descriptor, std::string_view role) override;

  /// The registered file that `file` leads to, if it leads to one.
  std::optional<File> find(const std::filesystem::path& file) const;

 private:
  using Inode = std::pair<std::uint64_t, std::uint64_t>;  ///< device and number

  mutable std::mutex mutex_;
  std::map<Inode, File> inodes_;
  std::map<std::filesystem::path, File> places_;  ///< by absolute paths without links
};

}  // namespace gdsim
