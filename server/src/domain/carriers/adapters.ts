/** The adapter of each carrier, exported under the provider's code. */
export { jdl } from './jdl/jdl.ts';
export { sf } from './sf/sf.ts';
