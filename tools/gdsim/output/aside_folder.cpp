#include "output/aside_folder.hpp"

#include "output/file_sink.hpp"
#include "output/partial_files.hpp"

#include <gdsim/scenario/read_scenario.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <string_view>
#include <vector>

namespace gdsim::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kList = ".gdsim-files";

bool has_type(const fs::path& path, fs::file_type type) {
  std::error_code error;
  return fs::symlink_status(path, error).type() == type;
}

/// Returns the complete lines of the list. A line that was cut off belongs to a file that was not made.
std::vector<std::string> listed_in(const fs::path& aside) {
  std::vector<std::string> files;
  if (!has_type(aside / kList, fs::file_type::regular)) return files;
  SourceFiles reader;
  std::string_view text;
  try {
    text = reader.read(aside / kList).text();
  } catch (const InputError&) {  // then no file in it is known to be gdsim's
    return files;
  }
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    files.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  return files;
}

/// Returns true if `file` lies in `aside` and no link leads out of it.
bool lies_within(const fs::path& aside, const std::string& file) {
  fs::path folder = aside;
  for (const fs::path& step : fs::path(file)) {
    if (step.empty() || step == ".." || step.is_absolute() || !has_type(folder, fs::file_type::directory)) return false;
    folder /= step;
  }
  return true;
}

/// Removes the folders within `folder` that hold only empty folders.
void remove_empty_folders_in(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> inner;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (has_type(entry->path(), fs::file_type::directory)) inner.push_back(entry->path());
  for (const fs::path& one : inner) {
    remove_empty_folders_in(one);
    rmdir(one.c_str());  // only if it is empty
  }
}

}  // namespace

fs::path make_aside_folder(const fs::path& folder) {
  constexpr int max_tries = 1'000;
  for (int number = 0; number < max_tries; ++number) {
    const fs::path aside = folder / partial_name(number);
    std::error_code error;
    if (fs::create_directory(aside, error)) return aside;
    if (error && error != std::errc::file_exists) fail_to_write(folder, error.message());
  }
  fail_to_write(folder, "too many entries " + partial_name(0) + " lie there; move them away");
}

void list_in_aside_folder(const fs::path& aside, const std::string& file, const fs::path& shown) {
  FileSink sink(open((aside / kList).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666), shown);
  sink.write(file + "\n");
  sink.close();
}

void remove_aside_folder(const fs::path& aside) {
  if (!has_type(aside, fs::file_type::directory)) return;
  std::error_code error;
  if (has_type(aside / kList, fs::file_type::regular)) {
    for (const std::string& file : listed_in(aside))
      if (lies_within(aside, file) && has_type(aside / file, fs::file_type::regular) &&
          !fs::remove(aside / file, error))
        return;
    remove_empty_folders_in(aside);
    // The list is removed last: while it exists, the next run knows what to remove.
    fs::remove(aside / kList, error);
  }
  rmdir(aside.c_str());  // only if it is empty
}

void remove_dead_aside_folders(const fs::path& folder) {
  for (const fs::path& path : partials_in(folder, fs::file_type::directory)) remove_aside_folder(path);
}

}  // namespace gdsim::cli
