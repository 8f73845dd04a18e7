#pragma once

#include <gdsim/base/diagnostic.hpp>

#include <string_view>

namespace gdsim {

/// Adds a problem at `where` if the name of `what` begins as a formula does. Names become CSV cells, and a spreadsheet
/// computes a cell that begins with `=`, `+`, `-`, `@`, a tab or a carriage return, quoted or not.
void require_plain_name(std::string_view name, std::string_view what, const SourceMark& where, Diagnostics& problems);

}  // namespace gdsim
