#pragma once

#include <gdsim/base/diagnostic.hpp>

#include <cstddef>
#include <deque>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// The maximum size of a file, 1 GiB. It also ends the reading of a device or a pipe.
inline constexpr std::size_t kMaxFileBytes = std::size_t{1} << 30;

/// Is notified of every file that is read: to list a scenario's dependencies, or to keep outputs from overwriting it.
class InputListener {
 public:
  virtual ~InputListener() = default;
  /// Called before a file is read from the open `descriptor`. `file` is the given name, `-` for standard input; `role`
  /// is the file's role: `the scenario`.
  virtual void on_input(const std::filesystem::path& file, int descriptor, std::string_view role) = 0;
};

/// Keeps every text that was read, as long as marks refer to it. Not thread-safe.
class SourceFiles {
 public:
  SourceFiles() = default;
  /// Notifies `listener`, which must outlive it, of every file that it reads.
  explicit SourceFiles(InputListener& listener) : listener_(&listener) {}
  SourceFiles(const SourceFiles&) = delete;  // marks refer to its texts
  SourceFiles& operator=(const SourceFiles&) = delete;
  SourceFiles(SourceFiles&&) = default;
  SourceFiles& operator=(SourceFiles&&) = default;
  ~SourceFiles() = default;

  /// Reads a file, unless it was read before; `-` is standard input. Throws InputError if it cannot be read or is
  /// longer than `max`.
  const SourceText& read(const std::filesystem::path& path, std::size_t max = kMaxFileBytes) {
    return read(path, "an input", max);
  }
  /// Reads a file, as above; `role` is for the listener.
  const SourceText& read(const std::filesystem::path& path, std::string_view role, std::size_t max = kMaxFileBytes);
  /// Keeps a text that is in no file, e.g. the value of `--set`.
  const SourceText& keep(std::string name, std::string text);
  /// Returns the text that was read first: the scenario, if one was read. There must be one.
  const SourceText& first() const { return texts_.front(); }
  /// Returns every text, in the order in which they were read.
  const std::deque<SourceText>& all() const { return texts_; }
  /// Returns the texts that are in files, by their given paths; without standard input.
  std::vector<const SourceText*> files() const;

 private:
  std::deque<SourceText> texts_;
  std::vector<std::size_t> files_;  ///< indices of the texts of files, by their given names
  InputListener* listener_ = nullptr;
};

}  // namespace gdsim
