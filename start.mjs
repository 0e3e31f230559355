#!/usr/bin/env node
// npm start: installs everything that is missing, then runs the product until it is stopped
// (docs/operating.md). This file is plain JavaScript without dependencies, because it runs before
// anything is installed, on any Node that the machine has.
import { get } from 'node:http';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
const { env } = process;
const words = process.argv.slice(2);
const command = words[0] === 'start' ? words.slice(1) : words;

const leave = (sentence) => {
  console.error(sentence);
  process.exit(1);
};
if (Number(process.versions.node.split('.')[0]) < 20)
  leave(
    `Waystation needs Node 20 or newer to start, and this is ${process.versions.node}: install a newer one from https://nodejs.org.`,
  );
if (process.platform === 'win32')
  leave('Waystation runs on Linux and macOS: on Windows, start it inside WSL 2.');

const { say, complain, progress, seconds, UserError } = await import('./launch/say.mjs');
const { compileCache } = await import('./launch/compile-cache.mjs');
const { makeDataDir } = await import('./launch/data-dir.mjs');
const { makeReady } = await import('./launch/ready.mjs');
const { checkPostgres, checkSystem } = await import('./launch/node.mjs');
const { mustBeFree } = await import('./launch/ports.mjs');
const { keepRunning, explained } = await import('./launch/processes.mjs');
const { stopOrphanedPostgres } = await import('./launch/orphaned-postgres.mjs');
const { endTasks } = await import('./launch/tasks.mjs');
const { runCommand } = await import('./launch/command.mjs');

const wholeNumber = (text, fallback) => (text && /^\d+$/.test(text) ? Number(text) : fallback);
const embedded = !env.DATABASE_URL;
const demo = embedded
  ? env.NODE_ENV !== 'production' && env.WAYSTATION_DEMO !== '0'
  : env.WAYSTATION_DEMO === '1';
const port = wholeNumber(env.PORT, 8080);
const simulatorPort = wholeNumber(env.WAYSTATION_SIM_PORT, 8090);
const mailPort = wholeNumber(
  env.WAYSTATION_SIM_MAIL_PORT,
  simulatorPort > 65_530 ? simulatorPort - 5 : simulatorPort + 5,
);
const dataDir = resolve(env.WAYSTATION_DATA || join(root, 'data'));
const host = env.WAYSTATION_HOST || (demo ? '127.0.0.1' : '0.0.0.0');
const askAt = `http://${['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${port}`;
const openAt = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host)
  ? `http://localhost:${port}`
  : askAt;
/** In a demo, the user reads the terminal, so requests are not logged there. */
const logLevel = env.WAYSTATION_LOG || (demo ? 'warn' : 'info');
const childEnv = {
  ...env,
  NODE_COMPILE_CACHE: compileCache(root, env),
  WAYSTATION_LOG: logLevel,
  PORT: env.PORT || String(port),
  WAYSTATION_DATA: dataDir,
  WAYSTATION_SIM_PORT: env.WAYSTATION_SIM_PORT || String(simulatorPort),
  WAYSTATION_SIM_MAIL_PORT: env.WAYSTATION_SIM_MAIL_PORT || String(mailPort),
};

const serverGraceMs = 30_000;
const simulatorGraceMs = 5_000;

let server;
let simulator;
let ending;
/** The progress line of the first start; it ends when the start has succeeded or failed. */
let starting;
const calm = () => {
  starting?.end();
  starting = undefined;
};
const urgent = new AbortController();

/**
 * Ends everything once. If a second request to end comes after more than a second, the wait is cut
 * short. A second request within a second is ignored, because npm passes a signal on, so that it
 * arrives twice.
 */
const end = (code, why) => {
  if (ending) {
    if (performance.now() - ending.since > 1_000) urgent.abort();
    return;
  }
  ending = { since: performance.now() };
  calm();
  void (async () => {
    endTasks();
    if (!server) process.exit(code);
    if (why) say(why);
    const clean = [
      await server.stop(serverGraceMs, urgent.signal),
      (await simulator?.stop(simulatorGraceMs, urgent.signal)) ?? true,
    ].every(Boolean);
    if (embedded) await stopOrphanedPostgres(dataDir, server.pids());
    if (!clean)
      complain('Something did not end in time and was killed; nothing that was saved is lost.');
    if (clean && code === 0) say(`Stopped in ${seconds(ending.since)}.`);
    process.exit(clean ? code : 1);
  })();
};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => end(0, 'Stopping …'));
// npm was killed and could not pass its signal on.
if (env.npm_lifecycle_event) {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && end(0, 'npm has gone; stopping …'), 500).unref();
}

