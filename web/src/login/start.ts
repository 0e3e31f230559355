import { takeLogoutReason } from '#base/logout-reason.ts';
import { afterLogin, loginHref } from '#base/guard.ts';
import { hrefOfHash, pathOf } from '#base/href.ts';
import { loadEnglishErrors } from '#base/error-text.ts';
import { currentLanguage, localeStore } from '#base/language.ts';
import { loginPath } from '@waystation/contract/shell/screens.ts';
import { loadAbout } from '#base/server-facts.ts';
import { shadeStore } from '#base/theme.ts';
import { writeToken } from '#base/token.ts';
import { createView } from './dom.ts';
import { loginPage } from './page.ts';
import { loginTexts } from './texts.ts';

/**
 * The console, which is started after login. It calls `ready` immediately before it replaces the
 * login page.
 */
interface Console {
  startConsole: (ready: () => void) => Promise<void>;
}

/**
 * Starts the login program, which is small because it uses no framework and no component library.
 * The console is loaded when the user begins to type. `username` is filled in.
 */
export const startLogin = (fetchConsole: () => Promise<Console>, username?: string): void => {
  const view = createView();
  /**
   * If another URL is entered while the login page is shown, keeps that URL in the query. It is
   * opened after the login.
   */
  const carry = (): void => {
    const href = hrefOfHash(window.location.hash);
    if (pathOf(href) !== loginPath) window.history.replaceState(null, '', `#${loginHref(href)}`);
  };
  window.addEventListener('hashchange', carry);
  const onEnter = async (token: string): Promise<void> => {
    const { startConsole } = await fetchConsole();
    window.removeEventListener('hashchange', carry);
    writeToken(token);
    window.history.replaceState(null, '', `#${afterLogin(hrefOfHash(window.location.hash))}`);
    await startConsole(() => page.node.remove());
  };
  const page = loginPage(view, {
    logoutReason: takeLogoutReason(),
    username,
    onEnter,
    onFirstTouch: () => void fetchConsole().catch(() => null),
  });
  const follow = (): void => {
    document.title = `${loginTexts().title} · ${loginTexts().product_full}`;
    view.update();
    if (currentLanguage() === 'en') void loadEnglishErrors().then(view.update, () => null);
  };
  localeStore.subscribe(follow);
  shadeStore.subscribe(follow);
  follow();
  document.getElementById('root')!.replaceChildren(page.node);
  page.shown();
  void loadAbout();
};
