#pragma once

#include "options/exit_status.hpp"

#include <gdsim/report/sink.hpp>
#include <gdsim/scenario/device/model_library.hpp>

#include <filesystem>

namespace gdsim::cli {

/// `gdsim occupancy --table FILE.csv`: the file's rows, each followed by its answer. A row that cannot be understood
/// gets the status `error: ...`, and the whole bad_input; a file that is no table is an InputError.
ExitStatus write_occupancy_table(const std::filesystem::path& file, ModelLibrary& models, SourceFiles& sources,
                                 Sink& sink);
/// The same for a table that was read. Paths of device files start from `near`.
ExitStatus write_occupancy_table(const SourceText& source, const std::filesystem::path& near, ModelLibrary& models,
                                 Sink& sink);

}  // namespace gdsim::cli
