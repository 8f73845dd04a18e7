#pragma once

#include <string>
#include <string_view>

namespace gdsim::cli {

/// Puts a text in single quotes so that a POSIX shell reads it back.
std::string single_quoted(std::string_view text);

/// Returns a text as a person would type it: in quotes only where a shell needs them.
std::string shell_word(const std::string& text);

}  // namespace gdsim::cli
