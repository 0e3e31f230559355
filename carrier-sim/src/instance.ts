import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The process that uses a data directory: the URL of its API, and the name that this API returns.
 */
export type Instance = { url: string; instance: string };

const readInstance = (file: string): Instance | null => {
  try {
    const found = JSON.parse(readFileSync(file, 'utf8')) as Partial<Instance>;
    return typeof found.url === 'string' && typeof found.instance === 'string'
      ? { url: found.url, instance: found.instance }
      : null;
  } catch {
    return null;
  }
};

const isAlive = async ({ url, instance }: Instance): Promise<boolean> => {
  try {
    const response = await fetch(`${url}/_sim/alive`, { signal: AbortSignal.timeout(1000) });
    return ((await response.json()) as Partial<Instance>).instance === instance;
  } catch {
    return false;
  }
};

/**
 * Records the process that uses a directory. Throws an error if another running simulator uses it.
 * To find this out, it calls the other simulator's URL, because a process number cannot be trusted.
 * A killed simulator does not answer, so its directory is free immediately.
 */
export const claimDirectory = async (directory: string, self: Instance): Promise<void> => {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'instance.json');
  const other = readInstance(file);
  if (other !== null && other.url !== self.url && (await isAlive(other))) {
    throw new Error(
      `the carrier's data in ${directory} is in use by the simulator at ${other.url}; stop that one or choose another SIM_DATA`,
    );
  }
  writeFileSync(file, `${JSON.stringify(self)}\n`);
};
