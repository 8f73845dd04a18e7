#include "output_folder.hpp"

#include "file_sink.hpp"

#include <unistd.h>

#include <utility>

namespace gdsim::cli {
namespace {

namespace fs = std::filesystem;

}  // namespace

OutputFolder::OutputFolder(fs::path folder)
    : folder_(std::move(folder)), aside_(folder_ / (".gdsim-partial-" + std::to_string(getpid()))) {
  if (fs::exists(folder_) && !fs::is_directory(folder_)) fail_to_write(folder_, "it is a file; a folder is needed");
  make_folders(folder_);
  std::error_code error;
  fs::create_directory(aside_, error);
  if (error) fail_to_write(folder_, error.message());
}

OutputFolder::~OutputFolder() {
  std::error_code ignored;
  fs::remove_all(aside_, ignored);
  // Only folders that are still empty go; the innermost were made last.
  for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder) fs::remove(*folder, ignored);
}

void OutputFolder::make_folders(const fs::path& folder) {
  if (folder.empty() || fs::exists(folder)) return;
  make_folders(folder.parent_path());
  std::error_code error;
  if (fs::create_directory(folder, error)) made_.push_back(folder);
  if (error) fail_to_write(folder, error.message());
}

void OutputFolder::add(const fs::path& file, const std::function<void(Sink&)>& write) {
  make_folders((aside_ / file).parent_path());
  FileSink sink(aside_ / file, folder_ / file);
  write(sink);
  sink.close();
  files_.push_back(file);
}

void OutputFolder::commit() {
  for (const fs::path& file : files_) {
    make_folders((folder_ / file).parent_path());
    if (fs::is_directory(folder_ / file)) fail_to_write(folder_ / file, "it is a folder");
  }
  for (const fs::path& file : files_) {
    std::error_code error;
    fs::rename(aside_ / file, folder_ / file, error);
    if (error) fail_to_write(folder_ / file, error.message());
  }
  for (const fs::path& file : dropped_) {
    std::error_code error;
    fs::remove(folder_ / file, error);
    if (error) fail_to_write(folder_ / file, error.message());
  }
}

}  // namespace gdsim::cli
