#include "file_stamps.hpp"

#include <algorithm>

namespace gdsim::python {

void FileStamps::add_new(const SourceFiles& sources) {
  for (; looked_at_ < sources.all().size(); ++looked_at_) {
    Stamp stamp{sources.all()[looked_at_].name(), {}};
    // A text that is not from a file has a name without a file.
    if (stat(stamp.file.c_str(), &stamp.seen) == 0 && S_ISREG(stamp.seen.st_mode)) stamps_.push_back(std::move(stamp));
  }
}

bool FileStamps::are_current() const {
  return std::all_of(stamps_.begin(), stamps_.end(), [](const Stamp& stamp) {
    struct stat now {};
    return stat(stamp.file.c_str(), &now) == 0 && now.st_dev == stamp.seen.st_dev && now.st_ino == stamp.seen.st_ino &&
           now.st_size == stamp.seen.st_size && now.st_mtim.tv_sec == stamp.seen.st_mtim.tv_sec &&
           now.st_mtim.tv_nsec == stamp.seen.st_mtim.tv_nsec;
  });
}

}  // namespace gdsim::python
