#include "words.hpp"

#include <cstdio>

/// Writes the words of gdsim's files in libFuzzer's form.
int main() {
  for (const std::string& word : gdsim::fuzz::words()) {
    std::string escaped;
    for (const char c : word) escaped += c == '\n' ? std::string("\\x0a") : std::string(1, c);
    std::printf("\"%s\"\n", escaped.c_str());
  }
}
