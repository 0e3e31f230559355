import { createContext } from 'react';
import type { ShownSum } from '#resource/table/sums.ts';

/** What the chosen rows of the list come to, for the bar of actions on them. */
export const ChosenSums = createContext<readonly ShownSum[]>([]);
