import { useStore } from 'zustand';
import { settingsStore } from './settings-store.ts';
import type { Settings } from './settings-store.ts';

/** One value of the settings, followed. */
export const useSettings = <T>(select: (settings: Settings) => T): T => useStore(settingsStore, select);
