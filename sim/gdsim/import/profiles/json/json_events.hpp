#pragma once

#include <gdsim/import/profiles/byte_stream.hpp>

#include <cstdint>
#include <string_view>

namespace gdsim {

/// Receives the parts of a JSON text in order. Views are valid during the call.
class JsonHandler {
 public:
  virtual ~JsonHandler() = default;
  virtual void begin_object() = 0;
  virtual void end_object() = 0;
  virtual void begin_array() = 0;
  virtual void end_array() = 0;
  virtual void key(std::string_view name) = 0;
  virtual void text(std::string_view value) = 0;
  /// The number as it is written, with all digits.
  virtual void number(std::string_view digits) = 0;
  /// true, false or null.
  virtual void other() = 0;
  /// Sets the offset of the current byte, for messages. Called before each other function.
  void set_offset(std::uint64_t byte) { byte_ = byte; }

 protected:
  std::uint64_t byte() const { return byte_; }

 private:
  std::uint64_t byte_ = 0;
};

/// Reads a JSON text of any length in bounded memory: kMaxJsonDepth limits the nesting, kMaxJsonValue a text or number.
/// Throws InputError with the offset of the byte if the text is no JSON or exceeds these limits.
void read_json(ByteStream& stream, JsonHandler& handler);

inline constexpr std::size_t kMaxJsonDepth = 256;
inline constexpr std::size_t kMaxJsonValue = std::size_t{1} << 24;  ///< bytes

}  // namespace gdsim
