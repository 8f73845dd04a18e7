#pragma once

#include <gdsim/import/byte_view.hpp>

#include <string>
#include <vector>

namespace gdsim {

inline constexpr std::string_view kArMagic = "!<arch>\n";

/// A file within an archive of `ar`: a library of objects, or Intel's fat binary.
struct ArMember {
  std::string name;
  ByteView content;
};

/// Returns all members except the tables of symbols and names. Throws InputError.
std::vector<ArMember> read_ar(const ByteView& archive);

}  // namespace gdsim
