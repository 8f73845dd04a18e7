#include "catalog.hpp"
#include <gdsim/report/json/json_writer.hpp>
#include <gdsim/scenario/device/model_library.hpp>
#include <gdsim/scenario/device/read_device.hpp>
#include <gdsim/version.hpp>
#include <gdsim/yaml/yaml_node.hpp>
#include "playground_run.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

namespace gdsim::playground {
namespace {

namespace fs = std::filesystem;

constexpr const char* kScenarios = "/scenarios";

void write_devices(JsonWriter& json) {
  SourceFiles sources;
  ModelLibrary models({kModels}, sources);
  json.open_list();
  for (const std::string& name : models.names()) {
    YamlNode reference;
    reference.text = name;
    reference.style = YamlNode::Style::quoted;  // a name even if it looks like a number
    Diagnostics problems;
    const auto device = read_device(reference, "", models, ValueReader(problems));
    problems.throw_if_any();
    json.open_object().key("id").text(device->id).key("name").text(device->name);
    json.key("vendor").text(device->vendor).close_object();
  }
  json.close_list();
}

std::vector<fs::path> scenario_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(kScenarios))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

void write_examples(JsonWriter& json) {
  SourceFiles sources;
  json.open_list();
  for (const fs::path& file : scenario_files()) {
    const SourceText& text = sources.read(file);
    const auto title = read_yaml_value(text, "scenario");
    const fs::path worksheet = fs::path(file).replace_extension(".md");
    json.open_object().key("file").text(file.string()).key("title").text(title ? title->text : file.stem().string());
    json.key("text").text(text.text()).key("worksheet");
    json.text(fs::exists(worksheet) ? sources.read(worksheet).text() : "").close_object();
  }
  json.close_list();
}

}  // namespace

std::string catalog_json() {
  JsonWriter json;
  json.open_object().key("version").text(kVersion).key("devices");
  write_devices(json);
  json.key("examples");
  write_examples(json);
  json.close_object();
  return json.finish();
}

}  // namespace gdsim::playground
