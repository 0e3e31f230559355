import { otpLength, passwordLength, usernameLength } from '@waystation/contract/base/limits.ts';
import { ApiError, errorCode, errorWords, requestId } from '#base/api-error.ts';
import { currentLanguage } from '#base/language.ts';
import { dropToken } from '#base/token.ts';
import type { View } from './dom.ts';
import styles from './login.module.css';
import { sign, signs } from './signs.ts';
import {
  afterFailure,
  emptyFields,
  freshState,
  rememberedUsername,
  requestToken,
} from './submit.ts';
import type { LoginField, LoginState, LoginValues } from './submit.ts';
import { filled, loginTexts } from './texts.ts';

interface Options {
  /** Loads and starts the console. While it is loading, the button is shown as busy. */
  onEnter: (token: string) => Promise<void>;
  /**
   * Called when a field gets the first key press or the first focus. The caller then starts loading
   * the console.
   */
  onFirstTouch: () => void;
  /** Called if the user has forgotten the password of the account with this username. */
  onForgot: (username: string) => void;
  /** The username to fill in; by default the username that the browser has stored. */
  username?: string | undefined;
}

export interface LoginForm {
  node: HTMLElement;
  focus: () => void;
  fill: (account: { username: string; password: string }) => void;
}

/** The state of the form, in addition to the state in submit.ts. */
interface Facts {
  missing: readonly LoginField[];
  passwordShown: boolean;
  capsLock: boolean;
}

/** An input with a label above it and its error or hint below it. */
const field = (
  { h }: View,
  name: LoginField,
  facts: Facts,
  { input, hint, after }: { input: HTMLInputElement; hint: () => string; after?: HTMLElement },
): HTMLElement => {
  const words = `login-${name}-words`;
  const bad = (): boolean => facts.missing.includes(name);
  const error = {
    username: () => loginTexts().username_empty,
    password: () => loginTexts().password_empty,
    otp: () => loginTexts().otp_empty,
  }[name];
  return h(
    'div',
    { class: styles['field'] },
    h('label', { for: input.id }, () => loginTexts()[name]),
    h('div', { class: styles['input'], 'data-bad': bad }, input, ...(after ? [after] : [])),
    h('p', { id: words, class: styles['words'], 'data-bad': bad, 'aria-live': 'polite' }, () =>
      bad() ? error() : hint(),
    ),
  );
};

const input = (
  { h }: View,
  name: LoginField,
  facts: Facts,
  attributes: Parameters<View['h']>[1],
): HTMLInputElement =>
  h('input', {
    id: `login-${name}`,
    name,
    'aria-describedby': `login-${name}-words`,
    'aria-invalid': () => String(facts.missing.includes(name)),
    ...attributes,
  });

/** The button that shows or hides the text typed in a password field. */
export const eyeButton = (
  view: View,
  facts: { passwordShown: boolean },
  password: HTMLInputElement,
): HTMLElement => {
  const label = (): string => (facts.passwordShown ? loginTexts().hide : loginTexts().show);
  const toggle = (): void => {
    facts.passwordShown = !facts.passwordShown;
    password.type = facts.passwordShown ? 'text' : 'password';
    view.update();
  };
  return view.h(
    'button',
    { type: 'button', class: styles['eye'], 'aria-label': label, title: label, onclick: toggle },
    sign(view, () => (facts.passwordShown ? signs.eyeCrossed : signs.eye)),
  );
};

/**
 * Shows the text that the requirements prescribe for a failure. The server's message follows if it
 * is safe to show.
 */
const failureBox = ({ h, ...view }: View, failure: () => unknown): HTMLElement => {
  const words = (): string =>
    failure() instanceof ApiError ? errorWords(failure(), currentLanguage()) : '';
  const facts = (): string => {
    const error = failure();
    return error instanceof ApiError && error.status >= 500
      ? [errorCode(error), requestId(error)].filter(Boolean).join(' · ')
      : '';
  };
  /** The address of the installation to which the account belongs; empty for any other failure. */
  const elsewhere = (): string => {
    const error = failure();
    if (!(error instanceof ApiError) || error.code !== 'account_elsewhere') return '';
    const url = String(error.params['url'] ?? '');
    return /^https?:\/\//.test(url) ? url : '';
  };
  return h(
    'div',
    { role: 'alert', class: styles['alert'] },
    h(
      'div',
      { class: styles['failure'], hidden: () => failure() === null },
      sign({ h, ...view }, signs.notice),
      h(
        'div',
        {},
        h('strong', {}, () =>
          failure() === null || elsewhere() !== '' ? '' : loginTexts().failed,
        ),
        h('p', {}, words),
        h('a', { href: elsewhere, hidden: () => elsewhere() === '' }, () => loginTexts().go_there),
        h('p', { class: styles['facts'] }, facts),
      ),
    ),
  );
};

