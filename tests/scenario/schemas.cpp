#include "scenario/schemas.hpp"
#include "support/builders.hpp"
#include "support/json_of_yaml.hpp"
#include "support/temporary_folder.hpp"
#include <gdsim/yaml/yaml_node.hpp>

#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

namespace gdsim::testing {

using nlohmann::json;

json schema_file(const std::string& path) { return json::parse(read_file(source_path(path))); }

namespace {

/// A schema, ready to validate; references to the other file are followed.
class Schema {
 public:
  explicit Schema(const json& document) {
    const valijson::adapters::NlohmannJsonAdapter adapter(document);
    valijson::SchemaParser(valijson::SchemaParser::kDraft7)
        .populateSchema(
            adapter, schema_, [](const std::string&) { return new json(schema_file("models/device.schema.json")); },
            [](const json* fetched) { delete fetched; });
  }

  bool accepts(const json& value) const {
    valijson::Validator validator;
    return validator.validate(schema_, valijson::adapters::NlohmannJsonAdapter(value), nullptr);
  }

 private:
  valijson::Schema schema_;
};

}  // namespace

bool scenario_schema_accepts(const json& value) {
  static const Schema schema(schema_file("scenarios/scenario.schema.json"));
  return schema.accepts(value);
}

bool device_schema_accepts(const json& value) {
  static const Schema schema(schema_file("models/device.schema.json"));
  return schema.accepts(value);
}

bool schema_part_accepts(const std::string& path, const json& property, const json& value) {
  json document = property;
  if (property.contains("$ref")) document = {{"allOf", json::array({property})}};
  document["definitions"] = schema_file(path)["definitions"];
  return Schema(document).accepts(value);
}

json json_of_text(const std::string& text) {
  const SourceText source("text", text);
  Diagnostics problems;
  const auto root = read_yaml(source, problems);
  problems.throw_if_any();
  return json_of_yaml(*root);
}

}  // namespace gdsim::testing
