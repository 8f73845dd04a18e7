#pragma once

#include <string_view>

namespace gdsim {

/// Returns `text` without leading and trailing spaces.
inline std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace gdsim
