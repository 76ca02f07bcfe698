import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createCircuits } from './circuits.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

function openCircuit() {
  const circuit = createCircuits({ failuresMax: 3, restMs: 1000 })('account');
  for (let index = 0; index < 3; index += 1) circuit.failed();
  return circuit;
}

test('an account is suspended after its last allowed failure in a row, not before', () => {
  const circuit = createCircuits({ failuresMax: 3, restMs: 1000 })('account');
  circuit.failed();
  circuit.failed();
  circuit.succeeded();
  circuit.failed();
  circuit.failed();
  expect(circuit.mayTry()).toBe(true);
  circuit.failed();
  expect(circuit.mayTry()).toBe(false);
});

test('after the pause one request probes the account, and its failure starts another pause', () => {
  const circuit = openCircuit();
  vi.advanceTimersByTime(1000);
  expect([circuit.mayTry(), circuit.mayTry(), circuit.mayTry()]).toEqual([true, false, false]);
  circuit.failed();
  vi.advanceTimersByTime(999);
  expect(circuit.mayTry()).toBe(false);
  vi.advanceTimersByTime(1);
  expect(circuit.mayTry()).toBe(true);
});

test('its success ends the pause for all requests', () => {
  const circuit = openCircuit();
  vi.advanceTimersByTime(1000);
  circuit.mayTry();
  circuit.succeeded();
  expect([circuit.mayTry(), circuit.mayTry()]).toEqual([true, true]);
});

test('accounts are suspended independently, and two names of one account together', () => {
  const circuitOf = createCircuits({ failuresMax: 1, restMs: 1000 });
  circuitOf('one').failed();
  expect([circuitOf('one').mayTry(), circuitOf('two').mayTry()]).toEqual([false, true]);
});
