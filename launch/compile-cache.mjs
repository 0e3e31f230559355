import { join } from 'node:path';

/**
 * Folder of compiled code, used by all starts: each process and thread would otherwise strip the
 * types of a thousand files and compile them again. Another folder may be set; an empty text sets
 * none.
 */
export const compileCache = (root, env) =>
  env.NODE_COMPILE_CACHE ?? join(root, '.build', 'compiled');
