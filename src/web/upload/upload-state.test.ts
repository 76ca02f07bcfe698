import { expect, test } from 'vitest';
import {
  allows,
  hasEnded,
  nextState,
  uploadStates,
  type UploadEvent,
  type UploadState,
} from './upload-state.ts';

const asked: UploadEvent[] = ['pause', 'resume', 'cancel'];
const events: UploadEvent[] = [...asked, 'stopped', 'done', 'failed'];

const from = (event: UploadEvent): UploadState[] => uploadStates.filter((state) => allows(state, event));

test('pause works only from running, resume only from paused or pausing, cancel from running or pausing', () => {
  expect(from('pause')).toEqual(['running']);
  expect(from('resume')).toEqual(['pausing', 'paused']);
  expect(from('cancel')).toEqual(['running', 'pausing']);
});

test('an invalid transition changes nothing', () => {
  const refused = uploadStates.flatMap((state) =>
    events.filter((event) => !allows(state, event)).map((event) => [state, nextState(state, event)]),
  );
  expect(refused.length).toBeGreaterThan(25);
  for (const [before, after] of refused) expect(after).toBe(before);
});

test('a request shows at once, and takes effect when the transfer has stopped', () => {
  const after = (...given: UploadEvent[]) => given.reduce(nextState, 'running' as UploadState);
  expect(after('pause')).toBe('pausing');
  expect(after('pause', 'stopped')).toBe('paused');
  expect(after('pause', 'stopped', 'resume')).toBe('running');
  expect(after('pause', 'resume')).toBe('running');
  expect(after('cancel')).toBe('canceling');
  expect(after('pause', 'cancel', 'stopped')).toBe('canceled');
  expect(after('pause', 'stopped', 'cancel')).toBe('paused');
  expect(after('done')).toBe('success');
  expect(after('pause', 'done')).toBe('success');
  expect(after('failed')).toBe('error');
  expect(after('cancel', 'done')).toBe('canceling');
});

test('no event leaves a final state', () => {
  const ends = uploadStates.filter(hasEnded);
  expect(ends).toEqual(['canceled', 'success', 'error']);
  for (const end of ends) for (const event of events) expect(nextState(end, event)).toBe(end);
});
