import { isDeepStrictEqual } from 'node:util';
import { VersionSettings } from '../../../contract/version.ts';
import { settingsOf, withSettings } from '../../access/agent-settings.ts';
import type { Agent } from '../../access/gate.ts';
import type { Tx } from '../../db/scope.ts';
import { saveDraft } from '../version/store.ts';
import { updateAgent, type AgentChanges } from './store.ts';

type Changes = AgentChanges & { [Field in keyof VersionSettings]?: VersionSettings[Field] | undefined };

/**
 * Saves the given fields: settings as a new version if they differ from the draft's, the rest at once. The agent must
 * be locked. Returns it with its draft's settings.
 */
export async function saveChanges(
  tx: Tx,
  live: Agent,
  draft: Agent,
  changes: Changes,
  createdBy: string,
): Promise<Agent> {
  const saved = await updateAgent(tx, live.organizationId, live.id, atOnce(changes));
  const before = settingsOf(draft);
  const after = settingsOf({ ...before, ...given(changes) });
  if (isDeepStrictEqual(before, after)) return withSettings(saved, saved.version, before);
  return saveDraft(tx, saved, after, { createdBy });
}

const isOfVersion = (field: string) => field in VersionSettings.shape;

function given(changes: Changes): Partial<VersionSettings> {
  return pick(changes, isOfVersion);
}

function atOnce(changes: Changes): AgentChanges {
  return pick(changes, (field) => !isOfVersion(field));
}

function pick(changes: Changes, isWanted: (field: string) => boolean): object {
  return Object.fromEntries(
    Object.entries(changes).filter(([field, value]) => value !== undefined && isWanted(field)),
  );
}
