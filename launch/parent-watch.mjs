// Loaded into each process that start.mjs starts (node --import). When start.mjs has ended, even if
// it was killed, the process ends as after a signal. Nothing is then left running that would use a
// port or a data directory.
import { isMainThread } from 'node:worker_threads';

const timeoutMs = 40_000;

if (isMainThread && process.channel) {
  process.once('disconnect', () => {
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), timeoutMs).unref();
  });
  // Listening to the channel must not keep the process from ending normally.
  process.channel.unref();
}
