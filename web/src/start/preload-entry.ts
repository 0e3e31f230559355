import { startPreload } from '#base/preload.ts';
import { hrefOfHash } from '#base/href.ts';
import { readToken } from '#base/token.ts';

/** Runs in index.html, before any file of the build is here (vite.config.ts). */
if (readToken() !== null) startPreload(hrefOfHash(window.location.hash));
