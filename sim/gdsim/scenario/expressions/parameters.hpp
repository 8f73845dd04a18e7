#pragma once

#include <gdsim/yaml/yaml_values.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// One number of `parameters:`.
struct Parameter {
  std::string name;
  double value = 0;          ///< a quantity in its base unit: bytes, picoseconds, hertz, bytes per second
  bool is_quantity = false;  ///< it has a unit
};

/// Reads a scenario's `parameters:`: whole numbers and decimals, negative ones too, and quantities. Adds a problem for
/// each name that an expression cannot use, and for each value that is not exact.
std::vector<Parameter> read_parameters(const YamlNode& node, const ValueReader& values);

/// Returns the value of a text in an expression: a number, or a quantity in its base unit. Returns nullopt if the text
/// is neither, or beyond 2^53.
std::optional<double> number_of(const std::string& text);

}  // namespace gdsim
