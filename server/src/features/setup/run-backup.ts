import { spawn } from 'node:child_process';
import { join } from 'node:path';

const main = join(import.meta.dirname, '..', '..', 'main.ts');

/** Runs a command in a process of its own; resolves with the reason where it failed. */
const runsCommand =
  (command: 'backup' | 'restore') =>
  (words: string[]): Promise<string | null> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [main, command, ...words], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let said = '';
      child.stderr.on('data', (text: Buffer) => (said = (said + text.toString()).slice(-500)));
      child.on('error', (error) => resolve(error.message));
      child.on('exit', (code) =>
        resolve(code === 0 ? null : said.trim().split('\n').at(-1) || `exit code ${code}`),
      );
    });

export const runBackup = runsCommand('backup');
export const runRestore = runsCommand('restore');
