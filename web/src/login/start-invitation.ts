import { acceptInvitation, openInvitation } from '@waystation/contract/people/invitation.ts';
import {
  acceptPasswordReset,
  openPasswordReset,
} from '@waystation/contract/people/password-reset.ts';
import { call } from '#base/call.ts';
import { loadEnglishErrors } from '#base/error-text.ts';
import { currentLanguage, localeStore } from '#base/language.ts';
import { loadAbout } from '#base/server-facts.ts';
import { shadeStore } from '#base/theme.ts';
import { brand } from './brand.ts';
import { createView } from './dom.ts';
import { invitationForm } from './invitation-form.ts';
import type { LinkCalls } from './invitation-form.ts';
import styles from './login.module.css';
import { corner, status } from './page.ts';
import { loginTexts } from './texts.ts';

const links = {
  invitation: {
    open: (token) => call(openInvitation, { token }),
    accept: (token, password) => call(acceptInvitation, { token, password }),
    refusals: 'invitation_',
  },
  reset: {
    open: (token) => call(openPasswordReset, { token }),
    accept: (token, password) => call(acceptPasswordReset, { token, password }),
    refusals: 'reset_',
  },
} as const satisfies Record<string, LinkCalls>;
export type LinkKind = keyof typeof links;

/**
 * Starts the page for a link with which a user sets a password. `onLogin` replaces this page with
 * the login.
 */
export const startInvitation = (
  kind: LinkKind,
  token: string,
  onLogin: (username: string | undefined) => Promise<void>,
): void => {
  const view = createView();
  const { h } = view;
  const reload = (): void => window.location.reload();
  window.addEventListener('hashchange', reload);
  const leave: (() => void)[] = [() => window.removeEventListener('hashchange', reload)];
  const main = h('main', { class: styles['main'] });
  const form = invitationForm(view, {
    token,
    link: links[kind],
    onLogin: async (username) => {
      for (const end of leave) end();
      await onLogin(username);
    },
  });
  main.append(
    h('h1', {}, () => loginTexts().invitation.title),
    form.node,
  );
  const follow = (): void => {
    document.title = `${loginTexts().invitation.title} · ${loginTexts().product_full}`;
    view.update();
    if (currentLanguage() === 'en') void loadEnglishErrors().then(view.update, () => null);
  };
  leave.push(localeStore.subscribe(follow), shadeStore.subscribe(follow));
  follow();
  document
    .getElementById('root')!
    .replaceChildren(
      h(
        'div',
        { class: styles['page'] },
        brand(view),
        h('div', { class: styles['side'] }, corner(view), main, status(view)),
      ),
    );
  void form.open();
  void loadAbout().then(view.update);
};
