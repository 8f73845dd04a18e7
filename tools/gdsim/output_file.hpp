#pragma once

#include "file_sink.hpp"

#include <filesystem>

namespace gdsim::cli {

/// One file that appears when it is complete or not at all: written aside, then renamed into place.
/// Throws InputError if it cannot be written.
class OutputFile {
 public:
  explicit OutputFile(std::filesystem::path path);
  /// Removes what was written aside and not committed.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  Sink& sink() { return sink_; }
  void commit();

 private:
  std::filesystem::path path_;
  std::filesystem::path aside_;
  FileSink sink_;
};

}  // namespace gdsim::cli
