#include "command_line.hpp"
#include "man_page.hpp"
#include "reference/completion.hpp"
#include "reference/reference_text.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

// gdsim_documents DIR: writes man pages and completions into DIR, from the catalog of commands.

namespace {

void write(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (file.close(); !file) {
    std::cerr << path.string() << ": cannot be written\n";
    std::exit(1);
  }
}

}  // namespace

int main(int argc, char** argv) {
  using namespace gdsim::cli;
  if (argc != 2) {
    std::cerr << "Usage: gdsim_documents DIR\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  const auto commands = all_commands();
  write(folder / "man1/gdsim.1", man_page(commands));
  write(folder / "man1/gdsim-all.1", ".so man1/gdsim.1\n");  // the program that gdsim starts for most commands
  for (const Command& command : commands)
    write(folder / "man1" / ("gdsim-" + std::string(command.spec.name) + ".1"), man_page(command.spec));
  for (const ReferenceTopic& topic : reference_topics())
    write(folder / "man5" / ("gdsim-" + std::string(topic.name) + ".5"), reference_page(topic));
  write(folder / "bash/gdsim", bash_completion(commands));
  write(folder / "zsh/_gdsim", zsh_completion(commands));
  write(folder / "fish/gdsim.fish", fish_completion(commands));
}
