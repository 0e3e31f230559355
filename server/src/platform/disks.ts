import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '#config.ts';

export interface Disk {
  place: string;
  /** Bytes that the process may still write, and bytes in all. */
  free: number;
  total: number;
}

type Places = Pick<Config, 'backupDir' | 'databaseUrl' | 'dataDir' | 'headsFile'>;

/** The disks of this machine that the product writes to, by the folder that it writes. */
export const readDisks = async (config: Places): Promise<Disk[]> => {
  const places = [
    ...(config.databaseUrl === null ? [config.dataDir] : []),
    ...(config.headsFile === null ? [] : [dirname(config.headsFile)]),
    ...(config.backupDir === null ? [] : [config.backupDir]),
  ].filter((place) => existsSync(place));
  return Promise.all(
    [...new Set(places)].map(async (place) => {
      const { bavail, blocks, bsize } = await statfs(place);
      return { place, free: bavail * bsize, total: blocks * bsize };
    }),
  );
};

/** Less than 2 GB, or than a tenth. */
export const isDiskFull = ({ free, total }: Disk): boolean => free < 2e9 || free / total < 0.1;
