import { useStore } from 'zustand';
import type { About } from '@waystation/contract/shell/about.ts';
import { aboutStore } from './server-facts.ts';
import { shadeStore } from './theme.ts';
import type { Shade } from './theme.ts';

/** Returns public information about the server; null until it is loaded. */
export const useAbout = (): About | null => useStore(aboutStore, (state) => state.about);

/** The displayed shade, light or dark. */
export const useShade = (): Shade => useStore(shadeStore, (state) => state.shade);
