#include <gdsim/report/json/json_writer.hpp>

#include <gdsim/report/number_format.hpp>

#include <nlohmann/json.hpp>

namespace gdsim {

std::string json_string(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void JsonWriter::new_line() {
  text_.push_back('\n');
  text_.append(2 * has_items_.size(), ' ');
}

void JsonWriter::begin_value() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (has_items_.empty()) return;
  if (has_items_.back()) text_.push_back(',');
  has_items_.back() = true;
  new_line();
}

void JsonWriter::open(char bracket) {
  begin_value();
  text_.push_back(bracket);
  has_items_.push_back(false);
}

void JsonWriter::close(char bracket) {
  const bool had_items = has_items_.back();
  has_items_.pop_back();
  if (had_items) new_line();
  text_.push_back(bracket);
}

JsonWriter& JsonWriter::open_object() { return open('{'), *this; }
JsonWriter& JsonWriter::close_object() { return close('}'), *this; }
JsonWriter& JsonWriter::open_list() { return open('['), *this; }
JsonWriter& JsonWriter::close_list() { return close(']'), *this; }

JsonWriter& JsonWriter::key(std::string_view name) {
  begin_value();
  text_ += json_string(name) + ": ";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::text(std::string_view value) {
  begin_value();
  text_ += json_string(value);
  return *this;
}

JsonWriter& JsonWriter::count(std::uint64_t value) {
  begin_value();
  append_count(text_, value);
  return *this;
}

JsonWriter& JsonWriter::truth(bool value) {
  begin_value();
  text_ += value ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::none() {
  begin_value();
  text_ += "null";
  return *this;
}

JsonWriter& JsonWriter::time(Picoseconds value) {
  begin_value();
  append_nanoseconds(text_, value);
  return *this;
}

JsonWriter& JsonWriter::thread_time(Int128 picoseconds) {
  begin_value();
  const std::string rest = std::to_string(static_cast<int>(picoseconds % 1'000));
  text_ += to_text(picoseconds / 1'000) + "." + std::string(3 - rest.size(), '0') + rest;
  return *this;
}

JsonWriter& JsonWriter::seconds(Picoseconds value) {
  begin_value();
  append_seconds(text_, value);
  return *this;
}

JsonWriter& JsonWriter::fraction(Ratio value) {
  begin_value();
  append_fraction(text_, value);
  return *this;
}

std::string JsonWriter::finish() { return std::move(text_) + "\n"; }

}  // namespace gdsim
