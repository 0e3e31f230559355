import { accessSync, chmodSync, constants, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { UserError } from './say.mjs';

/**
 * Creates the data directory if it is missing. Throws a UserError if it cannot be created or
 * written to.
 */
export const makeDataDir = (dataDir) => {
  try {
    const first = mkdirSync(dataDir, { recursive: true });
    // Without this, a folder that root creates under a strict umask could not be read by the
    // account that PostgreSQL runs as.
    if (first && process.getuid() === 0)
      for (let made = dataDir; made.length >= first.length; made = dirname(made))
        chmodSync(made, 0o755);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(error.code))
      throw new UserError(
        `There is no write permission for ${dataDir}: start as the user it belongs to, or set WAYSTATION_DATA to a folder you may write to.`,
      );
    if (['EEXIST', 'ENOTDIR'].includes(error.code))
      throw new UserError(`${dataDir} is not a folder: set WAYSTATION_DATA to a folder.`);
    if (error.code === 'ENOSPC')
      throw new UserError(
        `The disk that holds ${dataDir} is full: free some space and start again.`,
      );
    throw error;
  }
};
