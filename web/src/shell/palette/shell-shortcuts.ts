import { useMemo } from 'react';
import { screenCommands } from './screen-commands.ts';
import { toggleBench } from '#shell/layout/bench.ts';
import { showOverlay } from '#shell/layout/overlays.ts';
import { closeTabs, showTab } from '#shell/tabs/tab-actions.ts';
import { useShortcuts } from '#base/shortcuts.ts';
import type { Shortcut } from '#base/shortcuts.ts';
import { useTabs } from '#shell/tabs/tab-store.ts';
import { useTexts } from '#base/texts.ts';

/**
 * Registers the shortcuts that work on every screen: those of the palette, the list of shortcuts,
 * the screens and the tabs.
 */
export const useShellShortcuts = (): void => {
  const { t } = useTexts();
  const list = useMemo(() => {
    const moves = screenCommands(t).flatMap(({ keys, label, run }): Shortcut[] =>
      keys === undefined ? [] : [{ keys, label, run }],
    );
    const tabs = Array.from({ length: 9 }, (_, index): Shortcut => ({
      keys: `alt+${index + 1}`,
      label: t('shell.key_tab'),
      unlisted: index > 0,
      whileTyping: true,
      // Works while a drawer is open, because a drawer is hidden and shown together with the tab of
      // its page.
      inDialog: true,
      run: () => showTab(index),
    }));
    return [
      {
        keys: 'mod+k',
        label: t('shell.palette'),
        whileTyping: true,
        run: () => showOverlay('palette'),
      },
      {
        keys: 'alt+b',
        label: t('shell.bench'),
        whileTyping: true,
        inDialog: true,
        run: toggleBench,
      },
      {
        keys: '?',
        label: t('shell.shortcuts'),
        inDialog: true,
        run: () => showOverlay('shortcuts'),
      },
      ...moves,
      {
        keys: 'alt+w',
        label: t('shell.tab_close'),
        whileTyping: true,
        run: () => {
          const { active } = useTabs.getState();
          if (active !== null) void closeTabs(active, 'this');
        },
      },
      ...tabs,
    ];
  }, [t]);
  useShortcuts(list, 'shell');
};
