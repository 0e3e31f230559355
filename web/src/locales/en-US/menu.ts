import { screenTitles } from '@waystation/contract/screens.ts';

/** Names of the screens, as menu, tabs and document title show them. */
export const menu = screenTitles('en');
