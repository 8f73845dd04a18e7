#pragma once

#include <gdsim/base/source_text.hpp>

#include <cstddef>
#include <deque>
#include <filesystem>
#include <string>

namespace gdsim {

/// A file that is longer is refused, be it a device or a pipe that never ends: 1 GiB.
inline constexpr std::size_t kMostFileBytes = std::size_t{1} << 30;

/// Keeps every text that was read for as long as marks into it are needed.
class SourceFiles {
 public:
  /// Reads a file; `-` is standard input. Throws InputError if it cannot be read or is longer than `most`.
  const SourceText& read(const std::filesystem::path& path, std::size_t most = kMostFileBytes);
  /// Keeps a text that stands in no file, e.g. the value of `--set`.
  const SourceText& keep(std::string name, std::string text);
  /// The text that was read first: the scenario, where one was read.
  const SourceText& first() const { return texts_.front(); }

 private:
  std::deque<SourceText> texts_;
};

}  // namespace gdsim