/** Uses node:http, because fetch would need more memory than everything else in this process. */
const isReady = () =>
  new Promise((resolve) => {
    const request = get(`${askAt}/readyz`, { timeout: 5_000, agent: false }, (answer) => {
      answer.resume();
      answer.on('close', () => resolve(answer.statusCode === 200));
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });

const welcome = () => {
  const lines = [`Waystation is ready: ${openAt}`];
  if (demo)
    lines.push(
      `  Log in as super, admin, partner, station or clerk; the password is ${env.WAYSTATION_DEMO_PASSWORD || 'waystation-demo'}`,
      `  The carrier is simulated (http://localhost:${simulatorPort}); nothing is really shipped.`,
      ...(env.WAYSTATION_SMTP_HOST
        ? []
        : [`  Mail goes nowhere but to http://localhost:${simulatorPort}/mail.`]),
    );
  else lines.push('  The first account is made with: npm start -- admin create');
  lines.push(`  ${embedded ? `The data are in ${dataDir}. ` : ''}Ctrl-C stops everything.`);
  say(`\n${lines.join('\n')}\n`);
};

let starts = 0;

/** Prints that the server is ready, at the first start and after each restart. */
const watchReady = async () => {
  const start = (starts += 1);
  while (!(await isReady())) {
    await new Promise((later) => setTimeout(later, 100));
    if (ending || start !== starts) return;
  }
  if (ending || start !== starts) return;
  calm();
  if (starts === 1) welcome();
  else say('The server is ready again.');
  server.ready();
  simulator?.ready();
};

const gaveUp = (name) => (code, how) => {
  calm();
  if (code !== explained)
    complain(`The ${name} does not start (${how}); what it said stands above.`);
  end(1);
};

const tell = (line) => {
  calm();
  complain(line);
};

const startSimulator = (node) =>
  keepRunning({
    name: 'carrier simulator',
    node,
    root,
    words: ['carrier-sim/src/main.ts'],
    env: {
      ...childEnv,
      SIM_PORT: String(simulatorPort),
      SIM_MAIL_PORT: String(mailPort),
      SIM_DATA: join(dataDir, 'simulator'),
    },
    output: join(dataDir, 'simulator.log'),
    tell,
    gaveUp: gaveUp('carrier simulator'),
  });

const run = (node) => {
  starting = progress('Starting');
  if (demo) simulator = startSimulator(node);
  server = keepRunning({
    name: 'server',
    node,
    root,
    words: ['server/src/main.ts', 'start'],
    env: childEnv,
    tell,
    began: () => void watchReady(),
    message: (heard) => typeof heard?.step === 'string' && starting?.turnTo(heard.step),
    gaveUp: gaveUp('server'),
  });
};

const main = async () => {
  const example = `PORT=${port < 1024 ? 8080 : port + 1} WAYSTATION_SIM_PORT=${simulatorPort + 1} WAYSTATION_DATA=./data-2`;
  checkSystem({ embedded });
  if (embedded || demo) makeDataDir(dataDir);
  /** When the example network is created, its parcels in transit are passed to the simulator. */
  const fills = demo && command[0] === 'demo';
  if (command.length === 0)
    await mustBeFree({ port, host, variable: 'PORT', what: 'the web', example });
  if (demo && (command.length === 0 || fills))
    await mustBeFree({
      port: simulatorPort,
      host: '127.0.0.1',
      variable: 'WAYSTATION_SIM_PORT',
      what: 'the carrier simulator',
      example,
    });
  const node = await makeReady(root, {
    web: command.length === 0 || ['api', 'migrate'].includes(command[0]),
    tests: false,
  });
  if (embedded) checkPostgres(root);
  if (ending) return;
  if (command.length > 0) {
    if (fills) simulator = startSimulator(node);
    const code = await runCommand(root, node, command, childEnv);
    await simulator?.stop(simulatorGraceMs, urgent.signal);
    process.exit(code);
  }
  run(node);
};

main().catch((error) => {
  // If the user stopped an installation or build with Ctrl-C, its failure is not reported.
  if (ending) return process.exit(0);
  complain(error instanceof UserError ? error.message : error.stack);
  process.exit(1);
});
