import { fork } from 'node:child_process';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import { createApi } from './api.ts';
import { createMetrics } from './metrics.ts';
import { createApp } from './app.ts';
import type { App } from './app.ts';
import { archiveWords } from '#commands/archive-words.ts';
import { backupCommand } from '#commands/backup.ts';
import { baseCopyCommand } from '#commands/base-copy.ts';
import { demoCommand, requireDemo } from '#commands/demo.ts';
import { doctorCommand } from '#commands/doctor.ts';
import { rehearseCommand } from '#commands/rehearse.ts';
import { rehearseRestoreCommand } from '#commands/rehearse-restore.ts';
import { removeArchiveCommand } from '#commands/remove-archive.ts';
import { restoreAtCommand } from '#commands/restore-at.ts';
import { restoreCommand } from '#commands/restore.ts';
import { resumeAllCommand } from '#commands/resume-all.ts';
import { rotateKeyCommand } from '#commands/rotate-key.ts';
import { adminCommand } from '#commands/admin.ts';
import { acceptGapCommand, terminal } from '#commands/accept-gap.ts';
import { proveAgainst, proveBooks, proveHead } from '#commands/prove.ts';
import { ConfigError, readConfig } from './config.ts';
import type { Config } from './config.ts';
import { assertAppRole, embeddedConnections, externalConnections } from './connections.ts';
import type { Connections } from './connections.ts';
import { listenTo } from './listen.ts';
import { alertAbandoned, closeAbandoned, tasks } from './tasks.ts';
import { catchUpDemo, demoState, fillDemo } from '#features/demo/demo.ts';
import { proveSoon } from '#domain/ledger/ledger.ts';
import { startWebhooks } from '#domain/webhooks/webhooks.ts';
import { awaitPrimary } from '#platform/db/await-primary.ts';
import { clearHalfFilled } from '#platform/db/clear.ts';
import { useInstallation } from '#platform/db/generation.ts';
import { MigrationError, migrate, readSchema } from '#platform/db/migrate.ts';
import { EmbeddedError, runningEmbeddedPostgres } from '#platform/embedded/embedded.ts';
import { migrateJobs } from '#platform/jobs/jobs.ts';
import { startWorker } from '#platform/jobs/worker.ts';
import type { CommandResult } from './commands/command-result.ts';
import { endOnDefect } from '#platform/end-on-defect.ts';
import { errorText } from '#platform/error-line.ts';
import { limitHeapGrowth } from '#platform/heap.ts';
import { createLog } from '#platform/log.ts';
import { assertSecretKey } from '#platform/secrets/secret-keys.ts';
import { startTracing } from '#platform/tracing/tracing.ts';
import { version } from '#platform/version.ts';
import { startArchivedPostgres } from '#platform/wal/archived-postgres.ts';
import type { Log } from '#platform/log.ts';

limitHeapGrowth();
endOnDefect();

/**
 * The exit code after an error that the log explains; the supervisor must not restart the process.
 */
const explained = 78;

/** The running parts, in the order of their start; they stop in reverse order. */
class Running {
  readonly #parts: (() => Promise<void>)[] = [];
  #stopped = false;
  add(stop: () => Promise<void>): void {
    // The process was asked to end while this part was still starting, so the part is stopped
    // immediately.
    if (this.#stopped) stop().catch(() => {});
    else this.#parts.push(stop);
  }
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const stop of this.#parts.splice(0).toReversed())
      await stop().catch((error: unknown) => console.error(errorText(error)));
  }
}

const unreachable = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  '28P01',
  '28000',
  '3D000',
]);

const step = (text: string): void => void process.send?.({ step: text });

const connect = async (
  command: string,
  config: Config,
  log: Log,
  running: Running,
): Promise<Connections> => {
  if (config.databaseUrl) return externalConnections(config);
  // If the product is running, these commands use its database instead of starting one.
  const beside = ['admin', 'backup', 'doctor', 'fill', 'prove', 'rehearse'].includes(command)
    ? await runningEmbeddedPostgres(config.dataDir)
    : null;
  if (beside) return embeddedConnections(beside);
  step('Starting the database');
  const embedded = await startArchivedPostgres(config, log);
  running.add(() => embedded.stop());
  embedded.onExit((how) => log.error({ how }, 'PostgreSQL ended and is started again'));
  return embeddedConnections(embedded.connection);
};

/**
 * The commands that wait for a primary database at start. Every other command fails if there is
 * none.
 */
const serving = new Set(['start', 'api', 'worker']);

const waiting = <T>(command: string, { databaseUrl }: Config, log: Log, run: () => Promise<T>) =>
  databaseUrl !== null && serving.has(command) ? awaitPrimary(run, { log }) : run();

