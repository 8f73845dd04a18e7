#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {

/// `text` as a JSON string, quotes included; U+FFFD for every byte that belongs to no character of UTF-8. What YAML
/// does not allow is escaped, too: read_yaml() reads what is written here, and nothing else in gdsim reads JSON.
std::string json_string(std::string_view text);

/// Writes JSON with exact decimals: numbers are never squeezed through binary floating point.
/// Objects and lists are opened and closed by the caller, in order.
class JsonWriter {
 public:
  JsonWriter& open_object();
  JsonWriter& close_object();
  JsonWriter& open_list();
  JsonWriter& close_list();
  /// The key of the next value.
  JsonWriter& key(std::string_view name);

  JsonWriter& text(std::string_view value);
  JsonWriter& count(std::uint64_t value);
  /// A number that is written already.
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

  /// What was written since the last call, so that long documents need not be held.
  std::string take() { return std::exchange(text_, {}); }
  /// Everything written, or what was not taken, with a line end.
  std::string finish();

 private:
  void begin_value();
  void open(char bracket);
  void close(char bracket);
  void new_line();

  std::string text_;
  std::vector<bool> has_items_;  ///< by open bracket
  bool after_key_ = false;
};

}  // namespace gdsim
