#include "output/output_folder.hpp"

#include "output/aside_folder.hpp"
#include "output/file_sink.hpp"
#include "output/folder_commit.hpp"
#include "output/named_outputs.hpp"
#include "output/own_files.hpp"

#include <cerrno>
#include <cstring>
#include <set>
#include <utility>

namespace gdsim::cli {
namespace {

namespace fs = std::filesystem;

std::string path_in_folder(const std::string& part, const std::string& name) {
  return part.empty() ? name : part + "/" + name;
}

}  // namespace

OutputFolder::OutputFolder(fs::path folder, const FileRegister& inputs) : folder_(std::move(folder)), inputs_(inputs) {
  if (fs::exists(folder_) && !fs::is_directory(folder_)) fail_to_write(folder_, "it is a file; a folder is needed");
  make_folders(folder_);
  take_lock();
  finish_commit(folder_, inputs_);
  remove_dead_aside_folders(folder_);
  aside_ = make_aside_folder(folder_);
}

OutputFolder::~OutputFolder() {
  std::error_code ignored;
  if (!aside_.empty()) remove_aside_folder(aside_);
  // Removes only folders that are still empty; the innermost were made last.
  for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder) fs::remove(*folder, ignored);
}

void OutputFolder::make_folders(const fs::path& folder) {
  if (folder.empty() || fs::exists(folder)) return;
  make_folders(folder.parent_path());
  std::error_code error;
  if (fs::create_directory(folder, error)) made_.push_back(folder);
  if (error) fail_to_write(folder, error.message());
}

void OutputFolder::take_lock() {
  lock_ = FileLock::of(folder_);
  if (lock_) return;
  if (errno == EWOULDBLOCK)
    fail_to_write(folder_, "another run of gdsim is writing into this folder; wait for it, or choose another folder");
  fail_to_write(folder_, std::string("it cannot be locked: ") + std::strerror(errno));
}

void OutputFolder::require_own(const std::map<std::string, std::vector<std::string>>& files_of_parts) const {
  Diagnostics problems;
  std::set<std::string> changed;
  for (const auto& [part, names] : files_of_parts) {
    const OwnFiles own(folder_ / part);
    for (const std::string& name : names) own.claim(name, problems);
    for (const std::string& name : names) changed.insert(path_in_folder(part, name));
    for (const auto& [name, listed] : own.listed()) changed.insert(path_in_folder(part, name));
  }
  problems.throw_if_any();
  require_free_in(folder_, changed, inputs_);
}

FileDigest OutputFolder::write_aside(const std::string& part, const std::string& name, const Write& write) {
  const fs::path file = new_files_of(aside_) / part / name;
  list_in_aside_folder(aside_, file.lexically_relative(aside_).string(), folder_ / part / name);
  make_folders(file.parent_path());
  FileSink sink(file, folder_ / part / name);
  DigestSink digested(sink);
  write(digested);
  sink.close();
  return digested.finish();
}

void OutputFolder::add(const std::string& part, const std::string& name, const Write& write) {
  const FileDigest digest = write_aside(part, name, write);
  parts_[part].files.push_back({name, digest.bytes, digest.sha256});
}

void OutputFolder::add_summary(const std::string& part, const WriteSummary& write) {
  Part& own = parts_[part];
  own.summary = write_aside(part, kSummaryFile, [&](Sink& sink) { write(sink, own.files); }).sha256;
}

void OutputFolder::drop(const std::string& part) { parts_[part]; }

/// Returns the changes: old summaries are removed first, new ones moved last, that of the whole folder at the end.
std::vector<FileChange> OutputFolder::changes() const {
  std::vector<FileChange> removed_summaries, removed, moved, moved_summaries;
  Diagnostics problems;
  for (const auto& [part, now] : parts_) {
    const OwnFiles own(folder_ / part);
    const std::string summary = now.summary.empty() ? own.find(kSummaryFile) : own.claim(kSummaryFile, problems);
    if (!summary.empty()) removed_summaries.push_back({path_in_folder(part, kSummaryFile), summary, {}});
    std::set<std::string> names;
    for (const ListedFile& file : now.files) {
      names.insert(file.name);
      moved.push_back({path_in_folder(part, file.name), own.claim(file.name, problems), file.sha256});
    }
    for (const auto& [name, listed] : own.listed()) {
      const std::string before = names.count(name) > 0 ? "" : own.find(name);
      if (!before.empty()) removed.push_back({path_in_folder(part, name), before, {}});
    }
    if (!now.summary.empty())
      moved_summaries.insert(moved_summaries.begin(), {path_in_folder(part, kSummaryFile), summary, now.summary});
  }
  problems.throw_if_any();
  std::vector<FileChange> all = std::move(removed_summaries);
  for (const auto* more : {&removed, &moved, &moved_summaries}) all.insert(all.end(), more->begin(), more->end());
  return all;
}

void OutputFolder::commit() {
  const std::vector<FileChange> all = changes();
  require_free_in(folder_, files_of(all), inputs_);
  for (const auto& [part, now] : parts_)
    if (!now.files.empty()) make_folders(folder_ / part);
  begin_commit(folder_, aside_, all);
}

}  // namespace gdsim::cli
