import { join } from 'node:path';

/**
 * The folder of compiled code, which all starts use. Without it, each process and thread would
 * strip the types of a thousand files and compile them again. The environment may set another
 * folder; an empty value disables the cache.
 */
export const compileCache = (root, env) =>
  env.NODE_COMPILE_CACHE ?? join(root, '.build', 'compiled');
