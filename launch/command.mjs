import { spawn } from 'node:child_process';
import { join } from 'node:path';

/**
 * Runs one command of the server (`npm start -- admin create`) in the foreground and returns its
 * exit code.
 */
export const runCommand = (root, node, words, env) =>
  new Promise((resolve, reject) => {
    const child = spawn(node, [join(root, 'server', 'src', 'main.ts'), ...words], {
      cwd: root,
      env,
      stdio: 'inherit',
    });
    // Ctrl-C in a terminal reaches the command directly; a signal sent only to this process is
    // passed on.
    process.on('SIGINT', () => {});
    for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
