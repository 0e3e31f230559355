import { useStore } from 'zustand';
import type { About } from '@waystation/contract/about.ts';
import { aboutStore } from './server-facts.ts';
import { shadeStore } from './theme.ts';
import type { Shade } from './theme.ts';

/** What the server tells everyone; null until it is loaded. */
export const useAbout = (): About | null => useStore(aboutStore, (state) => state.about);

/** Light or dark as now shown. */
export const useShade = (): Shade => useStore(shadeStore, (state) => state.shade);
