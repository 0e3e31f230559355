import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';

/**
 * Returns the environment variables of a worker thread. They contain no secret of the process, only
 * the folder of compiled code if one is set.
 */
export const threadEnv = (): Record<string, string> => {
  // Node returns the subfolder for its version, which is inside the configured folder.
  const own = getCompileCacheDir();
  return own === undefined ? {} : { NODE_COMPILE_CACHE: dirname(own) };
};
