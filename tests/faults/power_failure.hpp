#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gdsim::testing {

// What a power failure takes from a process that writes files.
//
// - The contents of a file last if the file was synced after they were written. Else the file is empty.
// - A name in a folder lasts if the folder was synced after the name was made, changed or removed. Else that did not
//   happen. A file system with a journal may have kept it all the same, which is the other loss.

enum class Forget {
  data,           ///< the contents; all names have reached the disk
  data_and_names  ///< both
};

/// Everything that this process did to files and that is not synced. Names are paths from the current folder, which
/// must not change. What is removed is kept in the folder that GDSIM_FAULT_KEPT names, on the same file system.
class Unsynced {
 public:
  void written(int descriptor);
  void created(const char* path);
  void renamed(const char* from, const char* to, unsigned flags);
  /// Must be called before a file takes the place of another, or before a file or folder is removed.
  void will_replace(const char* path);
  void will_remove(const char* path, bool is_folder);
  void synced(int descriptor);

  /// Takes away what is not synced. The process must end then.
  void forget(Forget what);

 private:
  using Inode = std::pair<dev_t, ino_t>;
  enum class Kind { created, renamed, exchanged, file_removed, folder_removed };
  /// A change of names, which lasts once the folder was synced in which it shows: of a rename, that of the new name.
  struct Change {
    Kind kind;
    std::string path;
    std::string other;  ///< where it was renamed to; where what was removed is kept
    Inode folder;
  };

  static void undo(const Change& change);
  std::string kept(const char* path);
  void add(Kind kind, const std::string& path, const std::string& other, const std::string& named);

  std::map<Inode, int> written_;  ///< to an own descriptor of the file
  std::vector<Change> changes_;
  int kept_ = 0;  ///< number of files
};

}  // namespace gdsim::testing
