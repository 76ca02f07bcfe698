import type { ApiError } from '../../../contract/client.ts';
import { SiteSettings, type Knowledge, type KnowledgeSchedule } from '../../../contract/knowledge.ts';
import { CRAWL_DEPTH_MAX, CRAWL_PAGES_MAX } from '../../../contract/limits.ts';
import { formatNumber } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { linesOf } from './lines.ts';

export type SiteMode = SiteSettings['mode'];

/** A website's settings as form values. */
export interface SiteValues {
  include: string;
  exclude: string;
  maxPages: string;
  maxDepth: string;
  schedule: KnowledgeSchedule;
}

export const newSite = {
  include: '',
  exclude: '',
  maxPages: String(CRAWL_PAGES_MAX),
  maxDepth: String(CRAWL_DEPTH_MAX),
};

export function valuesOf({ site, schedule }: Pick<Knowledge, 'site' | 'schedule'>): SiteValues {
  if (!site) return { ...newSite, schedule };
  return {
    include: site.include.join('\n'),
    exclude: site.exclude.join('\n'),
    maxPages: String(site.maxPages),
    maxDepth: String(site.maxDepth),
    schedule,
  };
}

export function settingsOf(mode: SiteMode, values: SiteValues): SiteSettings {
  return {
    mode,
    include: linesOf(values.include),
    exclude: linesOf(values.exclude),
    maxPages: Number(values.maxPages),
    maxDepth: values.maxDepth.trim() === '' ? Number.NaN : Number(values.maxDepth),
  };
}

/** Error messages by field for values the contract rejects. */
export function checkSite(mode: SiteMode, values: SiteValues): Record<string, string> {
  const result = SiteSettings.safeParse(settingsOf(mode, values));
  const issues = result.success ? [] : result.error.issues;
  return Object.fromEntries(issues.map(({ path }) => [String(path[0]), messageFor(String(path[0]))]));
}

function messageFor(field: string): string {
  if (field === 'maxPages')
    return t('knowledge.numberBetween', { least: 1, most: formatNumber(CRAWL_PAGES_MAX) });
  if (field === 'maxDepth') return t('knowledge.numberBetween', { least: 0, most: CRAWL_DEPTH_MAX });
  return t('knowledge.patternWrong');
}

/** The server's errors for parts of the settings or of a list, mapped to their fields. */
export function fieldErrorsOf({ errors }: ApiError, fields: readonly string[], linksField: string) {
  const known = errors.flatMap(({ path, message }): [string, string][] => {
    const parts = path.split('.');
    const named = parts[0] === 'site' ? parts[1] : parts[0];
    const field = named === 'links' || named === 'website' ? linksField : named;
    return field !== undefined && fields.includes(field) ? [[field, message]] : [];
  });
  return Object.fromEntries(known);
}
