#pragma once

#include <gdsim/dispatch/policy_catalog.hpp>
#include <gdsim/scenario/scenario.hpp>
#include <gdsim/scenario/source_files.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace gdsim {

/// One value of a scenario to be replaced before it is read, as on the command line.
struct Override {
  std::string path;   ///< `kernels.k.global`, `launches.0.at`, `device.cores`
  std::string value;  ///< as it would stand in the file
};

/// How a scenario file is to be read.
struct ReadOptions {
  std::vector<Override> overrides;               ///< in order; they win over what a case sets
  std::vector<std::filesystem::path> models;     ///< folders in which device models are looked up, in order
  PolicyCatalog policies = built_in_policies();  ///< what a dispatch may name
  std::string only_case;                         ///< the one case wanted; empty: all
};

/// Reads a scenario file (`-`: standard input) with all its cases. Throws InputError with all its problems
/// at once, each with its place. `sources` keeps the texts to which expectations refer.
std::vector<ScenarioCase> read_scenario(const std::filesystem::path& file, const ReadOptions& options,
                                        SourceFiles& sources);
/// The same for a text that was read. Paths of device files start from `near`. The text must outlive `sources`' marks.
std::vector<ScenarioCase> read_scenario(const SourceText& source, const std::filesystem::path& near,
                                        const ReadOptions& options, SourceFiles& sources);

}  // namespace gdsim
