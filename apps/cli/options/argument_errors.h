#pragma once

// What is wrong with the arguments of a command, in this program's words.

#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace askfew::cli {

/// The command that the arguments name, with the commands above, e.g. `askfew project show`.
std::string path_of(const CLI::App& program);
std::vector<std::string> names_of(const std::vector<const CLI::App*>& commands);
std::string text_of(const CLI::ParseError& error, const CLI::App& program, int argc, char** argv);

}  // namespace askfew::cli
