#include "scaling/scenario_text.hpp"

#include <map>
#include <utility>

namespace gdsim::scaling {
namespace {

/// Work-items of a work-group and of a thread.
struct Shape {
  std::uint64_t local;
  std::uint64_t sub_group;
};

Shape shape_on(const std::string& device) {
  static const std::map<std::string, Shape> shapes{{"tiny", {16, 8}},
                                                   {"xe-lp-tgl", {64, 16}},
                                                   {"arc-a770", {64, 16}},
                                                   {"max-1550", {128, 16}},
                                                   {"mi300x", {256, 64}}};
  const auto shape = shapes.find(device);
  return shape == shapes.end() ? Shape{128, 32} : shape->second;
}

std::string section(const std::string& name, const std::string& lines) {
  return lines.empty() ? "" : name + ":\n" + lines;
}

}  // namespace

std::string Rules::name() const {
  std::string words = device;
  for (const std::string& more : {dispatch, variation, queue})
    if (!more.empty()) words += " " + more;
  std::string plain;
  for (const char letter : words)
    if (letter != ',' && letter != '{' && letter != '}') plain += letter;
  return plain;
}

ScenarioText::ScenarioText(Rules rules) : rules_(std::move(rules)), dispatch_(rules_.dispatch) {
  if (!rules_.queue.empty()) queue("all", "order: " + rules_.queue);
}

void ScenarioText::dispatch(const std::string& keys) { dispatch_ += (dispatch_.empty() ? "" : ", ") + keys; }

void ScenarioText::kernel(const std::string& name, std::uint64_t groups, const std::string& program,
                          const std::string& keys) {
  const Shape shape = shape_on(rules_.device);
  kernels_ += "  " + name + ": {global: " + std::to_string(groups * shape.local) +
              ", local: " + std::to_string(shape.local) + ", sub_group: " + std::to_string(shape.sub_group) +
              ", program: [" + program + "]";
  if (!keys.empty()) kernels_ += ", " + keys;
  if (!rules_.variation.empty() && keys.find("variation:") == std::string::npos)
    kernels_ += ", variation: " + rules_.variation;
  kernels_ += "}\n";
}

void ScenarioText::launch(const std::string& keys) {
  launches_ += "  - {" + keys + (rules_.queue.empty() ? "" : ", queue: all") + "}\n";
}

std::string ScenarioText::text() const {
  std::string text = "scenario: Scaling\ndevice: ";
  text += device_keys_.empty() ? rules_.device : "{base: " + rules_.device + ", " + device_keys_ + "}";
  text += "\n" + keys_;
  if (!dispatch_.empty()) text += "dispatch: {" + dispatch_ + "}\n";
  return text + section("parameters", parameters_) + section("kernels", kernels_) + section("queues", queues_) +
         section("launches", launches_) + section("expect", expectations_) + section("cases", cases_);
}

std::string repeated(const std::string& item, std::uint64_t count) {
  std::string items;
  for (std::uint64_t i = 0; i < count; ++i) items += (i == 0 ? "" : ", ") + item;
  return items;
}

std::string numbered(const std::string& head, std::uint64_t number) { return head + std::to_string(number); }

}  // namespace gdsim::scaling
