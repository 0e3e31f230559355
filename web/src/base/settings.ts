import { useStore } from 'zustand';
import { settingsStore } from './settings-store.ts';
import type { Settings } from './settings-store.ts';

/** Returns one value of the settings; the component is drawn again when the value changes. */
export const useSettings = <T>(select: (settings: Settings) => T): T =>
  useStore(settingsStore, select);
