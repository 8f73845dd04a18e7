#include "output/output_folder.hpp"

#include "output/aside_folder.hpp"
#include "output/named_outputs.hpp"
#include "output/sinks.hpp"
#include "terminal/log.hpp"
#include "terminal/program.hpp"
#include "terminal/terminal.hpp"

#include <gdsim/scenario/source_files.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <map>

namespace gdsim::cli {
namespace {

namespace fs = std::filesystem;

/// Returns the list under a key of the outermost object, or nullopt if there is none.
std::optional<std::vector<YamlNode>> list_under(std::string_view key, const SourceText& source) {
  auto value = read_yaml_value(source, key);
  if (!value || value->kind != YamlNode::Shape::sequence) return std::nullopt;
  return std::move(value->items);
}

std::optional<std::uint64_t> count_of(const YamlNode* value) {
  if (value == nullptr || !value->is_scalar() || value->style != YamlNode::Style::plain) return std::nullopt;
  std::uint64_t count = 0;
  const char* const end = value->text.data() + value->text.size();
  const auto [stop, error] = std::from_chars(value->text.data(), end, count);
  return error == std::errc() && stop == end ? std::optional(count) : std::nullopt;
}

/// Looks through a folder of results and the folders of its cases.
class OwnFiles {
 public:
  OwnFiles(const fs::path& folder, const fs::path& aside)
      : folder_(folder), aside_(aside), listed_(listed_in(folder)) {}

  std::set<std::string> require() {
    look_through("");
    problems_.throw_if_any();
    return std::move(own_);
  }

 private:
  /// Looks through the folder (``) or that of a case (`CASE/`).
  void look_through(const std::string& part) {
    const std::map<std::string, std::uint64_t> sizes = sizes_in(part);
    std::error_code error;
    std::set<fs::path> entries;
    for (fs::directory_iterator entry(folder_ / part, error), end; !error && entry != end; entry.increment(error))
      entries.insert(entry->path().filename());
    for (const fs::path& name : entries) look_at(part, name.string(), sizes);
  }

  void look_at(const std::string& part, const std::string& name, const std::map<std::string, std::uint64_t>& sizes) {
    if (part.empty() && (name == aside_ || name == kOwnList)) return;
    std::error_code error;
    const fs::path path = folder_ / part / name;
    const fs::file_status status = fs::symlink_status(path, error);
    const auto size = sizes.find(name);
    if (fs::is_directory(status) && part.empty() && cases_.contains(name)) return look_through(name + "/");
    if (!fs::is_regular_file(status) || (size == sizes.end() && !listed_.contains(part + name)))
      return refuse(path, "is not gdsim's");
    if (name != kSummaryFile && size != sizes.end() && fs::file_size(path, error) != size->second)
      return refuse(path, "was changed since gdsim wrote it");
    own_.insert(part + name);
  }

  /// Returns the files that the summary of a part lists, and the summary itself. Keeps the names of cases.
  std::map<std::string, std::uint64_t> sizes_in(const std::string& part) {
    if (part.empty())
      for (const std::string& file : listed_) cases_.insert(file.substr(0, file.find('/')));
    std::map<std::string, std::uint64_t> sizes;
    const fs::path summary = folder_ / part / kSummaryFile;
    std::error_code error;
    if (fs::symlink_status(summary, error).type() != fs::file_type::regular) return sizes;
    SourceFiles files;
    const SourceText& text = files.read(summary);
    const auto list = listed_files(text);
    if (!list) return sizes;
    sizes.emplace(kSummaryFile, 0);
    for (const ListedFile& file : *list) sizes.emplace(file.name, file.bytes);
    if (const auto cases = part.empty() ? list_under("cases", text) : std::nullopt)
      for (const YamlNode& name : *cases) cases_.insert(name.text);
    return sizes;
  }

  void refuse(const fs::path& path, const std::string& message) {
    const fs::path named = (folder_ / "").lexically_normal().parent_path();  // without a slash at its end
    const bool is_upwards = named.empty() || named == "." || named.filename() == "..";
    const fs::path outside = is_upwards ? named / ".." : named.has_parent_path() ? named.parent_path() : fs::path(".");
    problems_.add(Diagnostic{
        "not_ours",
        message + ", and gdsim would replace its folder as a whole; nothing is written; move it out of there (mv " +
            shell_word(path.string()) + " " + shell_word(outside.string()) + ") or write into another folder",
        path.string(),
        0,
        0,
        {}});
  }

