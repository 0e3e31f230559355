import { createContext } from 'react';
import type { ShownSum } from '#resource/table/sums.ts';

/** The sums over the chosen rows of the list, for the bar of actions on them. */
export const ChosenSums = createContext<readonly ShownSum[]>([]);
