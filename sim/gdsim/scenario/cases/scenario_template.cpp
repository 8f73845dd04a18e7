#include <gdsim/scenario/cases/scenario_cases.hpp>

#include <gdsim/yaml/yaml_node.hpp>

#include <utility>

namespace gdsim {

ScenarioTemplate::ScenarioTemplate(const SourceText& source, std::filesystem::path near, const ReadOptions& options,
                                   SourceFiles& sources)
    : source_(source),
      near_(std::move(near)),
      models_(options.models, sources),
      reader_(near_, models_, OwnPolicies{options.own_placements, options.own_kernel_choices}, sources) {
  Diagnostics problems;
  auto root = read_yaml(source_, problems);
  problems.throw_if_any();
  reader_.keep_device_of(*root);
  ScenarioCases cases(std::move(*root), options, sources, problems);
  problems.throw_if_any();
  root_ = cases.scenario_of(cases.only_one(), problems);
  problems.throw_if_any();
}

std::string ScenarioTemplate::settable_path(const std::string& path, const std::string& option) const {
  std::string full = full_path(root_, path);
  if (const auto hint = path_hint(root_, full)) throw InputError(option + ": " + *hint);
  Diagnostics problems;
  if (auto name = added_parameter(root_, full)) require_used(root_, {{*std::move(name), {}}}, problems);
  YamlNode tried = root_;
  set_path(tried, full, YamlNode{}, {}, problems);
  if (!problems.empty()) throw InputError(option + ": " + problems.problems().front().message);
  return full;
}

std::optional<ScenarioValue> ScenarioTemplate::parse_value(std::string path, const SourceText& text,
                                                           Diagnostics& problems) {
  auto value = read_yaml(text, problems);
  if (!value) return std::nullopt;
  return ScenarioValue{std::move(path), std::move(*value)};
}

Scenario ScenarioTemplate::read(std::span<const ScenarioValue* const> values) {
  Diagnostics problems;
  YamlNode root = root_;
  for (const ScenarioValue* scenario_value : values)
    override_value(root, scenario_value->path, scenario_value->value, scenario_value->value.mark, problems);
  Scenario scenario = reader_.read(root, problems);
  problems.put_in_order();
  problems.throw_if_any();
  scenario.file = source_.name();
  return scenario;
}

Terms ScenarioTemplate::own_words() {
  Diagnostics ignored;
  YamlNode root = root_;
  return reader_.read(root, ignored).device.terms;
}

std::optional<std::string> ScenarioTemplate::own_value(const std::string& path) {
  Diagnostics ignored;
  YamlNode root = root_;
  reader_.read(root, ignored);
  if (const YamlNode* value = find_path(root, path)) return flow_text(*value);
  const YamlNode* device = root.find("device");
  if (device == nullptr || !path.starts_with("device.")) return std::nullopt;
  const auto resolved = models_.resolve(*device, near_, ValueReader(ignored));
  const YamlNode* value = resolved ? find_path(*resolved, path.substr(std::string_view("device.").size())) : nullptr;
  if (value == nullptr) return std::nullopt;
  return flow_text(*value);
}

TemplatePool::TemplatePool(const std::filesystem::path& file, const ReadOptions& read)
    : read_(read),
      near_(file == "-" ? "." : file.parent_path()),
      sources_(inputs_),
      source_(&sources_.read(file, "the scenario")) {}

TemplatePool::TemplatePool(std::string name, std::string text, std::filesystem::path near, const ReadOptions& read)
    : read_(read),
      near_(std::move(near)),
      sources_(inputs_),
      source_(&sources_.keep(std::move(name), std::move(text))) {}

TemplatePool::Borrowed::Borrowed(TemplatePool& pool) : pool_(pool) {
  const std::lock_guard lock(pool.mutex_);
  if (pool.idle_.empty()) return;
  reader_ = std::move(pool.idle_.back());
  pool.idle_.pop_back();
}

TemplatePool::Borrowed::~Borrowed() {
  if (!reader_) return;
  const std::lock_guard lock(pool_.mutex_);
  pool_.idle_.push_back(std::move(reader_));
}

ScenarioTemplate& TemplatePool::Borrowed::operator*() {
  if (!reader_) reader_ = std::make_unique<Reader>(*pool_.source_, pool_.near_, pool_.read_, pool_.inputs_);
  return reader_->scenario;
}

std::string TemplatePool::title() {
  const YamlNode* title = borrow()->root().find("scenario");
  return title != nullptr && title->is_scalar() ? title->text : source_->name();
}

}  // namespace gdsim
