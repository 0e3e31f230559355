import type { About } from '@waystation/contract/shell/about.ts';
import type { LogoutReason } from '#base/logout-reason.ts';
import { chooseLocale, currentLocale, locales } from '#base/language.ts';
import { aboutStore } from '#base/server-facts.ts';
import { changeSettings } from '#base/settings-store.ts';
import { shadeStore } from '#base/theme.ts';
import { brand } from './brand.ts';
import type { View } from './dom.ts';
import { loginForm } from './form.ts';
import styles from './login.module.css';
import { sign, signs } from './signs.ts';
import { filled, loginTexts } from './texts.ts';

/** The name of each language in that language. */
const localeNames = { 'zh-CN': '中文', 'en-US': 'English' } as const;

const isDark = (): boolean => shadeStore.getState().shade === 'dark';

export const corner = (view: View): HTMLElement => {
  const { h } = view;
  const theme = (): string => (isDark() ? loginTexts().to_light : loginTexts().to_dark);
  return h(
    'header',
    { class: styles['corner'] },
    h(
      'div',
      { class: styles['languages'], role: 'group', 'aria-label': () => loginTexts().language },
      ...locales.map((locale) =>
        h(
          'button',
          {
            type: 'button',
            lang: locale,
            'aria-pressed': () => String(locale === currentLocale()),
            onclick: () => chooseLocale(locale),
          },
          localeNames[locale],
        ),
      ),
    ),
    h(
      'button',
      {
        type: 'button',
        class: styles['theme'],
        'aria-label': theme,
        title: theme,
        onclick: () => changeSettings({ theme: isDark() ? 'light' : 'dark' }),
      },
      sign(view, () => (isDark() ? signs.sun : signs.moon)),
    ),
  );
};

type Account = About['accounts'][number];

/** The accounts of the example network; pressing one fills in the form. */
const demoAccounts = (
  { h }: View,
  accounts: readonly Account[],
  onPick: (account: Account) => void,
): HTMLElement =>
  h(
    'section',
    { class: styles['demo'], 'aria-labelledby': 'demo-accounts' },
    h('h2', { id: 'demo-accounts' }, () => loginTexts().demo_title),
    h('p', {}, () => loginTexts().demo_words),
    h('p', { role: 'status' }, () =>
      aboutStore.getState().about?.demo_catching_up ? loginTexts().demo_catching_up : '',
    ),
    h(
      'ul',
      {},
      ...accounts.map((account) =>
        h(
          'li',
          {},
          h(
            'button',
            { type: 'button', onclick: () => onPick(account) },
            h('strong', {}, () => loginTexts().role[account.role]),
            h('code', {}, account.username),
            h('small', {}, () => loginTexts().role_words[account.role]),
          ),
        ),
      ),
    ),
  );

export const status = ({ h }: View): HTMLElement => {
  const state = (): 'up' | 'down' | 'checking' => {
    const { about, failed } = aboutStore.getState();
    return about ? 'up' : failed ? 'down' : 'checking';
  };
  const words = (): string =>
    ({
      up: loginTexts().server_up,
      down: loginTexts().server_down,
      checking: loginTexts().server_checking,
    })[state()];
  const version = (): string => {
    const { about } = aboutStore.getState();
    return about ? filled(loginTexts().version, { version: about.version }) : '';
  };
  return h(
    'footer',
    { class: styles['status'], 'data-state': state },
    h('span', { role: 'status' }, words),
    h('span', {}, version),
  );
};

interface Options {
  logoutReason: LogoutReason | null;
  onEnter: (token: string) => Promise<void>;
  onFirstTouch: () => void;
  /** The username of the account whose password was just set. */
  username?: string | undefined;
}

/** The whole login page. `shown` is called when the page is in the document. */
export const loginPage = (
  view: View,
  { logoutReason, onEnter, onFirstTouch, username }: Options,
): { node: HTMLElement; shown: () => void } => {
  const { h } = view;
  const shows = { forgot: false };
  const show = (forgot: boolean): void => {
    shows.forgot = forgot;
    view.update();
  };
  const place = h('div', { hidden: () => !shows.forgot });
  const leaveForgot = (): void => {
    place.replaceChildren();
    show(false);
  };
  const onForgot = async (typed: string): Promise<void> => {
    const { forgotForm } = await import('./forgot-form.ts');
    const onBack = (): void => {
      leaveForgot();
      form.focus();
    };
    const forgot = forgotForm(view, { username: typed, onBack });
    place.replaceChildren(forgot.node);
    show(true);
    forgot.focus();
  };
  const form = loginForm(view, {
    onEnter,
    onFirstTouch,
    onForgot: (typed) => void onForgot(typed),
    username,
  });
  const holder = h('div', { hidden: () => shows.forgot }, form.node);
  const note = h(
    'p',
    { class: styles['ending'], 'data-ending': logoutReason, role: 'status' },
    sign(view, signs.notice),
    () => (logoutReason === null ? '' : loginTexts().ending[logoutReason]),
  );
  const main = h(
    'main',
    { class: styles['main'] },
    h('h1', {}, () => (shows.forgot ? loginTexts().forgot.title : loginTexts().title)),
    ...(logoutReason === null ? [] : [note]),
    holder,
    place,
  );
  const showAccounts = ({ about }: { about: About | null }): void => {
    if (about && about.accounts.length > 0 && !main.querySelector('section'))
      main.append(
        demoAccounts(view, about.accounts, (account) => {
          leaveForgot();
          form.fill(account);
        }),
      );
    view.update();
  };
  aboutStore.subscribe(showAccounts);
  return {
    node: h(
      'div',
      { class: styles['page'] },
      brand(view),
      h('div', { class: styles['side'] }, corner(view), main, status(view)),
    ),
    shown: form.focus,
  };
};
