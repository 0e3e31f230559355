import { passwordInputLength } from '@waystation/contract/base/limits.ts';
import { passwordProblem, passwordRules } from '@waystation/contract/people/password.ts';
import { logout } from '@waystation/contract/people/session.ts';
import { ApiError, errorWords, fieldWords } from '#base/api-error.ts';
import { call } from '#base/call.ts';
import { errorText } from '#base/error-text.ts';
import { currentLanguage } from '#base/language.ts';
import { dropToken, readToken } from '#base/token.ts';
import type { View } from './dom.ts';
import { eyeButton } from './form.ts';
import styles from './login.module.css';
import { sign, signs } from './signs.ts';
import { loginTexts } from './texts.ts';

/**
 * The functions for one kind of link. `refusals` is the prefix of the error codes with which the
 * server refuses such a link.
 */
export interface LinkCalls {
  open: (token: string) => Promise<{ username: string }>;
  accept: (token: string, password: string) => Promise<unknown>;
  refusals: 'invitation_' | 'reset_';
}

interface Options {
  token: string;
  link: LinkCalls;
  /**
   * Called with the username of the account that the link belongs to; undefined if the link was
   * refused.
   */
  onLogin: (username: string | undefined) => Promise<void>;
}

interface State {
  phase: 'loading' | 'refused' | 'ready' | 'done';
  username: string;
  busy: boolean;
  passwordShown: boolean;
  /**
   * The error that occurred when the link was opened or the password was set; null if there was
   * none.
   */
  failure: unknown;
  /** The error text of the password field. */
  problem: string;
}

const words = (error: unknown): string => errorWords(error, currentLanguage());

/**
 * True if the error is temporary, so that the link may work at a later attempt. An error that
 * refuses the link itself is not temporary.
 */
const isPassing = (error: unknown, { refusals }: LinkCalls): boolean =>
  !(error instanceof ApiError && error.code.startsWith(refusals));

const ruleText = (rule: 'length' | 'username' | 'common'): string =>
  ({
    length: loginTexts().invitation.rule.length,
    username: loginTexts().invitation.rule.username,
    common: loginTexts().invitation.rule.common,
  })[rule];

const rules = ({ h }: View, state: State, password: HTMLInputElement): HTMLElement => {
  const isMet = (rule: string): boolean =>
    passwordRules(password.value, state.username).some((one) => one.rule === rule && one.met);
  return h(
    'div',
    { id: 'invitation-rules', class: styles['rules'] },
    h('p', {}, () => loginTexts().invitation.rules),
    h(
      'ul',
      {},
      ...(['length', 'username', 'common'] as const).map((rule) =>
        h(
          'li',
          { 'data-met': () => isMet(rule) },
          () => ruleText(rule),
          h('span', {}, () =>
            isMet(rule)
              ? ` ✓ ${loginTexts().invitation.met}`
              : ` · ${loginTexts().invitation.open}`,
          ),
        ),
      ),
    ),
  );
};

const failureBox = ({ h, ...view }: View, state: State): HTMLElement =>
  h(
    'div',
    { role: 'alert', class: styles['outcome'] },
    h(
      'div',
      { class: styles['failure'], hidden: () => state.failure === null },
      sign({ h, ...view }, signs.notice),
      h(
        'div',
        {},
        h('strong', { hidden: () => state.phase !== 'refused' }, () =>
          state.phase === 'refused' ? loginTexts().invitation.refused : '',
        ),
        h('p', {}, () => (state.failure === null ? '' : words(state.failure))),
      ),
    ),
  );

const usernameField = ({ h }: View, state: State): HTMLElement =>
  h(
    'div',
    { class: styles['field'] },
    h('label', { for: 'invitation-username' }, () => loginTexts().username),
    h(
      'div',
      { class: styles['input'] },
      h('input', {
        id: 'invitation-username',
        name: 'username',
        autocomplete: 'username',
        readonly: true,
        value: () => state.username,
      }),
    ),
    h('p', { class: `${styles['words']} ${styles['intro']}` }, () => loginTexts().invitation.intro),
  );

const passwordField = (view: View, state: State, password: HTMLInputElement): HTMLElement => {
  const { h } = view;
  const isBad = (): boolean => state.problem !== '';
  return h(
    'div',
    { class: styles['field'] },
    h('label', { for: password.id }, () => loginTexts().invitation.fresh),
    h(
      'div',
      { class: styles['input'], 'data-bad': isBad },
      password,
      eyeButton(view, state, password),
    ),
    h(
      'p',
      {
        id: 'invitation-words',
        class: styles['words'],
        'data-bad': isBad,
        'aria-live': 'polite',
      },
      () => state.problem,
    ),
  );
};

