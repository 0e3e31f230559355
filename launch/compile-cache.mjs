import { join } from 'node:path';

/**
 * Folder of compiled code, kept from start to start: each process and thread would strip the types
 * of a thousand files and compile them again. Another folder may be set; an empty text sets none.
 */
export const compileCache = (root, env) =>
  env.NODE_COMPILE_CACHE ?? join(root, '.build', 'compiled');
