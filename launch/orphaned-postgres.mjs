import { lstatSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTimeOf } from './process-identity.mjs';

/** The process of the embedded PostgreSQL of a data directory, if it is running. */
const postgresOf = (dataDir) => {
  const place = join(realpathSync(dataDir), 'postgres');
  const cluster = lstatSync(place).isSymbolicLink() ? readlinkSync(place) : place;
  const pid = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const words =
    process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      : ['-D', cluster];
  return pid > 1 && words[words.indexOf('-D') + 1] === cluster ? pid : null;
};

/**
 * Stops the PostgreSQL that a killed server of this product has left running. `servers` are the ids
 * of all processes that have run the server. If another instance used the data directory last,
 * nothing is stopped.
 */
export const stopOrphanedPostgres = async (dataDir, servers) => {
  try {
    const holder = Number(readFileSync(join(dataDir, 'waystation.pid'), 'utf8'));
    const pid = servers.includes(holder) ? postgresOf(dataDir) : null;
    if (!pid) return;
    process.kill(pid, 'SIGINT');
    for (let waited = 0; waited < 20_000 && startTimeOf(pid) !== null; waited += 50)
      await sleep(50);
  } catch {
    // The process does not exist, or belongs to another user, and cannot be signalled.
  }
};
