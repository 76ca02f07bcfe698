/** The states of an upload per the specification (section 4). */
export const uploadStates = [
  'running',
  'pausing',
  'paused',
  'canceling',
  'canceled',
  'success',
  'error',
] as const;
export type UploadState = (typeof uploadStates)[number];

/** A person's requests, and what the transfer reports. */
export type UploadEvent = 'pause' | 'resume' | 'cancel' | 'stopped' | 'done' | 'failed';

/**
 * Pause only from running; resume only from paused or pausing; cancel from running or pausing. `stopped` is the
 * transfer's report that nothing is in progress any more. Transitions not listed here are refused.
 */
const moves: Readonly<Record<UploadState, Partial<Record<UploadEvent, UploadState>>>> = {
  running: { pause: 'pausing', cancel: 'canceling', done: 'success', failed: 'error' },
  // The last bytes may arrive before the transfer learns that it should stop.
  pausing: { resume: 'running', cancel: 'canceling', stopped: 'paused', done: 'success', failed: 'error' },
  paused: { resume: 'running' },
  canceling: { stopped: 'canceled', failed: 'canceled' },
  canceled: {},
  success: {},
  error: {},
};

/** The state after an event; unchanged if the event is refused. */
export function nextState(state: UploadState, event: UploadEvent): UploadState {
  return moves[state][event] ?? state;
}

export function allows(state: UploadState, event: UploadEvent): boolean {
  return moves[state][event] !== undefined;
}

/** Final: nothing will happen to it any more. */
export function hasEnded(state: UploadState): boolean {
  return state === 'canceled' || state === 'success' || state === 'error';
}
