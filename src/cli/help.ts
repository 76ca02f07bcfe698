export const help = `Usage: parley <command> [options]

Commands:
  login <url>                        keep the address and an API key of your organization
  login <url> --agent <agent>        keep the key of one agent, which asking it needs
  agents list                        your organization's agents
  ask <agent> <question>             ask an agent; the answer is shown as it is made
  knowledge add <agent> <file|url>   give an agent a file or a page
  knowledge add <agent> -            give an agent the text of the standard input
  export <agent> [file]              write an agent as a file; "-" is the standard output

On the machine of an installation, in its folder and with its environment:
  backup [file], restore <file>, doctor, rotate-secret

An agent is named by its id, its handle or its name. A key is read from the standard input and never from
an argument, which other programs could see.

Options:
  --json                  answers, and failures, as JSON
  --conversation <id>     ask: go on in this conversation
  --title <title>         knowledge add: what a text is called
  --wait                  knowledge add: until it can be found
  --force                 export: write over a file that is there
  --help, --version

Environment, in place of what login has kept:
  PARLEY_URL, PARLEY_API_KEY, PARLEY_AGENT_KEY, and XDG_CONFIG_HOME for the folder where it is kept

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not logged in or not allowed, 130 interrupted
`;
