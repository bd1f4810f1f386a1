#include <iostream>
#include <memory>

#include "apps/cli/commands/commands.h"

namespace askfew::cli {

void add_completion(Command& program) {
  auto shell = std::make_shared<std::string>();
  Command* command = program.add_subcommand(
      "completion", "Print a script that completes commands and options: source <(askfew completion bash)");
  command->add_option("SHELL", *shell, "bash or zsh")->required()->one_of({"bash", "zsh"});
  command->callback([shell, &program] {
    // zsh reads the same script after its own command has made the words available.
    if (*shell == "zsh") std::cout << "autoload -U +X bashcompinit && bashcompinit\n";
    std::cout << "_askfew() {\n"
                 "  local word=${COMP_WORDS[COMP_CWORD]} words=\n"
                 "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                 "    words='";
    for (const Command::Listed& listed : program.listed()) std::cout << listed.name << ' ';
    std::cout << "'\n"
                 "  elif [[ $word == -* ]]; then\n"
                 "    case ${COMP_WORDS[1]} in\n";
    for (const Command::Listed& listed : program.listed()) {
      std::cout << "      " << listed.name << ") words='";
      for (const std::string& option : listed.options) std::cout << option << ' ';
      std::cout << "' ;;\n";
    }
    std::cout << "    esac\n"
                 "  else\n"
                 "    COMPREPLY=($(compgen -f -- \"$word\"))\n"
                 "    return\n"
                 "  fi\n"
                 "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
                 "}\n"
                 "complete -o filenames -F _askfew askfew\n";
  });
}

}  // namespace askfew::cli
