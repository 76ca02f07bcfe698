/** The states of an upload as the specification has them (section 4). */
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

/** What a person asks for, and what the transfer reports back. */
export type UploadEvent = 'pause' | 'resume' | 'cancel' | 'stopped' | 'done' | 'failed';

/**
 * Pause only from running; resume only from paused or pausing; cancel from running or pausing. `stopped` is the transfer's
 * word that nothing is under way any more. A move that stands not here is refused.
 */
const moves: Readonly<Record<UploadState, Partial<Record<UploadEvent, UploadState>>>> = {
  running: { pause: 'pausing', cancel: 'canceling', done: 'success', failed: 'error' },
  // The last bytes may arrive before the transfer has heard that it should stop.
  pausing: { resume: 'running', cancel: 'canceling', stopped: 'paused', done: 'success', failed: 'error' },
  paused: { resume: 'running' },
  canceling: { stopped: 'canceled', failed: 'canceled' },
  canceled: {},
  success: {},
  error: {},
};

/** The state after an event; the same one when the event is refused. */
export function nextState(state: UploadState, event: UploadEvent): UploadState {
  return moves[state][event] ?? state;
}

export function allows(state: UploadState, event: UploadEvent): boolean {
  return moves[state][event] !== undefined;
}

/** Nothing will happen to it any more. */
export function hasEnded(state: UploadState): boolean {
  return state === 'canceled' || state === 'success' || state === 'error';
}
