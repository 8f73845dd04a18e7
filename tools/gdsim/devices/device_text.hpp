#pragma once

#include <gdsim/base/csv_table.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/scenario/device/models.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace gdsim::cli {

/// Lists devices in columns, by vendor and generation: each family, and below it its products according to `family_of`.
/// Devices that are not in `family_of` stand alone.
std::string device_list(std::vector<DeviceSpec> devices, const std::map<std::string, std::string>& family_of);

/// Lists every key of a device's merged file in a fixed order, followed by its source and those of values within it.
std::string device_text(const DeviceSpec& device, const YamlNode& tree);

/// The file beside the models that says how far off they are (columns as trust_text() reads them).
inline constexpr const char* kAccuracyFile = "accuracy.csv";

/// Shows the rows of `accuracy.csv` about these models, a device and its family, or says that there are none.
std::string trust_text(const CsvDocument& accuracy, CsvCells& cells, const std::set<std::string>& models);

/// Lists what a model lacks: how many values are missing or not verified; then for each incomplete key, a line with the
/// consequence and a line that shows how to write it.
std::string gaps_text(const DeviceSpec& device, const std::vector<ModelGap>& gaps, const SourceCount& sources);

}  // namespace gdsim::cli
