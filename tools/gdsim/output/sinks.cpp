#include "output/sinks.hpp"

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace gdsim::cli {
namespace {

constexpr std::size_t kPieceSize = std::size_t{1} << 16;

}  // namespace

void fail_to_write(const std::filesystem::path& path, const std::string& why) {
  throw InputError({Diagnostic{"unwritable", "cannot be written: " + why, path.string(), 0, 0, {}}});
}

void sync_path(const std::filesystem::path& path, const std::filesystem::path& shown) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool is_synced = descriptor >= 0 && fsync(descriptor) == 0;
  const int why = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (!is_synced && why != EINVAL && why != ENOSYS && why != EACCES) fail_to_write(shown, std::strerror(why));
}

FileSink::FileSink(int descriptor, std::filesystem::path shown) : shown_(std::move(shown)), descriptor_(descriptor) {
  if (descriptor_ < 0) fail_to_write(shown_, std::strerror(errno));
}

FileSink::FileSink(const std::filesystem::path& path, std::filesystem::path shown)
    : FileSink(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), std::move(shown)) {}

FileSink::~FileSink() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void FileSink::write(std::string_view text) {
  if (buffer_.empty() && text.size() >= kPieceSize) return hand_over(text);
  buffer_ += text;
  if (buffer_.size() >= kPieceSize) flush();
}

void FileSink::flush() {
  hand_over(buffer_);
  buffer_.clear();
}

void FileSink::hand_over(std::string_view rest) {
  while (!rest.empty()) {
    const ssize_t count = ::write(descriptor_, rest.data(), rest.size());
    if (count < 0 && errno == EPIPE && is_closed_pipe_allowed_) break;
    if (count < 0 && errno != EINTR) fail_to_write(shown_, std::strerror(errno));
    if (count > 0) rest.remove_prefix(static_cast<std::size_t>(count));
  }
}

void FileSink::close() {
  flush();
  if (::close(std::exchange(descriptor_, -1)) != 0) fail_to_write(shown_, std::strerror(errno));
}

StandardOutput::StandardOutput() : is_terminal_(isatty(STDOUT_FILENO) == 1) {}

void StandardOutput::fail() {
  if (errno != EPIPE) throw InputError(std::string("standard output cannot be written: ") + std::strerror(errno));
  is_closed_ = true;
}

void StandardOutput::put(std::string_view text) {
  if (!is_closed_ && std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) fail();
}

void StandardOutput::write(std::string_view text) { is_terminal_ ? show(text) : put(text); }

void StandardOutput::show(std::string_view text) { put(printable_lines(text)); }

void StandardOutput::show_styled(std::string_view text) { put(text); }

void StandardOutput::flush() {
  if (!is_closed_ && std::fflush(stdout) != 0) fail();
}

}  // namespace gdsim::cli
