#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace gdsim::testing {

/// A JSON Schema of the source tree, as it is.
nlohmann::json schema_file(const std::string& path);

/// The schema of scenarios, and that of device files, take this value.
bool scenario_schema_accepts(const nlohmann::json& value);
bool device_schema_accepts(const nlohmann::json& value);

/// The part of a schema file that describes one property takes this value.
bool schema_part_accepts(const std::string& path, const nlohmann::json& property, const nlohmann::json& value);

/// A YAML text as JSON; throws InputError if it is no YAML.
nlohmann::json json_of_text(const std::string& text);

}  // namespace gdsim::testing