  const fs::path& folder_;
  const fs::path& aside_;
  std::set<std::string> listed_;  ///< by a replacement that was interrupted
  std::set<std::string> cases_;
  std::set<std::string> own_;
  Diagnostics problems_;
};

}  // namespace

std::optional<std::vector<ListedFile>> listed_files(const SourceText& summary) {
  const auto list = list_under("files", summary);
  if (!list) return std::nullopt;
  std::vector<ListedFile> files;
  for (const YamlNode& entry : *list) {
    const YamlNode* name = entry.find("file");
    const auto bytes = count_of(entry.find("bytes"));
    if (name == nullptr || !name->is_scalar() || !bytes) return std::nullopt;
    files.push_back({name->text, *bytes});
  }
  return files;
}

std::set<std::string> require_own_files(const fs::path& folder, const fs::path& aside) {
  return OwnFiles(folder, aside).require();
}

namespace {

/// The list kOwnList, as long as it is written aside.
constexpr const char* kNextList = ".gdsim-next-files";

fs::path path_in_folder(const std::string& part, const std::string& name) {
  return part.empty() ? fs::path(name) : fs::path(part) / name;
}

bool is_mount_point(const fs::path& folder) {
  struct statx found {};
  return statx(AT_FDCWD, folder.c_str(), 0, STATX_TYPE, &found) == 0 &&
         (found.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

bool holds_current_folder(const fs::path& folder) {
  std::error_code error;
  const fs::path current = fs::current_path(error);
  return !error && std::mismatch(folder.begin(), folder.end(), current.begin(), current.end()).first == folder.end();
}

bool can_be_exchanged(const fs::path& folder) {
  return !is_mount_point(folder) && !holds_current_folder(folder) &&
         access(folder.parent_path().c_str(), W_OK | X_OK) == 0;
}

/// Returns true for the errors of rename() and renameat2() where folders cannot be renamed or exchanged.
bool is_refused_exchange(int why) {
  return why == EINVAL || why == ENOSYS || why == EOPNOTSUPP || why == EBUSY || why == EXDEV || why == EPERM;
}

void rename_file(const fs::path& from, const fs::path& to, const fs::path& shown) {
  std::error_code error;
  fs::create_directories(to.parent_path(), error);
  if (!error) fs::rename(from, to, error);
  if (error) fail_to_write(shown, error.message());
}

/// Returns summaries first or last.
std::vector<std::string> in_order(const std::set<std::string>& files, bool are_summaries_first) {
  std::vector<std::string> sorted(files.begin(), files.end());
  std::stable_partition(sorted.begin(), sorted.end(), [&](const std::string& file) {
    return (fs::path(file).filename() == kSummaryFile) == are_summaries_first;
  });
  return sorted;
}

/// Returns the folders in which these files lie, the outermost last.
std::set<fs::path, std::greater<>> folders_of(const std::set<std::string>& files) {
  std::set<fs::path, std::greater<>> folders{fs::path()};
  for (const std::string& file : files) folders.insert(fs::path(file).parent_path());
  return folders;
}

}  // namespace

OutputFolder::OutputFolder(fs::path folder, const FileRegister& inputs) : OutputFolder(inputs, std::move(folder)) {
  if (fs::exists(folder_) && !fs::is_directory(folder_)) fail_to_write(folder_, "it is a file; a folder is needed");
  make_folders(folder_);
  place_ = fs::canonical(folder_);
  take_lock();
  remove_dead_aside_folders(place_);
  require_replaceable();
  is_exchanged_ = can_be_exchanged(place_);
  aside_.emplace(is_exchanged_ ? place_.parent_path() : place_, folder_);
}

OutputFolder::~OutputFolder() {
  std::error_code ignored;
  aside_.reset();
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
  // Another run may exchange the folder before it is locked.
  do lock_ = FileLock::locked(place_);
  while (lock_ && !lock_->is_of(place_));
  if (lock_) return;
  if (errno == EWOULDBLOCK)
    fail_to_write(folder_, "another run of gdsim is writing into this folder; wait for it, or choose another folder");
  fail_to_write(folder_, std::string("it cannot be locked: ") + std::strerror(errno));
}

/// Returns the files that are there. Throws InputError if the next run must not replace them.
std::set<std::string> OutputFolder::require_replaceable() const {
  std::set<std::string> old = require_own_files(folder_, aside_ ? aside_->path().filename() : fs::path());
  require_free_in(folder_, old, inputs_);
  return old;
}

void OutputFolder::expect(const std::map<std::string, std::vector<std::string>>& files_of_parts) {
  for (const auto& [part, names] : files_of_parts)
    for (const std::string& name : names) expected_.insert(path_in_folder(part, name).string());
  list_files(aside_->path(), expected_, folder_);
}

void OutputFolder::add(const std::string& part, const std::string& name, const Write& write) {
  const fs::path within = path_in_folder(part, name);
  const fs::path file = aside_->path() / within;
  if (!expected_.contains(within.string())) aside_->add(within.string(), folder_ / within);
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) fail_to_write(folder_ / within, error.message());
  FileSink sink(file, folder_ / within);
  write(sink);
  sink.close();
  new_files_.insert(within.string());
  parts_[part].push_back({name, fs::file_size(file)});
}

void OutputFolder::add_summary(const std::string& part, const WriteSummary& write) {
  FolderFacts facts{parts_[part], version_number(), {}};
  if (!scenario_folder_.empty()) facts.scenario_folder = fs::relative(scenario_folder_, folder_ / part).string();
  add(part, kSummaryFile, [&](Sink& sink) { write(sink, facts); });
}

/// Everything that was written survives a power failure.
void OutputFolder::sync_new() const {
  for (const std::string& file : new_files_) sync_path(aside_->path() / file, folder_ / file);
  for (const fs::path& folder : folders_of(new_files_)) sync_path(aside_->path() / folder, folder_ / folder);
}

/// Puts the new folder, with the group and mode of the old one, in its place; the old one then is the aside folder.
/// Returns false if that is refused here, or would change the owner; then nothing was done.
bool OutputFolder::exchange(const std::set<std::string>& old) const {
  struct stat found {};
  if (stat(place_.c_str(), &found) != 0 || found.st_uid != geteuid() || access(place_.c_str(), W_OK) != 0) return false;
  if (chown(aside_->path().c_str(), found.st_uid, found.st_gid) != 0) return false;
  // What is left of the old folder, if this process is killed, is known to be gdsim's by this list.
  if (!old.empty()) list_files(place_, old, folder_);
  if (chmod(aside_->path().c_str(), found.st_mode & 07777U) != 0) return false;
  // A folder that is empty, or missing, is replaced by a plain rename.
  if (std::rename(aside_->path().c_str(), place_.c_str()) == 0) return true;
  if (errno == ENOTEMPTY || errno == EEXIST) {
    if (renameat2(AT_FDCWD, aside_->path().c_str(), AT_FDCWD, place_.c_str(), RENAME_EXCHANGE) == 0) return true;
  }
  if (is_refused_exchange(errno)) return false;
  fail_to_write(folder_, std::strerror(errno));
}

void OutputFolder::move_in(const std::set<std::string>& old) const {
  std::set<std::string> all = old;
  all.insert(new_files_.begin(), new_files_.end());
  // If files of the aside folder cannot be moved here, this is the one that fails.
  const fs::path list = aside_->add(kNextList, folder_);
  FileSink sink(list, folder_);
  for (const std::string& file : all) sink.write(file + "\n");
  sink.close();
  sync_path(list, folder_);
  rename_file(list, place_ / kOwnList, folder_);
  sync_path(place_, folder_);
  std::error_code ignored;
  for (const std::string& file : in_order(old, true)) fs::remove(place_ / file, ignored);
  for (const std::string& file : in_order(new_files_, false))
    rename_file(aside_->path() / file, place_ / file, folder_ / file);
  for (const fs::path& folder : folders_of(all)) {
    if (fs::is_empty(place_ / folder, ignored)) rmdir((place_ / folder).c_str());
    if (fs::exists(place_ / folder)) sync_path(place_ / folder, folder_ / folder);
  }
}

void OutputFolder::commit() {
  const std::set<std::string> old = require_replaceable();
  sync_new();
  if (!is_exchanged_ || !exchange(old)) move_in(old);
  if (is_exchanged_) sync_path(place_.parent_path(), folder_);
  std::error_code ignored;
  fs::remove(place_ / kOwnList, ignored);
  const fs::path aside = aside_->path();
  aside_.reset();
  if (fs::exists(aside))
    log_warning("of the old " + folder_.string() +
                ", what could not be removed, or was put there during the run, lies in " + aside.string());
}

}  // namespace gdsim::cli
