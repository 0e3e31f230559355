import { createContext } from 'react';
import type { ShownSum } from '#resource/table/sums.ts';

/** The sums over the selected rows of the list. The bulk action bar shows them. */
export const ChosenSums = createContext<readonly ShownSum[]>([]);
