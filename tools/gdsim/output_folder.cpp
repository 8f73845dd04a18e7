#include "output_folder.hpp"

#include <gdsim/base/diagnostic.hpp>

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace gdsim::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& why) {
  throw InputError({Diagnostic{"unwritable", "cannot be written: " + why, path.string(), 0, 0, {}}});
}

/// A file that reports every failure, the one at closing included.
class FileSink : public Sink {
 public:
  /// Writes to `aside`; failures name `path`, where the file is to end up.
  FileSink(const fs::path& aside, fs::path path) : path_(std::move(path)), file_(std::fopen(aside.c_str(), "wb")) {
    if (file_ == nullptr) fail(path_, std::strerror(errno));
  }
  ~FileSink() override {
    if (file_ != nullptr) std::fclose(file_);
  }
  FileSink(const FileSink&) = delete;
  FileSink& operator=(const FileSink&) = delete;

  void write(std::string_view text) override {
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail(path_, std::strerror(errno));
  }
  void close() {
    std::FILE* file = std::exchange(file_, nullptr);
    if (std::fclose(file) != 0) fail(path_, std::strerror(errno));
  }

 private:
  fs::path path_;
  std::FILE* file_;
};

}  // namespace

OutputFolder::OutputFolder(fs::path folder)
    : folder_(std::move(folder)), aside_(folder_ / (".gdsim-partial-" + std::to_string(getpid()))) {
  if (fs::exists(folder_) && !fs::is_directory(folder_)) fail(folder_, "it is a file; a folder is needed");
  make_folders(folder_);
  std::error_code error;
  fs::create_directory(aside_, error);
  if (error) fail(folder_, error.message());
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
  if (error) fail(folder, error.message());
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
    if (fs::is_directory(folder_ / file)) fail(folder_ / file, "it is a folder");
  }
  for (const fs::path& file : files_) {
    std::error_code error;
    fs::rename(aside_ / file, folder_ / file, error);
    if (error) fail(folder_ / file, error.message());
  }
  for (const fs::path& file : dropped_) {
    std::error_code error;
    fs::remove(folder_ / file, error);
    if (error) fail(folder_ / file, error.message());
  }
}

}  // namespace gdsim::cli
