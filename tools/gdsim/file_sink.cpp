#include "file_sink.hpp"

#include <gdsim/base/diagnostic.hpp>

#include <cerrno>
#include <cstring>
#include <utility>

namespace gdsim::cli {

void fail_to_write(const std::filesystem::path& path, const std::string& why) {
  throw InputError({Diagnostic{"unwritable", "cannot be written: " + why, path.string(), 0, 0, {}}});
}

FileSink::FileSink(const std::filesystem::path& path, std::filesystem::path shown)
    : shown_(std::move(shown)), file_(std::fopen(path.c_str(), "wb")) {
  if (file_ == nullptr) fail_to_write(shown_, std::strerror(errno));
}

FileSink::~FileSink() {
  if (file_ != nullptr) std::fclose(file_);
}

void FileSink::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail_to_write(shown_, std::strerror(errno));
}

void FileSink::close() {
  std::FILE* file = std::exchange(file_, nullptr);
  if (std::fclose(file) != 0) fail_to_write(shown_, std::strerror(errno));
}

}  // namespace gdsim::cli
