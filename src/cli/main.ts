import { parseArgs } from 'node:util';
import { ask } from './ask.ts';
import { exitCodes, failureOf, wrongUsage } from './cli-error.ts';
import { exportAgent } from './export.ts';
import { help } from './help.ts';
import { addKnowledge } from './knowledge.ts';
import { login } from './login.ts';
import { organizationSession } from './session.ts';
import { version } from './settings.ts';
import { outputTo, printable, readInput, type Output } from './terminal.ts';

const options = {
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', default: false },
  agent: { type: 'string' },
  conversation: { type: 'string' },
  title: { type: 'string' },
  wait: { type: 'boolean', default: false },
  force: { type: 'boolean', default: false },
} as const;

type Given = ReturnType<typeof parse>;

function parse(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw wrongUsage(error instanceof Error ? error.message : String(error));
  }
}

async function listAgents(output: Output): Promise<void> {
  const { api, organizationId } = await organizationSession();
  const { chatbots } = await api.chatbot.list({ organizationId });
  const lines = chatbots.map(({ id, handle, name }) => `${id}  ${handle}  ${name}`);
  output.result({ agents: chatbots }, lines.join('\n') || 'No agents yet.');
}

async function run({ values, positionals }: Given, output: Output): Promise<void> {
  const [command, ...words] = positionals;
  const { force, wait, title, conversation, agent } = values;
  const [first, second, third] = words;
  if (command === 'login' && first !== undefined && words.length === 1) return login(first, agent, output);
  if (command === 'agents' && first === 'list' && words.length === 1) return listAgents(output);
  if (command === 'ask' && first !== undefined && second !== undefined && words.length === 2)
    return ask(first, second === '-' ? await readInput() : second, conversation, output);
  if (command === 'knowledge' && first === 'add' && second && third !== undefined && words.length === 3)
    return addKnowledge(second, third, { title, wait }, output);
  if (command === 'export' && first !== undefined && words.length <= 2)
    return exportAgent(first, second, { force }, output);
  throw wrongUsage(`Unknown command: parley ${positionals.join(' ')}.`);
}

async function main(args: string[]): Promise<number> {
  const isJson = args.includes('--json');
  try {
    const given = parse(args);
    if (given.values.version) process.stdout.write(`${version}\n`);
    else if (given.values.help || given.positionals.length === 0) process.stdout.write(help);
    else await run(given, outputTo(process.stdout, { json: isJson }));
    return 0;
  } catch (error) {
    const { exitCode, message, code } = failureOf(error);
    const text = isJson ? JSON.stringify({ error: { code, message } }) : `parley: ${printable(message)}`;
    process.stderr.write(`${text}\n`);
    return exitCode;
  }
}

// The reader of the output has gone, as with `head`.
process.stdout.on('error', () => process.exit(exitCodes.failed));
process.exitCode = await main(process.argv.slice(2));
