import { setTimeout as sleep } from 'node:timers/promises';
import { createApp, type App } from './app.ts';
import { ConfigError, readConfig, type Config } from './config/config.ts';
import { asDataFolderError, makeDataFolder } from './folders/data-folder.ts';
import { createLog, type Log } from './log.ts';
import { StartError } from './start-error.ts';
import { explainListen, listenAt } from './http/listen.ts';
import { originOf } from './origin.ts';
import { collectWhenIdle } from './load/idle-collection.ts';

/** How long a stop may take before it is forced: the time for requests and answers in progress. */
const STOP_TIMEOUT_MS = 25_000;

async function main(): Promise<void> {
  const config = readConfig();
  const log = createLog(config);
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));
  const starting = start(config, log);
  stopBySignals(starting, config, log);
  const app = await starting;
  console.log(`\n  Parley is at ${originOf(app.http, config)}\n`);
  collectWhenIdle();
}

async function start(config: Config, log: Log): Promise<App> {
  const app = await open(config, log).catch((error: unknown) => {
    throw asDataFolderError(error, config.dataDir);
  });
  await listen(app, config);
  return app;
}

async function open(config: Config, log: Log): Promise<App> {
  await makeDataFolder(config.dataDir);
  return createApp(config, log);
}

/**
 * On the first signal the server reports that it is not ready, keeps serving while others learn of it
 * (`DRAIN_SECONDS`), and stops; a second signal ends the wait. A signal during the start takes effect afterwards: a
 * half-started server would leave its database running.
 */
function stopBySignals(starting: Promise<App>, config: Config, log: Log): void {
  let hurry: AbortController | undefined;
  const endByForce = (): void => {
    log.error({ afterMs: STOP_TIMEOUT_MS }, 'the shutdown took too long and is forced');
    process.exit(1);
  };
  const stop = async (signal: string): Promise<void> => {
    if (hurry) return hurry.abort();
    hurry = new AbortController();
    const hangs = setTimeout(endByForce, STOP_TIMEOUT_MS);
    // The caller awaiting the start reports why it failed.
    const app = await starting.catch(() => undefined);
    clearTimeout(hangs);
    if (!app) return;
    const { drainSeconds } = config.operations;
    log.info({ signal, drainSeconds }, 'stopping');
    app.leave();
    await sleep(drainSeconds * 1000, undefined, { signal: hurry.signal }).catch(() => undefined);
    setTimeout(endByForce, STOP_TIMEOUT_MS).unref();
    await app.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'the shutdown failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => void stop('SIGTERM'));
  process.on('SIGINT', () => void stop('SIGINT'));
}

async function listen(app: App, config: Config): Promise<void> {
  try {
    await listenAt(app.http, { host: config.host, port: config.port });
  } catch (error) {
    await app.close();
    throw explainListen(error, config);
  }
}

main().catch((error: unknown) => {
  const isExpected = error instanceof StartError || error instanceof ConfigError;
  console.error(isExpected ? `\n  ${error.message.replaceAll('\n', '\n  ')}\n` : error);
  process.exit(1);
});
