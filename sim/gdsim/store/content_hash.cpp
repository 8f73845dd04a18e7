#include <gdsim/store/content_hash.hpp>

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>

namespace gdsim {

ContentHash& ContentHash::add(std::string_view text) {
  gathered_ += std::to_string(text.size()) + ":";
  gathered_ += text;
  return *this;
}

std::string ContentHash::finish() const {
  return boost::uuids::to_string(boost::uuids::name_generator_sha1(boost::uuids::ns::oid())(gathered_));
}

}  // namespace gdsim
