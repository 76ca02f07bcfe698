import { hashKey } from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiError } from '../../contract/client.ts';
import { t } from '../messages/t.ts';
import { standing } from './form.ts';

type Values = Record<string, unknown>;

interface Save<Changes, Saved> {
  /** Saves the changes, telling the server what was seen of their fields. */
  send: (changes: Changes & { seen: Values }) => Promise<Saved>;
  /** The stored values according to the response. */
  storedOf: (saved: Saved) => object;
  /** The current values of fields that somebody else has changed. */
  onChanged?: (now: Values) => unknown;
}

/**
 * Saves changes without unknowingly overwriting a concurrent change by somebody else to the same field: the first save
 * reports it instead, and the next one is deliberate. `seen` returns the stored values of fields when their changes
 * were begun; other fields are saved whatever they contain by now.
 */
export function useSaveOver<Changes extends object, Saved>(
  seen: () => object,
  { send, storedOf, onChanged }: Save<Changes, Saved>,
): (changes: Changes) => Promise<Saved> {
  const refused = useRef<Values>({});
  const saved = useRef<Since>({});
  return async (changes) => {
    const begun = pick(seen(), Object.keys(changes));
    const known = { ...newest(begun, saved.current), ...pick(refused.current, Object.keys(begun)) };
    const made = await send({ ...changes, seen: known }).catch((error: unknown) => {
      const now = standing(error);
      if (!now) throw error;
      Object.assign(refused.current, now);
      onChanged?.(now);
      throw changedMeanwhile();
    });
    refused.current = {};
    Object.assign(saved.current, learnt(begun, storedOf(made)));
    return made;
  };
}

const pick = (values: object, fields: readonly string[]): Values =>
  Object.fromEntries(Object.entries(values).filter(([field]) => fields.includes(field)));

/** For fields whose changes were begun at `begun`: what was saved there since. */
type Since = Record<string, { begun: unknown; now: unknown }>;

const learnt = (begun: Values, now: object): Since =>
  Object.fromEntries(
    Object.entries(pick(now, Object.keys(begun))).map(([field, value]) => [
      field,
      { begun: begun[field], now: value },
    ]),
  );

/** The known current values of fields. A change begun later starts from the value at that time. */
const newest = (begun: Values, since: Since): Values =>
  Object.fromEntries(
    Object.entries(begun).map(([field, value]) => {
      const known = since[field];
      return [field, known && hashKey([known.begun]) === hashKey([value]) ? known.now : value];
    }),
  );

/** What was to be saved is still there: saving again replaces what someone else has saved. */
export function changedMeanwhile(): ApiError {
  const detail = t('settings.changedMeanwhile');
  return new ApiError({
    type: 'about:blank',
    title: detail,
    status: 409,
    detail,
    code: 'resource/conflict',
    requestId: '',
  });
}
