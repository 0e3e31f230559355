import { useStore } from 'zustand';
import { settingsStore } from './settings-store.ts';
import type { Settings } from './settings-store.ts';

/** One value of the settings, updated when it changes. */
export const useSettings = <T>(select: (settings: Settings) => T): T =>
  useStore(settingsStore, select);
