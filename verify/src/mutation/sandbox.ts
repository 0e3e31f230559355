import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');

/** A copy of the server in which one file can be changed. Nothing outside the copy is changed. */
export interface Sandbox {
  server: string;
  write(file: string, text: string): void;
  /** Runs the tests. Returns false if a test failed or the tests exceeded the time limit. */
  passes(tests: readonly string[], limitMs: number): Promise<boolean>;
  remove(): void;
}

export const openSandbox = (number: number): Sandbox => {
  const folder = join(root, '.build', `mutation-${process.pid}-${number}`);
  const server = join(folder, 'server');
  mkdirSync(folder, { recursive: true });
  for (const part of ['server', 'docs', 'tsconfig.base.json'])
    cpSync(join(root, part), join(folder, part), {
      recursive: true,
      filter: (path) => !path.includes('node_modules'),
    });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const passes = (tests: readonly string[], limitMs: number): Promise<boolean> =>
    new Promise((resolve) => {
      const words = [
        join(root, 'node_modules', 'vitest', 'vitest.mjs'),
        'run',
        '--bail=1',
        '--retry=0',
        '--no-color',
        '--reporter=dot',
        '--maxWorkers=1',
        ...tests,
      ];
      const child = spawn(process.execPath, words, {
        cwd: server,
        stdio: 'ignore',
        detached: true,
      });
      const limit = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), limitMs);
      child.on('exit', (code) => {
        clearTimeout(limit);
        resolve(code === 0);
      });
    });
  return {
    server,
    passes,
    write: (file, text) => writeFileSync(join(server, file), text),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};
