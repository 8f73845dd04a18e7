#pragma once

#include "options/command.hpp"

#include <gdsim/report/sink.hpp>

#include <functional>

namespace gdsim::cli {

/// Writes what was imported to the file of `-o`, or to standard output. Throws InputError, before anything is written,
/// if that file is one of those that were read. The playground has another definition, which keeps the text.
void write_imported(CommandContext& context, const std::function<void(Sink&)>& write);

}  // namespace gdsim::cli
