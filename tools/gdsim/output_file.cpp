#include "output_file.hpp"

#include <unistd.h>

#include <string>

namespace gdsim::cli {
namespace {

std::filesystem::path aside_of(const std::filesystem::path& path) {
  std::filesystem::path aside = path;
  aside += ".gdsim-partial-" + std::to_string(getpid());
  return aside;
}

}  // namespace

OutputFile::OutputFile(std::filesystem::path path)
    : path_(std::move(path)), aside_(aside_of(path_)), sink_(aside_, path_) {}

OutputFile::~OutputFile() {
  std::error_code ignored;
  std::filesystem::remove(aside_, ignored);
}

void OutputFile::commit() {
  sink_.close();
  std::error_code error;
  if (std::filesystem::is_directory(path_)) fail_to_write(path_, "it is a folder");
  std::filesystem::rename(aside_, path_, error);
  if (error) fail_to_write(path_, error.message());
}

}  // namespace gdsim::cli
