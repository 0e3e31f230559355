import { beginEarly } from './early.ts';
import { hrefOfHash } from './href.ts';
import { readToken } from './token.ts';

/** Runs in index.html, before any file of the build is here (vite.config.ts). */
if (readToken() !== null) beginEarly(hrefOfHash(window.location.hash));
