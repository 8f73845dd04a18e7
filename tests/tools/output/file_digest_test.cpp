#include "support/string_sink.hpp"
#include "support/temporary_folder.hpp"

#include "output/file_digest.hpp"

#include <catch2/catch.hpp>

#include <cerrno>
#include <string>
#include <utility>

using namespace gdsim::cli;
using namespace gdsim::testing;

namespace {
// As sha256sum prints them.
const std::string kOfNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const std::string kOfAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const std::string kOfMillionTimesA = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
}  // namespace

TEST_CASE("a digest has the number of bytes and the SHA-256 of a text, of a file and of what is written") {
  const TemporaryFolder folder;
  for (const auto& [text, sha256] : {std::pair(std::string(), kOfNothing),
                                     {std::string("abc"), kOfAbc},
                                     {std::string(1'000'000, 'a'), kOfMillionTimesA}}) {
    const FileDigest expected{text.size(), sha256};
    CHECK(digest_of(text) == expected);
    errno = EINTR;  // of something else, long ago
    CHECK(digest_of_file(folder.write("file", text)) == expected);
    gdsim::testing::StringSink next;
    DigestSink sink(next);
    sink.write(text.substr(0, text.size() / 3));
    sink.write(text.substr(text.size() / 3));
    CHECK(sink.finish() == expected);
    CHECK((next.text == text));
  }
}

TEST_CASE("a file that cannot be read has no digest, and its reason is kept") {
  const TemporaryFolder folder;
  CHECK_FALSE(digest_of_file(folder.path() / "none"));
  CHECK(errno == ENOENT);
  CHECK_FALSE(digest_of_file(folder.path()));  // it is opened, but not read
  CHECK(errno == EISDIR);
}
