#pragma once

#include <gdsim/import/profiles/byte_stream.hpp>

#include <cstdint>
#include <string_view>

namespace gdsim {

/// What a JSON text is made of, as it is read from front to back. Views are valid during the call.
class JsonHandler {
 public:
  virtual ~JsonHandler() = default;
  virtual void begin_object() = 0;
  virtual void end_object() = 0;
  virtual void begin_array() = 0;
  virtual void end_array() = 0;
  virtual void key(std::string_view name) = 0;
  virtual void text(std::string_view value) = 0;
  /// As it is written, all its digits.
  virtual void number(std::string_view digits) = 0;
  /// true, false or null.
  virtual void other() = 0;
  /// The byte that is read, for messages; called before each of the others.
  void at(std::uint64_t byte) { byte_ = byte; }

 protected:
  std::uint64_t byte() const { return byte_; }

 private:
  std::uint64_t byte_ = 0;
};

/// Reads a JSON text of any length, whose memory is bounded: nesting by kMaxDepth, a text or number by kMaxValue.
/// Throws InputError, with the offset of the byte, if it is no JSON or goes beyond these.
void read_json(ByteStream& stream, JsonHandler& handler);

inline constexpr std::size_t kMaxJsonDepth = 256;
inline constexpr std::size_t kMaxJsonValue = std::size_t{1} << 24;  ///< bytes

}  // namespace gdsim
