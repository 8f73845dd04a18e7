#pragma once

#include <gdsim/import/compiled_kernel.hpp>
#include <gdsim/import/metadata_values.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <vector>

namespace gdsim {

/// The kernels of AMD's metadata from code object version 3 on (`amdhsa.kernels`), in either notation.
std::vector<CompiledKernel> read_amd_metadata(const YamlNode& root, const RefuseMetadata& refuse);

}  // namespace gdsim