const bringUpToDate = async (
  { owner, role }: Connections,
  { demo, installation }: Config,
  log: Log,
): Promise<void> => {
  if (!owner) return;
  if (demo && (await clearHalfFilled(owner)))
    log.info('the demo was cut short while it was filled and is made anew');
  step('Bringing the database up to date');
  const schema = readSchema(join(import.meta.dirname, '..'));
  await migrate(owner, schema, {
    appRole: role,
    log,
    after: (client) => migrateJobs(client, owner, role.name),
  });
  if (installation !== null) await useInstallation(owner, installation, log);
};

/** Throws the message for a database URL that reaches no database. */
const explainUnreachable = (error: unknown): never => {
  const { code } = error as { code?: string };
  if (code && unreachable.has(code))
    throw new ConfigError(
      `The database of DATABASE_URL cannot be reached (${code}); check the address, and that the server runs.`,
    );
  throw error;
};

const serveApi = async (app: App, running: Running): Promise<void> => {
  const metrics = createMetrics(app);
  const http = await createApi(app, { registry: metrics.registry });
  await listenTo(http, app.config);
  running.add(() => http.close());
  if (app.config.metricsPort > 0) running.add(await serveMetrics(metrics, app.config.metricsPort));
};

const serveMetrics = async (
  { registry, refresh }: ReturnType<typeof createMetrics>,
  port: number,
): Promise<() => Promise<void>> => {
  const server: Server = createServer((request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end();
    const written = refresh().then(() => registry.metrics());
    written.then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(port, '127.0.0.1', resolve),
  );
  return () => new Promise((resolve) => server.close(() => resolve()));
};

const work = async (app: App, running: Running): Promise<void> => {
  const { concurrency, deadAfterMs } = app.config.worker;
  const worker = await startWorker({
    app,
    db: app.db,
    listenDb: app.listenDb,
    tasks,
    byClock: true,
    abandoned: alertAbandoned,
    recovered: closeAbandoned,
    concurrency,
    deadAfterMs,
    log: app.log,
  });
  running.add(() => worker.stop());
  const webhooks = startWebhooks(app);
  running.add(() => webhooks.stop());
  await proveSoon(app.db, app.clock.now());
};

/**
 * Fills the demo and reports when it can be used. Then it continues until the demo has caught up
 * with the simulator.
 */
const fill = async (app: App): Promise<void> => {
  if ((await demoState(app)) === 'none') await fillDemo(app, step);
  process.send?.({ usable: true });
  await catchUpDemo(app);
};

/**
 * Fills the demo in a separate process, whose memory is released when it ends. Resolves to true
 * when the demo can be used, and to false if that is not possible.
 */
const fillApart = (running: Running, log: Log): Promise<boolean> => {
  const child = fork(import.meta.filename, ['fill'], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  let stopped = false;
  running.add(async () => {
    stopped = true;
    child.kill('SIGTERM');
  });
  return new Promise((resolve) => {
    // The process could not be started, because memory is short. If the demo is already in use, the
    // next start of the server continues to fill it.
    child.once('error', (error) => {
      log.error({ err: error }, 'the process that fills the demo could not be started');
      resolve(false);
    });
    child.on('message', (message: { usable?: true }) =>
      message.usable ? resolve(true) : void process.send?.(message),
    );
    child.once('exit', (code) => {
      resolve(code === 0);
      if (code !== 0 && !stopped)
        log.error({ code }, 'filling the demo ended early; the next start goes on with it');
    });
  });
};

/** Returns the function for the command `prove` with these arguments. */
const proveCommand = (
  words: string[],
): ((app: App, connections: Connections) => Promise<CommandResult>) => {
  const [word, file, ...more] = words;
  if (words.length === 0 || (word === '--full' && file === undefined))
    return (app) => proveBooks(app, word === '--full', (line) => console.log(line));
  if (word === '--against' && file !== undefined && more.length === 0)
    return (app) => proveAgainst(app, resolve(file));
  if (word === '--head' && file !== undefined)
    return (app) => proveHead(app, [file, ...more].join(' '));
  if (word === '--resume-all' && file !== undefined)
    return (_app, connections) => resumeAllCommand(connections, [file, ...more].join(' '));
  if (word === '--accept-gap' && file === undefined) {
    return async (app) => {
      const { ask, end } = terminal();
      return acceptGapCommand(app, ask).finally(end);
    };
  }
  throw new ConfigError(
    'Usage: prove, prove --full, prove --against FILE, prove --head DIGITS, prove --accept-gap or prove --resume-all REASON',
  );
};

const commands = [
  'start',
  'api',
  'worker',
  'migrate',
  'admin',
  'prove',
  'backup',
  'restore',
  'doctor',
  'rehearse',
  'rotate-key',
  'demo',
  // Only the command `start` runs the command `fill`.
  'fill',
];

/** Runs a command of docs/operating.md. `start` runs everything in one process. */
const run = async (
  words: string[],
  config: Config,
  log: Log,
  running: Running,
): Promise<string | CommandResult | undefined> => {
  const [command = 'start', ...rest] = words;
  if (!commands.includes(command))
    throw new ConfigError(
      `"${command}" is no command; there are start, api, worker, migrate, admin, prove, backup, restore, doctor, rehearse, rotate-key and demo.`,
    );
  const admin = adminCommand(rest[0]);
  if (command === 'admin' && !admin)
    throw new ConfigError(
      'Usage: admin create [username], admin password <username> or admin disable <username>',
    );
  const proving = command === 'prove' ? proveCommand(rest) : null;
  const { target, verify, base, at, rehearse, remove } = archiveWords(command, rest);
  const file = command === 'rehearse' && rest.length > 0 ? target : null;
  const onEnd = (stop: () => Promise<void>): void => running.add(stop);
  const print = (line: string): void => console.log(line);
  if (file !== null) return rehearseCommand({ config, connections: null, log, onEnd, print }, file);
  // Restores to a time, into a data directory that has no database yet.
  if (at !== null) return restoreAtCommand({ config, log, onEnd, print }, target, at);
  // This command may run while the product runs, because it does not use the product's database.
  if (rehearse) return rehearseRestoreCommand({ config, log, onEnd, print });
  if (remove) return removeArchiveCommand(config, target);
  if (command === 'demo') requireDemo(config);
  const connections = await connect(command, config, log, running);
  if (command === 'rehearse')
    return rehearseCommand({ config, connections, log, onEnd, print }, null);
  // These commands run before the migrations: a backup is made before an upgrade, and a restore
  // needs an empty database.
  if (base) return baseCopyCommand({ config, connections, log });
  if (command === 'backup')
    return backupCommand({ config, connections, log, onEnd }, target, verify);
  if (command === 'doctor') {
    const app = createApp(config, connections.app, log);
    running.add(() => app.close());
    return doctorCommand(app, connections);
  }
  if (command === 'restore') return restoreCommand({ config, connections, log }, target, verify);
  // The command `fill` is started by a process that has just migrated the database.
  if (command !== 'fill')
    await waiting(command, config, log, () =>
      bringUpToDate(
        connections,
        { ...config, demo: config.demo && ['start', 'demo'].includes(command) },
        log,
      ),
    ).catch(explainUnreachable);
  if (command === 'migrate') return 'The database is up to date.';
  if (command === 'rotate-key') return rotateKeyCommand({ config, connections });
  if (serving.has(command)) running.add(await startTracing(config.traces, version));
  const app = createApp(config, connections.app, log);
  running.add(() => app.close());
  await waiting(command, config, log, () => assertAppRole(app.db));
  await waiting(command, config, log, () =>
    assertSecretKey(app.db, config.secretKey, app.clock.now()),
  );
  if (command === 'admin') return admin!(app, rest[1]);
  if (proving) return proving(app, connections);
  if (command === 'demo') return demoCommand(app, print);
  if (command === 'fill') return fill(app).then(() => 'The demo is filled.');
  const demo = command === 'start' && config.demo ? await demoState(app) : 'filled';
  if (demo === 'none' && !(await fillApart(running, log)))
    throw new ConfigError(
      'The demo could not be filled; the error is above. The next start fills it from the beginning.',
    );
  if (command !== 'worker') await serveApi(app, running);
  if (command !== 'api') await work(app, running);
  // The previous start was stopped before the demo had caught up. No user waits for the rest, so it
  // runs in the background.
  if (demo === 'catching_up') void fillApart(running, log);
  return undefined;
};

/**
 * Returns the exit code after a signal. It is 0 only for a command that serves until it gets a
 * signal.
 */
const codeOf = (signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP'): number =>
  serving.has(process.argv[2] ?? 'start') ? 0 : 128 + constants.signals[signal];

const main = async (): Promise<void> => {
  const running = new Running();
  let ending = false;
  const end = async (code: number): Promise<void> => {
    if (ending) return;
    ending = true;
    // Ends the process even if a part does not stop. Nothing is lost: finished work is in the
    // database, and unfinished work is rolled back.
    setTimeout(() => process.exit(code), 25_000).unref();
    await running.stop();
    process.exit(code);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => void end(codeOf(signal)));
  try {
    const config = readConfig();
    // These commands may write a backup or a report to standard output, so their log goes to
    // standard error.
    const log = createLog(
      config.logLevel,
      ['backup', 'doctor', 'rehearse'].includes(process.argv[2] ?? '') ? process.stderr : undefined,
    );
    const result = await run(process.argv.slice(2), config, log, running);
    if (result === undefined) return;
    if (typeof result !== 'string' && result.to === 'stderr') console.error(result.text);
    else console.log(typeof result === 'string' ? result : result.text);
    await end(typeof result === 'string' ? 0 : result.code);
  } catch (error) {
    if (ending) return;
    const sentence =
      error instanceof ConfigError ||
      error instanceof EmbeddedError ||
      error instanceof MigrationError;
    console.error(sentence ? error.message : errorText(error));
    await end(sentence ? explained : 1);
  }
};

await main();
