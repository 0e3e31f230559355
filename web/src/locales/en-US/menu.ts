import { screenTitles } from '@waystation/contract/shell/screens.ts';

/** Names of the screens, in menu, tabs and document title. */
export const menu = screenTitles('en');
