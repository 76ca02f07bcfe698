export const help = `Usage: parley <command> [options]

Commands:
  login <url>                        save the address and an API key of your organization
  login <url> --agent <agent>        save the key of one agent, needed to ask it
  agents list                        your organization's agents
  ask <agent> <question>             ask an agent; the answer is streamed
  knowledge add <agent> <file|url>   give an agent a file or a page
  knowledge add <agent> -            give an agent the text on standard input
  export <agent> [file]              export an agent to a file; "-" is standard output

On the machine of an installation, in its folder and with its environment:
  backup [file], restore <file>, doctor, rotate-secret

Name an agent by its id, its handle or its name. A key is read from standard input, never from an argument,
which other programs could see.

Options:
  --json                  print answers and errors as JSON
  --conversation <id>     ask: continue this conversation
  --title <title>         knowledge add: the title of a text
  --wait                  knowledge add: wait until it can be found
  --force                 export: overwrite an existing file
  --help, --version

Environment variables, used instead of what login has saved:
  PARLEY_URL, PARLEY_API_KEY, PARLEY_AGENT_KEY, and XDG_CONFIG_HOME for the folder it is saved in

Exit codes: 0 success, 1 failure, 2 wrong usage, 3 not logged in or not allowed, 130 interrupted
`;