const second = 1000;

const createInputs = (view: View, facts: Facts) => {
  const look = (event: KeyboardEvent): void => {
    facts.capsLock = event.getModifierState('CapsLock');
    view.update();
  };
  return {
    username: input(view, 'username', facts, {
      autocomplete: 'username',
      autocapitalize: 'none',
      spellcheck: 'false',
      maxlength: usernameLength.max,
    }),
    password: input(view, 'password', facts, {
      type: 'password',
      autocomplete: 'current-password',
      maxlength: passwordLength.max,
      onkeydown: look,
      onkeyup: look,
    }),
    otp: input(view, 'otp', facts, { autocomplete: 'one-time-code', maxlength: otpLength }),
  };
};

/** The submit button. While it is disabled, its text is the reason. */
const submitButton = (
  { h }: View,
  state: () => LoginState,
  waitLeft: () => number,
): HTMLElement => {
  const label = (): string => {
    if (state().busy) return loginTexts().submitting;
    return waitLeft() > 0
      ? filled(loginTexts().wait, { seconds: waitLeft() })
      : loginTexts().submit;
  };
  const resting = (): string => String(state().busy || waitLeft() > 0);
  return h(
    'button',
    { type: 'submit', class: styles['submit'], 'aria-disabled': resting },
    h('span', { class: styles['spin'], hidden: () => !state().busy, 'aria-hidden': 'true' }),
    label,
  );
};

/**
 * The login form and its behaviour: it checks for empty fields, sends one attempt at a time, asks
 * for the verification code, and waits after too many attempts.
 */
export const loginForm = (
  view: View,
  { onEnter, onFirstTouch, onForgot, username }: Options,
): LoginForm => {
  const { h, update } = view;
  let state = freshState();
  const facts: Facts = { missing: [], passwordShown: false, capsLock: false };
  const inputs = createInputs(view, facts);
  inputs.username.value = username ?? rememberedUsername();
  const remember = h('input', { type: 'checkbox', checked: rememberedUsername() !== '' });
  const values = (): LoginValues => ({
    username: inputs.username.value,
    password: inputs.password.value,
    otp: inputs.otp.value,
  });
  const waitLeft = (): number => Math.max(0, Math.ceil((state.waitUntil - Date.now()) / second));
  const change = (patch: Partial<LoginState>): void => {
    state = { ...state, ...patch };
    update();
  };

  const countDown = (): void => {
    update();
    if (waitLeft() > 0) setTimeout(countDown, second / 4);
  };
  const failed = (error: unknown): void => {
    dropToken();
    change(afterFailure(state, error, Date.now()));
    countDown();
    const next = state.asksOtp ? inputs.otp : inputs.password;
    next.focus();
    next.select();
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (state.busy || waitLeft() > 0) return;
    facts.missing = emptyFields(values(), state.asksOtp);
    update();
    const [first] = facts.missing;
    if (first !== undefined) return inputs[first].focus();
    change({ busy: true, failure: null });
    await requestToken(values(), state.asksOtp, remember.checked).then(onEnter).catch(failed);
  };

  const button = submitButton(view, () => state, waitLeft);
  const node = h(
    'form',
    {
      novalidate: true,
      'aria-busy': () => String(state.busy),
      onsubmit: (event: Event) => void submit(event),
    },
    field(view, 'username', facts, { input: inputs.username, hint: () => '' }),
    field(view, 'password', facts, {
      input: inputs.password,
      hint: () => (facts.capsLock ? loginTexts().caps_lock : ''),
      after: eyeButton(view, facts, inputs.password),
    }),
    h(
      'div',
      { class: styles['second'], hidden: () => !state.asksOtp },
      field(view, 'otp', facts, { input: inputs.otp, hint: () => loginTexts().otp_hint }),
    ),
    h(
      'div',
      { class: styles['aside'] },
      h('label', { class: styles['remember'] }, remember, () => loginTexts().remember),
      h(
        'button',
        {
          type: 'button',
          class: styles['link'],
          onclick: () => onForgot(inputs.username.value.trim()),
        },
        () => loginTexts().forgot.link,
      ),
    ),
    button,
    failureBox(view, () => state.failure),
  );
  node.addEventListener('input', (event) => {
    onFirstTouch();
    facts.missing = facts.missing.filter((name) => event.target !== inputs[name]);
    update();
  });
  return {
    node,
    focus: () => (inputs.username.value === '' ? inputs.username : inputs.password).focus(),
    fill: ({ username, password }) => {
      onFirstTouch();
      inputs.username.value = username;
      inputs.password.value = password;
      facts.missing = [];
      change({ asksOtp: false, failure: null });
      button.focus();
    },
  };
};
