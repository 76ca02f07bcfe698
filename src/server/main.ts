import { createApp, type App } from './app.ts';
import { ConfigError, readConfig, type Config } from './config.ts';
import { createLog } from './log.ts';
import { StartError } from './start-error.ts';
import { originOf } from './origin.ts';

/** How long a stop may take before it is forced: requests and answers under way are given this time. */
const STOP_TIMEOUT_MS = 25_000;

async function main(): Promise<void> {
  const config = readConfig();
  const log = createLog(config);
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));
  const app = await createApp(config, log);
  await listen(app, config);
  console.log(`\n  Parley is at ${originOf(app.http, config)}\n`);
  let stopping = false;
  const stop = (signal: string): void => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    app.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'the stop did not go well');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
}

async function listen(app: App, config: Config): Promise<void> {
  try {
    await app.http.listen({ host: config.host, port: config.port });
  } catch (error) {
    await app.close();
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EADDRINUSE')
      throw new StartError(`Port ${config.port} is taken. Stop what uses it, or set PORT.`);
    if (code === 'EACCES')
      throw new StartError(`Port ${config.port} needs more rights. Set PORT to one above 1023.`);
    throw error;
  }
}

main().catch((error: unknown) => {
  const isExpected = error instanceof StartError || error instanceof ConfigError;
  console.error(isExpected ? `\n  ${error.message}\n` : error);
  process.exit(1);
});
