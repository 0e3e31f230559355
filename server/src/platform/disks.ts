import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '#config.ts';

export interface Disk {
  place: string;
  /**
   * `free`: the bytes that the process may still write. `total`: all bytes of the disk. Null if the
   * disk does not respond.
   */
  free: number | null;
  total: number | null;
}

type Places = Pick<Config, 'backupDir' | 'databaseUrl' | 'dataDir' | 'headsFile' | 'walDir'>;

/** The milliseconds after which a disk that has not responded counts as unavailable. */
const withinMs = 1_500;

/**
 * The measurements that are still running. Each one blocks a thread, so each folder has at most one
 * at a time.
 */
const measuring = new Map<string, Promise<Disk>>();

/** The results that belong to folders that do not exist. */
const isMissing = new WeakSet<Disk>();

const measure = (place: string): Promise<Disk> => {
  const known = measuring.get(place);
  if (known) return known;
  const started = statfs(place)
    .then(({ bavail, blocks, bsize }) => ({ place, free: bavail * bsize, total: blocks * bsize }))
    .catch((error: NodeJS.ErrnoException) => {
      const disk = { place, free: null, total: null };
      if (error.code === 'ENOENT') isMissing.add(disk);
      return disk;
    })
    .finally(() => measuring.delete(place));
  measuring.set(place, started);
  return started;
};

const measured = (place: string): Promise<Disk> => {
  const away = new Promise<Disk>((resolve) =>
    setTimeout(() => resolve({ place, free: null, total: null }), withinMs).unref(),
  );
  return Promise.race([measure(place), away]);
};

/**
 * Reads the disks of this machine that contain the product's folders. Only the embedded database
 * creates the data directory, so it may be missing.
 */
export const readDisks = async (config: Places): Promise<Disk[]> => {
  const data = config.databaseUrl === null ? await measured(config.dataDir) : null;
  const others = [
    ...(config.headsFile === null ? [] : [dirname(config.headsFile)]),
    ...(config.backupDir === null ? [] : [config.backupDir]),
    ...(config.walDir === null ? [] : [config.walDir]),
  ].filter((place) => place !== data?.place);
  const rest = await Promise.all([...new Set(others)].map(measured));
  return [...(data === null || isMissing.has(data) ? [] : [data]), ...rest];
};

/** True if a disk is nearly full: less than 2 GB, or less than a tenth, is free. */
export const isDiskFull = ({ free, total }: Disk): boolean =>
  free !== null && total !== null && (free < 2e9 || free / total < 0.1);
