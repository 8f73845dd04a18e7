#pragma once

#include <gdsim/report/sink.hpp>

#include <cstdio>
#include <filesystem>
#include <string>

namespace gdsim::cli {

/// Throws InputError: `path` cannot be written.
[[noreturn]] void fail_to_write(const std::filesystem::path& path, const std::string& why);

/// A file that reports every failure, the one at closing included.
class FileSink : public Sink {
 public:
  /// Messages speak of `shown`, where the file will be in the end.
  FileSink(const std::filesystem::path& path, std::filesystem::path shown);
  ~FileSink() override;
  FileSink(const FileSink&) = delete;
  FileSink& operator=(const FileSink&) = delete;

  void write(std::string_view text) override;
  void close();

 private:
  std::filesystem::path shown_;
  std::FILE* file_;
};

}  // namespace gdsim::cli
