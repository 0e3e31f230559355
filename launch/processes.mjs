import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';

/**
 * The exit code of a process that has explained in one sentence why it cannot run. It is not
 * started again, since that would not help.
 */
export const explained = 78;

const delays = [500, 1_000, 2_000, 5_000, 10_000, 15_000];
/**
 * Milliseconds after which a running program counts as stable. The number of its consecutive ends
 * is then set back to zero.
 */
const steadyMs = 30_000;
/**
 * The program is given up after it ended this many times in a row without being ready. The cause is
 * then not temporary.
 */
const triesAtStart = 3;

/**
 * Sends a signal to a process group, or to the process if it has no group. Returns false if the
 * process has ended.
 */
const signalGroup = (pid, signal) => {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
};

/**
 * Starts a program and keeps it running. If it ends by itself, it is started again after a growing
 * pause, and `tell` is called with a line about the restart. The program has its own process group,
 * so that Ctrl-C in a terminal reaches only this process. It watches its parent
 * (`launch/parent-watch.mjs`) and ends when this process ends. `output` is a file for the program's
 * standard output, which otherwise goes to this process's output. `began()` is called at each
 * start. `gaveUp(code, how)` is called instead of a further start if the program explained its end
 * (exit code 78) or never became ready.
 */
export const keepRunning = ({
  name,
  node,
  root,
  words,
  env,
  output,
  tell,
  began = () => {},
  message = () => {},
  gaveUp,
}) => {
  const parentWatch = `--import=${pathToFileURL(join(root, 'launch', 'parent-watch.mjs')).href}`;
  let child;
  let gone;
  let stopping = false;
  let wasReady = false;
  let inRow = 0;
  let pause;
  const pids = [];

  const begin = () => {
    const since = performance.now();
    const log = output ? openSync(output, 'w') : 'inherit';
    child = spawn(node, [parentWatch, ...words], {
      cwd: root,
      env,
      detached: true,
      stdio: ['ignore', log, 'inherit', 'ipc'],
    });
    if (output) closeSync(log);
    if (child.pid) pids.push(child.pid);
    child.on('message', message);
    began();
    const ended = ([code, how]) => {
      child = undefined;
      if (stopping) return;
      if (performance.now() - since > steadyMs) inRow = 0;
      inRow += 1;
      if (code === explained || (!wasReady && inRow >= triesAtStart)) return gaveUp(code, how);
      const delay = delays[Math.min(inRow, delays.length) - 1];
      tell(`The ${name} ended by itself (${how}) and is started again in ${delay / 1000} s.`);
      pause = setTimeout(begin, delay);
    };
    gone = new Promise((resolve) => {
      child.on('exit', (code, signal) => resolve([code, signal ?? `exit code ${code}`]));
      child.on('error', (error) => resolve([null, error.message]));
    });
    void gone.then(ended);
  };
  const kept = {
    /**
     * Marks the program as ready. From then on the program is started again after each end, for as
     * long as this supervisor runs.
     */
    ready: () => (wasReady = true),
    /** The ids of all processes that have run the program so far, the present one last. */
    pids: () => pids,
    /**
     * Asks the program to end and waits for it; after `graceMs` it is killed. Resolves with true if
     * it ended without being killed.
     */
    stop: async (graceMs, urgent) => {
      stopping = true;
      clearTimeout(pause);
      if (!child) return true;
      const { pid } = child;
      signalGroup(pid, 'SIGTERM');
      const timeout = sleep(graceMs, 'over', { signal: urgent, ref: false }).catch(() => 'over');
      if ((await Promise.race([gone, timeout])) !== 'over') return true;
      signalGroup(pid, 'SIGKILL');
      await gone;
      return false;
    },
  };
  // Delayed until after the return, so that the caller has the returned object before a callback is
  // called.
  setImmediate(() => stopping || begin());
  return kept;
};
