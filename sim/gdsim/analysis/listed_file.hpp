#pragma once

#include <cstdint>
#include <string>

namespace gdsim {

/// A file beside a `summary.json`, as it was when the summary was written.
struct ListedFile {
  std::string name;  ///< within the folder
  std::uint64_t bytes = 0;
  std::string sha256;  ///< 64 digits, as sha256sum prints them
};

}  // namespace gdsim
