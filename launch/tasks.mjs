import { spawn } from 'node:child_process';

const running = new Set();

/**
 * Kills the programs that `runTask` has started. Called when this process is asked to end. The next
 * run notices unfinished work and repeats it.
 */
export const endTasks = () => {
  for (const child of running) {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The process has ended already.
    }
  }
};

/**
 * Runs a program until it ends, in a separate process group. Returns its exit code (1 after a
 * signal) and the end of its output.
 */
export const runTask = (command, words, { cwd, env, started = () => {} }) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, words, {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output = (output + text).slice(-20_000)));
    child.on('spawn', () => {
      running.add(child);
      started(child.pid);
    });
    child.on('error', reject);
    child.on('close', (code) => {
      running.delete(child);
      resolve({ code: code ?? 1, output });
    });
  });

/**
 * The variables of the npm that started this process, if they would change what npm does when this
 * process runs it. All other settings (registry, proxy, cache) are the user's.
 */
const outer =
  /^npm_(lifecycle|package|command|execpath|node_execpath|config_(workspaces?|include_workspace_root|dry_run|global|omit|include|only|production|package_lock|local_prefix))/i;

/**
 * The environment without the variables that npm and its scripts add and without NODE_ENV. PATH
 * does not contain the project's programs.
 */
export const plainEnv = (root, env = process.env) => {
  const plain = Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => !outer.test(name) && name !== 'NODE_ENV' && name !== 'INIT_CWD',
    ),
  );
  plain.PATH = (env.PATH ?? '')
    .split(':')
    .filter(
      (folder) =>
        folder !== root &&
        !folder.startsWith(`${root}/`) &&
        !folder.endsWith('/node_modules/.bin') &&
        !folder.endsWith('/node-gyp-bin'),
    )
    .join(':');
  return plain;
};
