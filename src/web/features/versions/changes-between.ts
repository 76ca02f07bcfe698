import type { KnownItem, VersionDetails, VersionSettings } from '../../../contract/version.ts';
import { t, type MessageKey } from '../../messages/t.ts';

/** The differences between two versions, in words for people. */

interface FieldChange {
  field: keyof VersionSettings;
  title: string;
  before: string;
  after: string;
}

export interface KnowledgeChange {
  id: string;
  title: string;
  kind: 'added' | 'removed' | 'changed';
  /** For a changed item. */
  before: number;
  after: number;
}

const fields = [
  'customInstructions',
  'enableKnowledgeBaseMode',
  'fallbackMessage',
  'welcomeMessage',
  'disclosure',
  'conversationStarters',
  'language',
  'voiceEnabled',
  'modelSettings',
  'appearance',
] as const satisfies (keyof VersionSettings)[];

export function changedFields(before: VersionSettings, after: VersionSettings): FieldChange[] {
  return fields.flatMap((field) => {
    const [old, now] = [wordsOf(before[field]), wordsOf(after[field])];
    const title = t(`versions.field.${field}` satisfies MessageKey);
    return old === now ? [] : [{ field, title, before: old, after: now }];
  });
}

/** A value as lines of text, so that two can be compared word by word. */
function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? t('versions.on') : t('versions.off');
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(wordsOf).join('\n');
  if (typeof value !== 'object') return JSON.stringify(value);
  return Object.entries(value)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([key, each]) => `${key}: ${typeof each === 'string' ? each : JSON.stringify(each)}`)
    .join('\n');
}

export function changedKnowledge(
  { knowledge: before }: Pick<VersionDetails, 'knowledge'>,
  { knowledge: after }: Pick<VersionDetails, 'knowledge'>,
): KnowledgeChange[] {
  const old = new Map(before.map((item) => [item.id, item]));
  const now = new Map(after.map((item) => [item.id, item]));
  const change = (item: KnownItem, kind: KnowledgeChange['kind']): KnowledgeChange => ({
    id: item.id,
    title: item.title || t('versions.untitled'),
    kind,
    before: old.get(item.id)?.revision ?? 0,
    after: now.get(item.id)?.revision ?? 0,
  });
  const removed = before.filter(({ id }) => !now.has(id)).map((item) => change(item, 'removed'));
  const others = after.flatMap((item) => {
    const was = old.get(item.id);
    if (!was) return [change(item, 'added')];
    return was.revision === item.revision ? [] : [change(item, 'changed')];
  });
  return [...others, ...removed];
}
