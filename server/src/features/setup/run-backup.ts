import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';

/**
 * The number of hours after which a command is ended, so that a hanging archive does not occupy its
 * job.
 */
const mostHours = 13;
/** The priorities of processes. A test restore has the lowest, so that no user waits for it. */
const { PRIORITY_NORMAL: normal, PRIORITY_LOW: lowest } = constants.priority;

const main = join(import.meta.dirname, '..', '..', 'main.ts');

/**
 * Runs a command as a separate process with the given priority. Resolves with the reason if it
 * failed, else with null.
 */
const runsCommand =
  (command: 'backup' | 'restore', priority: number) =>
  (words: string[]): Promise<string | null> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [main, command, ...words], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      if (child.pid !== undefined) setPriority(child.pid, priority);
      const late = setTimeout(() => {
        child.kill('SIGKILL');
        resolve(`The command was ended after ${mostHours} hours.`);
      }, mostHours * 3_600_000).unref();
      let said = '';
      child.stderr.on('data', (text: Buffer) => (said = (said + text.toString()).slice(-4_000)));
      child.on('error', (error) => resolve(error.message));
      child.on('exit', (code) => {
        clearTimeout(late);
        const reason = said.trim().split('\n').at(-1)?.slice(0, 500);
        resolve(code === 0 ? null : reason || `exit code ${code}`);
      });
    });

export const runBackup = runsCommand('backup', normal);
export const runRestore = runsCommand('restore', lowest);
