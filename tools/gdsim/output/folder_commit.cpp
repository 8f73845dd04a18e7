#include "output/folder_commit.hpp"

#include "output/aside_folder.hpp"
#include "output/file_digest.hpp"
#include "output/file_sink.hpp"
#include "output/named_outputs.hpp"
#include "output/own_files.hpp"

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace gdsim::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCommitFolder = ".gdsim-commit";
constexpr const char* kJournal = "journal.json";

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(fs::symlink_status(path, error));
}

std::vector<FileChange> read_journal(const fs::path& commit) {
  SourceFiles files;
  const auto changes = journaled_changes(files.read(commit / kJournal));
  if (!changes)
    throw InputError({Diagnostic{
        "unreadable", "is not what gdsim wrote; " + how_to_keep(commit), (commit / kJournal).string(), 0, 0, {}}});
  return *changes;
}

/// The contents that each file may have during a commit: the old and the new one.
using Contents = std::map<std::string, std::set<std::string>>;

Contents contents_of(const std::vector<FileChange>& changes) {
  Contents contents;
  for (const FileChange& change : changes)
    for (const std::string& hash : {change.before, change.after})
      if (!hash.empty()) contents[change.file].insert(hash);
  return contents;
}

/// Returns true if `file` exists and has none of these contents.
bool is_foreign(const fs::path& file, const std::set<std::string>& contents) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(file, error);
  if (!fs::exists(status)) return false;
  if (!fs::is_regular_file(status)) return true;
  const auto digest = digest_of_file(file);
  return !digest || contents.count(digest->sha256) == 0;
}

/// A journal that is a link would lead the commit out of its folder.
void require_real_folder(const fs::path& folder) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(folder, error);
  if (fs::exists(status) && !fs::is_directory(status)) fail_to_write(folder, "it is no folder; " + how_to_keep(folder));
}

/// Throws InputError if the commit would lose a file that was put into the folder since it began.
void require_own(const fs::path& folder, const std::vector<FileChange>& changes, const Contents& contents) {
  Diagnostics problems;
  for (const FileChange& change : changes) {
    if (change.file.find('/') != std::string::npos) require_real_folder((folder / change.file).parent_path());
    if (!change.after.empty() && is_foreign(folder / change.file, contents.at(change.file)))
      problems.add(Diagnostic{"not_ours",
                              "would be overwritten by the files of a run that was killed (" +
                                  (folder / kCommitFolder).string() + "), but is none of its; move it away",
                              (folder / change.file).string(),
                              0,
                              0,
                              {}});
  }
  problems.throw_if_any();
}

void move_file(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::create_directories(to.parent_path(), error);
  if (!error) fs::rename(from, to, error);
  if (error) fail_to_write(to, error.message());
}

void remove_file(const fs::path& file) {
  std::error_code error;
  fs::remove(file, error);
  if (error) fail_to_write(file, error.message());
}

/// Makes the changes of the journal that are not made yet.
void apply(const fs::path& folder, const std::vector<FileChange>& changes, const Contents& contents) {
  const fs::path commit = folder / kCommitFolder;
  std::set<std::string> moved;
  for (const FileChange& change : changes)
    if (!change.after.empty()) moved.insert(change.file);
  for (const FileChange& change : changes) {
    const fs::path source = new_files_of(commit) / change.file;
    const fs::path file = folder / change.file;
    if (!change.after.empty()) {
      if (is_there(source)) move_file(source, file);
    } else {
      const bool was_moved = moved.count(change.file) > 0 && !is_there(source);
      if (!was_moved && is_there(file) && !is_foreign(file, contents.at(change.file))) remove_file(file);
    }
  }
  // rmdir() removes only empty folders.
  for (const FileChange& change : changes) rmdir((new_files_of(commit) / change.file).parent_path().c_str());
  rmdir(new_files_of(commit).c_str());
  // Removing the journal ends the commit.
  remove_file(commit / kJournal);
  remove_aside_folder(commit);
}

/// Adds a hint to errors of `action`, which leave the folder between two runs.
template <class Action>
void with_resume_hint(const fs::path& folder, const Action& action) {
  try {
    action();
  } catch (const InputError& error) {
    std::vector<Diagnostic> problems = error.problems();
    problems.back().message += "; the new files lie in " + (folder / kCommitFolder).string() +
                               ": `gdsim report` reads them there, the next `gdsim run -o` puts them in place";
    throw InputError(problems);
  }
}

}  // namespace

std::set<std::string> files_of(const std::vector<FileChange>& changes) {
  std::set<std::string> files;
  for (const FileChange& change : changes) files.insert(change.file);
  return files;
}

fs::path new_files_of(const fs::path& aside) { return aside / "files"; }

void begin_commit(const fs::path& folder, const fs::path& aside, const std::vector<FileChange>& changes) {
  list_in_aside_folder(aside, kJournal, folder);
  FileSink sink(aside / kJournal, folder);
  sink.write(journal_text(changes));
  sink.close();
  std::error_code error;
  fs::rename(aside, folder / kCommitFolder, error);
  if (error) fail_to_write(folder, error.message());
  with_resume_hint(folder, [&] { apply(folder, changes, contents_of(changes)); });
}

void finish_commit(const fs::path& folder, const FileRegister& inputs) {
  const fs::path commit = folder / kCommitFolder;
  if (!is_there(commit)) return;
  require_real_folder(commit);
  if (!is_there(commit / kJournal)) {
    remove_aside_folder(commit);
    if (is_there(commit))
      throw InputError({Diagnostic{
          "not_ours",
          "holds what gdsim did not write, and gdsim needs this name while it replaces a run; " + how_to_keep(commit),
          commit.string(),
          0,
          0,
          {}}});
    return;
  }
  const std::vector<FileChange> changes = read_journal(commit);
  const Contents contents = contents_of(changes);
  require_own(folder, changes, contents);
  require_free_in(folder, files_of(changes), inputs);
  with_resume_hint(folder, [&] { apply(folder, changes, contents); });
}

fs::path place_in_folder(const fs::path& folder, const std::string& file) {
  const fs::path whole = fs::absolute(folder / "").parent_path().lexically_normal();
  const fs::path own = new_files_of(folder / kCommitFolder) / file;
  const fs::path of_cases = new_files_of(whole.parent_path() / kCommitFolder) / whole.filename() / file;
  const auto is_begun = [](const fs::path& run) { return is_there(run / kCommitFolder / kJournal); };
  if (is_begun(folder) && is_there(own)) return own;
  return is_begun(whole.parent_path()) && is_there(of_cases) ? of_cases : folder / file;
}

}  // namespace gdsim::cli
