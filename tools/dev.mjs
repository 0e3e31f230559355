// npm run dev: starts the product for developers (CONTRIBUTING.md). It runs Vite with hot reload, a
// server that restarts at each change, the simulator, and an embedded database with a small example
// network. All of it runs in one terminal and has one URL.
import { spawn } from 'node:child_process';
import { rmSync, watch } from 'node:fs';
import { get } from 'node:http';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { makeDataDir } from '#launch/data-dir.mjs';
import { stopOrphanedPostgres } from '#launch/orphaned-postgres.mjs';
import { mustBeFree } from '#launch/ports.mjs';
import { makeReady } from '#launch/ready.mjs';
import { complain, say, UserError } from '#launch/say.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { env } = process;
const port = Number(env.PORT || 8080);
const apiPort = port + 1;
const simulatorPort = Number(env.WAYSTATION_SIM_PORT || 8090);
const mailPort = Number(env.WAYSTATION_SIM_MAIL_PORT || simulatorPort + 5);
const dataDir = resolve(env.WAYSTATION_DATA || join(root, '.build', 'dev'));
/** The folders in which a change restarts the server. */
const watched = ['server/src', 'server/migrations', 'server/sql', 'contract/src'];
const settleMs = 60;

const programEnv = {
  ...env,
  PORT: String(apiPort),
  WAYSTATION_DEV_PORT: String(port),
  WAYSTATION_PUBLIC_URL: env.WAYSTATION_PUBLIC_URL || `http://localhost:${port}`,
  WAYSTATION_DATA: dataDir,
  WAYSTATION_SIM_PORT: String(simulatorPort),
  SIM_PORT: String(simulatorPort),
  WAYSTATION_SIM_MAIL_PORT: String(mailPort),
  SIM_MAIL_PORT: String(mailPort),
  SIM_DATA: join(dataDir, 'simulator'),
  WAYSTATION_LOG: env.WAYSTATION_LOG || 'warn',
  // Each response is compared with the contract.
  WAYSTATION_CHECK_ANSWERS: env.WAYSTATION_CHECK_ANSWERS || '1',
  WAYSTATION_DEMO_PARCELS: env.WAYSTATION_DEMO_PARCELS || '300',
  // The server is killed at each change. Because of the short limit, its interrupted jobs continue
  // soon afterwards.
  WAYSTATION_WORKER_DEAD_AFTER_MS: env.WAYSTATION_WORKER_DEAD_AFTER_MS || '2000',
};

let ending = false;
const children = new Set();

const begin = (node, words, cwd) => {
  const parentWatch = `--import=${pathToFileURL(join(root, 'launch', 'parent-watch.mjs')).href}`;
  const child = spawn(node, [parentWatch, ...words], {
    cwd: join(root, cwd),
    env: programEnv,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  children.add(child);
  child.gone = new Promise((done) => {
    child.on('exit', (code, signal) => {
      children.delete(child);
      done(signal ?? code);
    });
    child.on('error', done);
  });
  return child;
};

const signal = (child, name) => {
  try {
    process.kill(-child.pid, name);
  } catch {
    // The process has already ended.
  }
};

const isReady = () =>
  new Promise((done) => {
    const request = get(
      `http://127.0.0.1:${apiPort}/readyz`,
      { timeout: 2_000, agent: false },
      (answer) => {
        answer.resume();
        answer.on('close', () => done(answer.statusCode === 200));
      },
    );
    request.on('error', () => done(false));
    request.on('timeout', () => request.destroy());
  });

/**
 * Keeps one server running. At a change of the code the server is killed; its PostgreSQL keeps
 * running, and the next server takes it over. After a crash the server starts again at the next
 * change of the code.
 */
const serverOf = (node) => {
  let server;
  let starts = 0;
  const start = async () => {
    const since = performance.now();
    const nth = (starts += 1);
    server = begin(node, ['server/src/main.ts', 'start'], '.');
    void server.gone.then(
      (how) =>
        nth === starts &&
        !ending &&
        complain(`The server ended (${how}); it starts again at the next change.`),
    );
    while (!(await isReady())) {
      await new Promise((later) => setTimeout(later, 25));
      if (ending || nth !== starts) return;
    }
    if (nth === 1)
      say(
        `\nOpen http://localhost:${port}\n  super, admin, partner, station or clerk; the password is ${env.WAYSTATION_DEMO_PASSWORD || 'waystation-demo'}\n`,
      );
    else say(`The server is ready again (${Math.round(performance.now() - since)} ms).`);
  };
  const again = async () => {
    const old = server;
    starts += 1;
    signal(old, 'SIGKILL');
    await old.gone;
    if (!ending) await start();
  };
  return { start, again };
};

const watchSources = (changed) => {
  let timer;
  for (const folder of watched)
    watch(join(root, folder), { recursive: true }, (_, name) => {
      if (!name || /\.test\.ts$|~$|\.sw[a-p]$/.test(name)) return;
      clearTimeout(timer);
      timer = setTimeout(changed, settleMs);
    });
};

const end = async (code) => {
  if (ending) return;
  ending = true;
  const left = [...children];
  for (const child of left) signal(child, 'SIGTERM');
  await Promise.race([
    Promise.all(left.map(({ gone }) => gone)),
    new Promise((late) => setTimeout(late, 15_000)),
  ]);
  for (const child of children) signal(child, 'SIGKILL');
  await stopOrphanedPostgres(
    dataDir,
    left.map(({ pid }) => pid),
  );
  process.exit(code);
};
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => void end(0));

try {
  if (process.argv.includes('--fresh')) rmSync(dataDir, { recursive: true, force: true });
  makeDataDir(dataDir);
  const example = `PORT=${port + 10} WAYSTATION_SIM_PORT=${simulatorPort + 10} WAYSTATION_DATA=./.build/dev-2`;
  for (const [number, variable, what] of [
    [port, 'PORT', 'the web'],
    [apiPort, 'PORT', 'the API, one above the web'],
    [simulatorPort, 'WAYSTATION_SIM_PORT', 'the carrier simulator'],
  ])
    await mustBeFree({ port: number, host: '127.0.0.1', variable, what, example });
  const node = await makeReady(root, { web: false });
  begin(node, ['carrier-sim/src/main.ts'], '.');
  begin(
    node,
    [
      join(root, 'node_modules', 'vite', 'bin', 'vite.js'),
      '--host',
      '127.0.0.1',
      '--logLevel',
      'warn',
    ],
    'web',
  );
  const server = serverOf(node);
  watchSources(() => void server.again());
  await server.start();
} catch (error) {
  complain(error instanceof UserError ? error.message : error.stack);
  await end(1);
}
