/** The adapter of each carrier by its code on the wire. */
export { jdl } from './jdl/jdl.ts';
export { sf } from './sf/sf.ts';
