import { createStore } from 'zustand/vanilla';
import { about } from '@waystation/contract/about.ts';
import type { About } from '@waystation/contract/about.ts';
import { call } from './call.ts';

/** What the server tells everyone; null until it is loaded. */
export const aboutStore = createStore<{ about: About | null; failed: boolean }>(() => ({ about: null, failed: false }));

export const loadAbout = async (): Promise<void> => {
  try {
    aboutStore.setState({ about: await call(about, {}, { timeout: 10_000 }), failed: false });
  } catch {
    // The page works without it, and says that the server does not answer.
    aboutStore.setState({ failed: true });
  }
};
