import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';

/**
 * The environment of a thread: none of the secrets of the process, only its folder of compiled
 * code, where it has one.
 */
export const threadEnv = (): Record<string, string> => {
  // Node answers with its own folder in that one, one for each version.
  const own = getCompileCacheDir();
  return own === undefined ? {} : { NODE_COMPILE_CACHE: dirname(own) };
};
