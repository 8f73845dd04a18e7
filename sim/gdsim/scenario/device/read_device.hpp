#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/scenario/device/model_library.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>

#include <filesystem>
#include <optional>
#include <span>

namespace gdsim {

/// Reads a scenario's `device:` (a name, a path, or a mapping with or without `base:`), or a device file's whole
/// mapping. Paths are relative to the folder `near`. If `mode` is given, its text names the device's mode to use. Adds
/// all problems; returns nullopt if there is one.
std::optional<DeviceSpec> read_device(const YamlNode& device, const std::filesystem::path& near, ModelLibrary& models,
                                      const ValueReader& values, const YamlNode* mode = nullptr);

/// Reads a `dispatch:` mapping over `rules`, key by key. It may name the kernel choices `own`, which have no issue.
void read_dispatch(const YamlNode& node, DispatchRules& rules, const ValueReader& values,
                   std::span<const OwnKernelChoice> own = {});

}  // namespace gdsim
