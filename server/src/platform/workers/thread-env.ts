import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';

/**
 * The environment of a thread. It has no secret of the process, only its folder of compiled code if
 * there is one.
 */
export const threadEnv = (): Record<string, string> => {
  // Node returns its own folder for its version inside the configured folder.
  const own = getCompileCacheDir();
  return own === undefined ? {} : { NODE_COMPILE_CACHE: dirname(own) };
};
