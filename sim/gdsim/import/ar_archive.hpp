#pragma once

#include <gdsim/import/byte_view.hpp>

#include <string>
#include <vector>

namespace gdsim {

inline constexpr std::string_view kArMagic = "!<arch>\n";

/// A file within an archive of `ar`: a library of objects, or a fat binary of Intel's.
struct ArMember {
  std::string name;
  ByteView content;
};

/// All members but tables of symbols and names. Throws InputError.
std::vector<ArMember> read_ar(const ByteView& archive);

}  // namespace gdsim
