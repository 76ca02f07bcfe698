import { eq } from 'drizzle-orm';
import { organization, user } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { variableNames, type VariableName } from '../../../contract/variables.ts';
import type { Turn } from './turn-store.ts';

const NAME_MAX_CHARACTERS = 80;
const isVariable = /\{\{\s*([a-z.]+)\s*\}\}/g;

/** The agent's instructions with their variables filled in. Anything that isn't a variable stays as it is. */
export async function instructionsFor({ db }: Deps, turn: Turn): Promise<string> {
  const { customInstructions, organizationId } = turn.agent;
  if (!customInstructions.includes('{{')) return customInstructions;
  const values = valuesOf(turn, await db.in({ organizationId }, (tx) => readPeople(tx, turn)));
  return customInstructions.replaceAll(isVariable, (written, name: string) =>
    isKnown(name) ? values[name] : written,
  );
}

function isKnown(name: string): name is VariableName {
  return variableNames.some((known) => known === name);
}

interface People {
  userName: string;
  timeZone: string;
  organizationName: string;
}

async function readPeople(tx: Tx, { userId, agent }: Turn): Promise<People> {
  const [asking] = await tx
    .select({ name: user.name, location: user.location })
    .from(user)
    .where(eq(user.id, userId));
  const [owning] = await tx
    .select({ name: organization.name })
    .from(organization)
    .where(eq(organization.id, agent.organizationId));
  return {
    userName: oneLine(asking?.name ?? ''),
    timeZone: asking?.location?.timezone || 'UTC',
    organizationName: oneLine(owning?.name ?? ''),
  };
}

function valuesOf({ agent, page }: Turn, people: People): Record<VariableName, string> {
  return {
    'user.name': people.userName,
    'organization.name': people.organizationName,
    'agent.name': oneLine(agent.name),
    date: momentIn(people.timeZone, { dateStyle: 'full' }),
    time: `${momentIn(people.timeZone, { timeStyle: 'short' })} (${people.timeZone})`,
    'page.url': page ?? '',
  };
}

/** A zone unknown to this machine falls back to UTC. */
function momentIn(timeZone: string, style: Intl.DateTimeFormatOptions): string {
  try {
    return new Intl.DateTimeFormat('en-GB', { ...style, timeZone }).format(new Date());
  } catch {
    return new Intl.DateTimeFormat('en-GB', { ...style, timeZone: 'UTC' }).format(new Date());
  }
}

/** People choose their names: no name can pass for another line, or for our markup. */
function oneLine(name: string): string {
  return name
    .replace(/[\s\p{C}<>{}]+/gu, ' ')
    .trim()
    .slice(0, NAME_MAX_CHARACTERS)
    .toWellFormed();
}
