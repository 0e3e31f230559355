import { screenTitles } from '@waystation/contract/shell/screens.ts';

/** The names of the screens, shown in the menu, in tabs and in the document title. */
export const menu = screenTitles('en');
