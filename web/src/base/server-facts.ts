import { createStore } from 'zustand/vanilla';
import { about } from '@waystation/contract/shell/about.ts';
import type { About } from '@waystation/contract/shell/about.ts';
import { call } from './call.ts';

/** Public information about the server; null until it is loaded. */
export const aboutStore = createStore<{ about: About | null; failed: boolean }>(() => ({
  about: null,
  failed: false,
}));

/** Milliseconds after which the information is loaded again, while it is expected to change. */
const again = 5_000;

export const loadAbout = async (): Promise<void> => {
  try {
    const facts = await call(about, {}, { timeout: 10_000 });
    aboutStore.setState({ about: facts, failed: false });
    if (facts.demo_catching_up) setTimeout(() => void loadAbout(), again);
  } catch {
    // The page works without this information. The page shows that the server does not answer.
    aboutStore.setState({ failed: true });
  }
};