const freshState = (): State => ({
  phase: 'loading',
  username: '',
  busy: false,
  passwordShown: false,
  failure: null,
  problem: '',
});

interface Parts {
  token: string;
  link: LinkCalls;
  state: State;
  change: (patch: Partial<State>) => void;
  password: HTMLInputElement;
}

const openLink = async ({ token, link, change }: Parts): Promise<void> => {
  change({ phase: 'loading', failure: null });
  try {
    const { username } = await link.open(token);
    change({ phase: 'ready', username });
  } catch (failure) {
    change({ phase: 'refused', failure });
  }
};

const setPassword = async ({ token, link, state, change, password }: Parts): Promise<void> => {
  if (state.busy || state.phase !== 'ready') return;
  const wrong = passwordProblem(password.value, state.username);
  const problem = wrong ? errorText(wrong.code, wrong.params, currentLanguage()) : '';
  change({ failure: null, problem });
  if (wrong) return password.focus();
  change({ busy: true });
  try {
    await link.accept(token, password.value);
    password.value = '';
    change({ busy: false, phase: 'done' });
  } catch (error) {
    const refused = fieldWords(error, currentLanguage())['password'];
    if (refused === undefined)
      return change({
        busy: false,
        failure: error,
        ...(!isPassing(error, link) && { phase: 'refused' as const }),
      });
    change({ busy: false, problem: refused });
    password.focus();
  }
};

/**
 * If another user is logged in in this browser, logs this user out, because that session would
 * prevent the login.
 */
const endOtherSession = async (): Promise<void> => {
  if (readToken() === null) return;
  await call(logout, {}).catch(() => null);
  dropToken();
};

const passwordInput = ({ h }: View, state: State, onInput: () => void): HTMLInputElement =>
  h('input', {
    id: 'invitation-password',
    name: 'password',
    type: 'password',
    autocomplete: 'new-password',
    maxlength: passwordInputLength,
    'aria-describedby': 'invitation-words invitation-rules',
    'aria-invalid': () => String(state.problem !== ''),
    oninput: onInput,
  });

const passwordForm = (
  view: View,
  { state, password }: Parts,
  onSubmit: (event: Event) => void,
): HTMLElement => {
  const { h } = view;
  return h(
    'form',
    {
      novalidate: true,
      hidden: () => state.phase !== 'ready',
      'aria-busy': () => String(state.busy),
      onsubmit: onSubmit,
    },
    usernameField(view, state),
    passwordField(view, state, password),
    rules(view, state, password),
    h(
      'button',
      { type: 'submit', class: styles['submit'], 'aria-disabled': () => String(state.busy) },
      h('span', { class: styles['spin'], hidden: () => !state.busy, 'aria-hidden': 'true' }),
      () => (state.busy ? loginTexts().invitation.submitting : loginTexts().invitation.submit),
    ),
  );
};

const noticeBox = (view: View, state: State): HTMLElement => {
  const notice = (): string =>
    state.phase === 'loading'
      ? loginTexts().invitation.loading
      : state.phase === 'done'
        ? loginTexts().invitation.done
        : '';
  return view.h(
    'p',
    { class: styles['ending'], role: 'status', hidden: () => notice() === '' },
    sign(view, signs.notice),
    notice,
  );
};

/**
 * The form for a link with which a user sets a password. The link works once. Afterwards the form
 * leads to the login.
 */
export const invitationForm = (
  view: View,
  { token, link, onLogin }: Options,
): { node: HTMLElement; open: () => Promise<void> } => {
  const { h, update } = view;
  const state = freshState();
  const change = (patch: Partial<State>): void => {
    Object.assign(state, patch);
    update();
  };
  const password = passwordInput(view, state, () => change({ problem: '' }));
  const parts: Parts = { token, link, state, change, password };
  const retries = (): boolean => state.phase === 'refused' && isPassing(state.failure, link);
  const next = h(
    'button',
    {
      type: 'button',
      class: styles['submit'],
      hidden: () => state.phase !== 'done' && state.phase !== 'refused',
      onclick: () => void goOn(),
    },
    () => (retries() ? loginTexts().invitation.retry : loginTexts().invitation.to_login),
  );
  const focus = (): void => (state.phase === 'ready' ? password : next).focus();
  const open = (): Promise<void> => openLink(parts).then(focus);
  const goOn = async (): Promise<void> => {
    if (retries()) return open();
    if (state.phase === 'refused') return onLogin(undefined);
    await endOtherSession();
    await onLogin(state.username);
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    void setPassword(parts).then(() => {
      if (state.phase !== 'ready') next.focus();
    });
  };
  const node = h(
    'div',
    {},
    noticeBox(view, state),
    passwordForm(view, parts, submit),
    failureBox(view, state),
    next,
  );
  return { node, open };
};
