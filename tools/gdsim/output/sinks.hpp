#pragma once

#include <gdsim/report/sink.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace gdsim::cli {

/// Throws InputError: `path` cannot be written.
[[noreturn]] void fail_to_write(const std::filesystem::path& path, const std::string& why);

/// Waits until a file, or the entries of a folder, would survive a power failure. Throws InputError that names `shown`
/// if they would not. Where a file system cannot be asked for that, it does nothing.
void sync_path(const std::filesystem::path& path, const std::filesystem::path& shown);

/// Writes to an open descriptor in large pieces, and closes it. Reports every failure, also at closing, as an
/// InputError that names the file `shown`.
class FileSink : public Sink {
 public:
  FileSink(int descriptor, std::filesystem::path shown);
  /// Creates or truncates a file. Messages name `shown`, the final place of the file.
  FileSink(const std::filesystem::path& path, std::filesystem::path shown);
  ~FileSink() override;
  FileSink(const FileSink&) = delete;
  FileSink& operator=(const FileSink&) = delete;

  void write(std::string_view text) override;
  /// After the reader of a pipe has closed it, the rest is dropped without an error.
  void allow_closed_pipe() { is_closed_pipe_allowed_ = true; }
  void close();

 private:
  void flush();
  void hand_over(std::string_view rest);

  std::filesystem::path shown_;
  int descriptor_;
  std::string buffer_;
  bool is_closed_pipe_allowed_ = false;
};

/// Standard output. Throws InputError for a full disk or a bad descriptor. After the reader has closed the pipe, the
/// rest is dropped without an error: the command's result does not change.
class StandardOutput : public Sink {
 public:
  StandardOutput();

  /// Writes data for a program byte for byte; on a terminal, calls show(). Each text must have complete characters.
  void write(std::string_view text) override;
  /// Writes text for a person; control characters are escaped.
  void show(std::string_view text);
  /// Writes text for a person with gdsim's colors; all names in it must be `printable` already.
  void show_styled(std::string_view text);
  /// Writes everything that is buffered. Must be called after the last write.
  void flush();

 private:
  void put(std::string_view text);
  void fail();

  bool is_terminal_;
  bool is_closed_ = false;
};

}  // namespace gdsim::cli
