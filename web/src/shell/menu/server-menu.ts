import { create } from 'zustand';
import { serverMenu } from '@waystation/contract/people/session.ts';
import type { MenuNode } from '@waystation/contract/people/session.ts';
import { call } from '#base/call.ts';
import { errorWords } from '#base/api-error.ts';
import { currentLanguage } from '#base/language.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { onSessionEnd, useSession } from '#shell/session/session.ts';
import { settingsStore } from '#base/settings-store.ts';
import { say } from '#base/texts.ts';

/** The server's menu. Null if it is not loaded; the menu built in the web console is shown then. */
export const useServerMenu = create<{ nodes: MenuNode[] | null }>(() => ({ nodes: null }));

const key = 'server-menu';

/**
 * Requests the menu. Notices show that it is loading, that it has loaded, or that it failed
 * (requirements §8).
 */
const fetchMenu = async (): Promise<void> => {
  notify.loading(key, say('shell.server_menu_loading'));
  try {
    useServerMenu.setState({ nodes: await call(serverMenu, {}) });
    notify.done(key, say('shell.server_menu_done'));
  } catch (error) {
    useServerMenu.setState({ nodes: null });
    notify.failed(
      key,
      say('shell.server_menu_failed', { reason: errorWords(error, currentLanguage()) }),
    );
  }
};

/**
 * Follows the setting for the server's menu. The menu is loaded when the setting is turned on
 * (requirements §2) and removed when it is turned off.
 */
export const followServerMenu = (): (() => void) => {
  const apply = (on: boolean): void => {
    if (on && useSession.getState().user) void fetchMenu();
    else useServerMenu.setState({ nodes: null });
  };
  apply(settingsStore.getState().menuFromServer);
  onSessionEnd(() => useServerMenu.setState({ nodes: null }));
  return settingsStore.subscribe((now, before) => {
    if (now.menuFromServer !== before.menuFromServer) apply(now.menuFromServer);
  });
};
