import { mayOpen, screens } from '@waystation/contract/shell/screens.ts';
import type { Screen, ScreenName } from '@waystation/contract/shell/screens.ts';
import { useSession } from '#shell/session/session.ts';
import { openScreen } from '#shell/tabs/open-screen.ts';
import type { Say } from '#base/texts.ts';

/** A command of the palette; some commands also have a shortcut key. */
export interface Command {
  id: string;
  label: string;
  /** A text shown beside the label. */
  detail?: string;
  group: 'screens' | 'actions' | 'settings';
  icon: string;
  /** Additional words by which the command is found. */
  words: string;
  keys?: string;
  run: () => void;
}

/** The letter that opens each screen if it is pressed after `g`. */
export const goLetters: Partial<Record<string, string>> = {
  Workplace: 'w',
  ExpressTable: 'e',
  ExpressStore: 'o',
  ExpressImport: 'i',
  PrintTable: 'p',
  LabelScan: 'l',
  HandoverTable: 'h',
  StatementTable: 's',
  StationTable: 't',
};

/** The commands that open the screens that this user may see. */
export const screenCommands = (t: Say): Command[] => {
  const role = useSession.getState().user?.role;
  return screens
    .filter((screen: Screen) => role !== undefined && mayOpen(screen, role))
    .map((screen) => {
      const letter = goLetters[screen.name];
      return {
        id: screen.name,
        label: t(`menu.${screen.title}`),
        group: 'screens',
        icon: screen.icon,
        words: `${screen.name} ${screen.path}`,
        ...(letter !== undefined && { keys: `g ${letter}` }),
        run: () => openScreen(screen.name as ScreenName),
      };
    });
};
