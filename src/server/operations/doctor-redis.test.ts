import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { freePort } from '../../../test/e2e/server.ts';
import { makeTemporaryFolder } from '../../../test/temporary-folder.ts';
import { readConfig } from '../config/config.ts';
import { examine } from './doctor.ts';

test('doctor says whether Redis answers, and why not', async () => {
  const port = await freePort();
  const DATA_DIR = await makeTemporaryFolder('doctor');
  const foundWith = async (password: string): Promise<[number, string | undefined]> => {
    const said: string[] = [];
    const REDIS_URL = `redis://:${password}@127.0.0.1:${port}`;
    const exitCode = await examine(readConfig({ DATA_DIR, REDIS_URL }), (line) => said.push(line));
    return [exitCode, said.find((line) => line.includes('Redis'))];
  };
  expect(await foundWith('right')).toEqual([1, expect.stringMatching(/^ERROR .* REDIS_URL .*ECONNREFUSED/)]);
  const redis = spawn('redis-server', ['--port', String(port), '--save', '', '--requirepass', 'right']);
  try {
    for await (const line of redis.stdout) if (String(line).includes('Ready to accept')) break;
    expect(await foundWith('right')).toEqual([0, 'ok       Redis answers.']);
    expect(await foundWith('wrong')).toEqual([1, expect.stringMatching(/^ERROR .* REDIS_URL .*WRONGPASS/)]);
    redis.kill('SIGSTOP');
    expect(await foundWith('right')).toEqual([1, expect.stringMatching(/^ERROR .* REDIS_URL .*timeout/i)]);
  } finally {
    redis.kill('SIGKILL');
  }
});
