import { startPreload } from '#base/preload.ts';
import { hrefOfHash } from '#base/href.ts';
import { readToken } from '#base/token.ts';
import { firstReads } from './first-reads.ts';

/** This script runs in index.html before any other file of the build is loaded (vite.config.ts). */
if (readToken() !== null) startPreload(firstReads(hrefOfHash(window.location.hash)));
