import { constants } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { RunAs } from './run-as.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/**
 * Writes a file into a folder of PostgreSQL's account. That account may have put a link there, so
 * the old name is removed and must then be free. The new file is given to the account through its
 * handle and not by its name.
 */
export const writeForAccount = async (
  file: string,
  content: string | Buffer,
  owner: RunAs | null,
  isFlushed = false,
): Promise<void> => {
  await rm(file, { force: true });
  const handle = await open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    await handle.writeFile(content);
    if (owner) await handle.chown(owner.uid, owner.gid);
    if (isFlushed) await handle.sync();
  } finally {
    await handle.close();
  }
};

/**
 * Opens a file of PostgreSQL's account to read it. Throws if the file is a link or is not a regular
 * file.
 */
export const openOfAccount = async (file: string): Promise<FileHandle> => {
  // Without O_NONBLOCK, opening a named pipe would wait until another program writes to it.
  const handle = await open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new Error(`${file} is no regular file`);
};

/** Reads a file that `openOfAccount` opens. Also throws if the file is longer than `mostBytes`. */
export const readOfAccount = async (file: string, mostBytes: number): Promise<Buffer> => {
  const handle = await openOfAccount(file);
  try {
    const { size } = await handle.stat();
    if (size > mostBytes) throw new Error(`${file} has more than ${mostBytes} bytes`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
};
