import { usernameLength } from '@waystation/contract/base/limits.ts';
import { askPasswordReset } from '@waystation/contract/people/password-reset.ts';
import { errorWords } from '#base/api-error.ts';
import { call } from '#base/call.ts';
import { currentLanguage } from '#base/language.ts';
import { aboutStore } from '#base/server-facts.ts';
import type { View } from './dom.ts';
import styles from './login.module.css';
import { sign, signs } from './signs.ts';
import { loginTexts } from './texts.ts';

interface State {
  busy: boolean;
  sent: boolean;
  missing: boolean;
  failure: unknown;
}

const failureBox = (view: View, state: State): HTMLElement =>
  view.h(
    'div',
    { role: 'alert', class: styles['alert'] },
    view.h(
      'div',
      { class: styles['failure'], hidden: () => state.failure === null },
      sign(view, signs.notice),
      view.h('p', {}, () =>
        state.failure === null ? '' : errorWords(state.failure, currentLanguage()),
      ),
    ),
  );

const usernameField = ({ h }: View, state: State, input: HTMLInputElement): HTMLElement =>
  h(
    'div',
    { class: `${styles['field']} ${styles['asked']}` },
    h('label', { for: input.id }, () => loginTexts().username),
    h('div', { class: styles['input'], 'data-bad': () => state.missing }, input),
    h(
      'p',
      {
        id: 'forgot-words',
        class: styles['words'],
        'data-bad': () => state.missing,
        'aria-live': 'polite',
      },
      () => (state.missing ? loginTexts().username_empty : loginTexts().forgot.intro),
    ),
  );

interface Parts {
  state: State;
  change: (patch: Partial<State>) => void;
  input: HTMLInputElement;
  back: HTMLElement;
}

const send = async ({ state, change, input, back }: Parts): Promise<void> => {
  if (state.busy) return;
  const username = input.value.trim();
  change({ missing: username === '', failure: null });
  if (username === '') return input.focus();
  change({ busy: true });
  try {
    await call(askPasswordReset, { username });
    change({ busy: false, sent: true });
    back.focus();
  } catch (failure) {
    change({ busy: false, failure });
  }
};

/**
 * The text that replaces the form, or '' if the form can be used. If the server cannot send mail,
 * the text advises the user to ask a manager.
 */
const noteOf = ({ sent }: State): string => {
  if (sent) return loginTexts().forgot.sent;
  return aboutStore.getState().about?.mail === false ? loginTexts().forgot.no_mail : '';
};

const formOf = (view: View, parts: Parts): HTMLElement => {
  const { h } = view;
  const { state, input, back } = parts;
  return h(
    'form',
    {
      novalidate: true,
      'aria-busy': () => String(state.busy),
      onsubmit: (event: Event) => {
        event.preventDefault();
        void send(parts);
      },
    },
    h(
      'p',
      { class: styles['ending'], role: 'status', hidden: () => noteOf(state) === '' },
      sign(view, signs.notice),
      () => noteOf(state),
    ),
    h(
      'div',
      { hidden: () => noteOf(state) !== '' },
      usernameField(view, state, input),
      h(
        'button',
        { type: 'submit', class: styles['submit'], 'aria-disabled': () => String(state.busy) },
        h('span', { class: styles['spin'], hidden: () => !state.busy, 'aria-hidden': 'true' }),
        () => (state.busy ? loginTexts().forgot.submitting : loginTexts().forgot.submit),
      ),
      failureBox(view, state),
    ),
    back,
  );
};

/**
 * The form that requests a link by mail. Its response does not reveal whether the account exists.
 */
export const forgotForm = (
  view: View,
  { username, onBack }: { username: string; onBack: () => void },
): { node: HTMLElement; focus: () => void } => {
  const { h, update } = view;
  const state: State = { busy: false, sent: false, missing: false, failure: null };
  const change = (patch: Partial<State>): void => {
    Object.assign(state, patch);
    update();
  };
  const input = h('input', {
    id: 'forgot-username',
    name: 'username',
    autocomplete: 'username',
    autocapitalize: 'none',
    spellcheck: 'false',
    maxlength: usernameLength.max,
    'aria-describedby': 'forgot-words',
    'aria-invalid': () => String(state.missing),
    oninput: () => change({ missing: false, failure: null }),
  });
  input.value = username;
  const back = h(
    'button',
    { type: 'button', class: styles['link'], onclick: onBack },
    () => loginTexts().forgot.back,
  );
  return {
    node: formOf(view, { state, change, input, back }),
    focus: () => (noteOf(state) === '' ? input : back).focus(),
  };
};
