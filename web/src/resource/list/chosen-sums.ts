import { createContext } from 'react';
import type { ShownSum } from '#resource/table/sums.ts';

/** The sums over the selected rows of the list, for the bar with the actions on them. */
export const ChosenSums = createContext<readonly ShownSum[]>([]);
