#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {

/// Returns `text` as a JSON string with quotes, and U+FFFD for every byte that belongs to no UTF-8 character.
/// Characters that YAML forbids are escaped, too: JSON is read by read_yaml() only.
std::string json_string(std::string_view text);

/// Appends json_string(text).
void append_json_string(std::string& to, std::string_view text);

/// Writes JSON with exact decimals: numbers never pass through binary floating point. The caller opens and closes
/// objects and lists in order.
class JsonWriter {
 public:
  JsonWriter& open_object();
  JsonWriter& close_object();
  JsonWriter& open_list();
  JsonWriter& close_list();
  /// Writes the key of the next value.
  JsonWriter& key(std::string_view name);

  JsonWriter& text(std::string_view value);
  JsonWriter& count(std::uint64_t value);
  /// Writes a number that is already formatted.
  JsonWriter& number(std::string_view digits);
  JsonWriter& truth(bool value);
  JsonWriter& none();
  /// Nanoseconds with three decimals.
  JsonWriter& time(Duration value);
  JsonWriter& time(SimTime value) { return time(since_start(value)); }
  /// Thread-nanoseconds with three decimals, from thread-picoseconds.
  JsonWriter& thread_time(Int128 picoseconds);
  /// Seconds with twelve decimals.
  JsonWriter& seconds(SimTime value);
  /// Four decimals.
  JsonWriter& fraction(Ratio value);

  /// Returns what was written since the last call, so that long documents need not be kept.
  std::string take() { return std::exchange(text_, {}); }
  /// Returns everything that take() has not returned, with a line end.
  std::string finish();

 private:
  void begin_value();
  void open(char bracket);
  void close(char bracket);
  void new_line();

  std::string text_;
  std::vector<bool> has_items_;  ///< for each open bracket
  bool after_key_ = false;
};

}  // namespace gdsim
