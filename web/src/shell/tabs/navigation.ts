import { judge } from '#base/guard.ts';
import { patchedHref } from '#base/href.ts';
import type { SearchPatch } from '#base/href.ts';
import { currentHref, go, onLocation } from './location.ts';
import { loadUser, onSessionEnd, useSession } from '#shell/session/session.ts';
import { leave, moveHref, reload, visit } from './tabs.ts';
import { changeTabs, restoreTabs, useTabs } from './tab-store.ts';
import { readToken } from '#base/token.ts';

/**
 * Checks the URL and activates the tab of its screen. This is the only way in which a tab becomes
 * active.
 */
const arrive = async (href: string): Promise<void> => {
  const verdict = judge(href, {
    token: readToken(),
    role: useSession.getState().user?.role ?? null,
  });
  switch (verdict.kind) {
    case 'login':
      // The login page has its own entry file, so the document is loaded again.
      window.history.replaceState(null, '', `#${verdict.href}`);
      window.location.reload();
      return;
    case 'load-user': {
      const user = await loadUser();
      if (!user) return;
      restoreTabs(user);
      return arrive(currentHref());
    }
    case 'go':
      if (verdict.fresh) freshen(verdict.href);
      go(verdict.href, { replace: true });
      return;
    case 'screen':
      changeTabs((state) => visit(state, verdict.screen.name, href));
      return;
    case 'not-found':
      changeTabs(leave);
  }
};

const freshen = (href: string): void => {
  const verdict = judge(href, {
    token: readToken(),
    role: useSession.getState().user?.role ?? null,
  });
  if (verdict.kind === 'screen') changeTabs((state) => reload(state, verdict.screen.name));
};

/** Activates the tab of the URL after each change of the URL. It stops when the session ends. */
export const startNavigation = (): void => {
  onSessionEnd(onLocation((href) => void arrive(href)));
  void arrive(currentHref());
};

/**
 * Changes the URL query of one tab. If the tab is active, the browser's URL changes too; a hidden
 * tab only stores its query.
 */
export const changeSearch = (
  key: string,
  patch: SearchPatch,
  options: { push?: boolean } = {},
): void => {
  const { tabs, active } = useTabs.getState();
  const tab = tabs.find((one) => one.key === key);
  if (!tab) return;
  const href = patchedHref(tab.href, patch);
  if (href === tab.href) return;
  // The tab changes before the URL, so that two changes directly after each other are combined.
  changeTabs((state) => moveHref(state, key, href));
  if (key === active) go(href, { replace: !options.push });
};
