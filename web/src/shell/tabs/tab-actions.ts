import { notify, confirmed } from '#ui/overlay/notify.tsx';
import { currentHref, go } from './location.ts';
import { landing, screenOrThrow } from '@waystation/contract/shell/screens.ts';
import { logOut } from '#shell/session/session.ts';
import { anyUnsaved, changeTabs, useTabs } from './tab-store.ts';
import { close, closingKeys, reload, reopened } from './tabs.ts';
import type { Closing, Tab } from './tabs.ts';
import { say } from '#base/texts.ts';

const titlesOf = (tabs: readonly Tab[]): string =>
  tabs.map((tab) => say(`menu.${screenOrThrow(tab.key).title}`)).join(say('shell.list_comma'));

const losing = (keys: readonly string[]): readonly Tab[] =>
  useTabs.getState().tabs.filter((tab) => tab.unsaved && keys.includes(tab.key));

const sure = async (keys: readonly string[], ok: string): Promise<boolean> => {
  const tabs = losing(keys);
  return (
    tabs.length === 0 ||
    confirmed({
      title: say('shell.unsaved_title'),
      content: say('shell.unsaved_content', { titles: titlesOf(tabs) }),
      ok,
      danger: true,
    })
  );
};

/** Changes the URL to the URL of the active tab after the tabs have changed. */
const followActive = (): void => {
  const { tabs, active } = useTabs.getState();
  const href = tabs.find((tab) => tab.key === active)?.href ?? screenOrThrow(landing).path;
  if (href !== currentHref()) go(href);
};

/**
 * Closes the tabs that `which` selects: the tab `key`, or tabs relative to it. Asks first if
 * unsaved work would be lost.
 */
export const closeTabs = async (key: string, which: Closing): Promise<void> => {
  const keys = closingKeys(useTabs.getState(), key, which);
  if (keys.length === 0 || !(await sure(keys, say('shell.close_anyway')))) return;
  changeTabs((state) => close(state, keys));
  followActive();
};

/** Mounts the page of a tab again. Asks first if unsaved work would be lost. */
export const reloadTab = async (key: string): Promise<void> => {
  if (!(await sure([key], say('shell.reload_anyway')))) return;
  changeTabs((state) => reload(state, key));
};

export const reopenTab = (): void => {
  const { state, href } = reopened(useTabs.getState());
  if (href === null) return notify.info(say('shell.nothing_to_reopen'));
  changeTabs(() => state);
  go(href);
};

export const showTab = (index: number): void => {
  const tab = useTabs.getState().tabs[index];
  if (tab) go(tab.href);
};

export const leaveConsole = async (): Promise<void> => {
  const keys = useTabs.getState().tabs.map((tab) => tab.key);
  if (await sure(keys, say('shell.log_out_anyway'))) await logOut();
};

/** Makes the browser ask for confirmation before it closes a window with unsaved work. */
export const guardWindow = (leaving: () => boolean): void => {
  window.addEventListener('beforeunload', (event) => {
    if (anyUnsaved() && !leaving()) event.preventDefault();
  });
};
