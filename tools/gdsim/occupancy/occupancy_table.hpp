#pragma once

#include "terminal/program.hpp"

#include <gdsim/report/sink.hpp>
#include <gdsim/scenario/device/model_library.hpp>

#include <filesystem>

namespace gdsim::cli {

/// `gdsim occupancy --table FILE.csv`: writes the file's rows, each followed by its answer. A row that cannot be read
/// gets the status `error: ...`, and the exit status is bad_input. Throws InputError if the file is not a table.
ExitStatus write_occupancy_table(const std::filesystem::path& file, ModelLibrary& models, SourceFiles& sources,
                                 Sink& sink);
/// The same for a table that was read already. Paths of device files are relative to `near`.
ExitStatus write_occupancy_table(const SourceText& source, const std::filesystem::path& near, ModelLibrary& models,
                                 Sink& sink);

}  // namespace gdsim::cli
