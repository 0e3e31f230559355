// Loaded into each process that start.mjs starts (node --import): when start.mjs is gone,
// killed even, the process ends itself as if it had been asked to, so that nothing is left
// behind that would hold a port or a data directory.
import { isMainThread } from 'node:worker_threads';

const timeoutMs = 40_000;

if (isMainThread && process.channel) {
  process.once('disconnect', () => {
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), timeoutMs).unref();
  });
  // Listening alone must not keep a process from its natural end.
  process.channel.unref();
}
