import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identityOf, isAlive } from './process-identity.mjs';
import { progress, UserError } from './say.mjs';

/**
 * Explains a missing write permission. Installing and building change the repository itself, so
 * only its owner can run them. Any other error is thrown again.
 */
export const needsOwner = (root, error) => {
  if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error;
  throw new UserError(
    `There is no write permission for ${root}, where Waystation installs and builds itself: run "npm start" once as the owner of that folder, or use a copy of your own.`,
  );
};

const read = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
};

/**
 * Takes the lock. It is written under a temporary name and then linked, so that no other process
 * sees an incomplete lock.
 */
const take = (file, holders) => {
  const own = `${file}.${process.pid}`;
  writeFileSync(own, JSON.stringify(holders));
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
};

/**
 * Moves a stale lock away. If two starts find the lock stale, the slower start may by mistake move
 * the new lock of the faster start. It then moves the new lock back.
 */
const setAside = (file) => {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
    if (read(aside)?.some(isAlive)) linkSync(aside, file);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
};

/**
 * Runs `work` while no other start installs or builds in this repository. The lock lists processes:
 * this one, and a program that `work` reports with `also(pid)`, which may run longer than a killed
 * start. The lock is free when all of them have ended.
 */
export const whilePreparing = async (root, work) => {
  const folder = join(root, '.build');
  const file = join(folder, 'prepare.lock');
  const mine = [identityOf(process.pid)];
  try {
    mkdirSync(folder, { recursive: true });
    let waiting;
    while (!take(file, mine)) {
      const holders = read(file);
      if (holders?.some(isAlive)) {
        waiting ??= progress(
          `Another start of this folder (process ${holders[0].pid}) is installing or building; waiting for it`,
        );
        await sleep(500);
      } else setAside(file);
    }
    waiting?.done('Waited for the other start');
  } catch (error) {
    needsOwner(root, error);
  }
  try {
    return await work((pid) => {
      writeFileSync(`${file}.new`, JSON.stringify([...mine, identityOf(pid)]));
      renameSync(`${file}.new`, file);
    });
  } finally {
    rmSync(file, { force: true });
  }
};
