import type { BrowserContext } from 'playwright-core';

// The functions of the crawl that run inside the page. They find elements that open something,
// press them, and report which dialog, menu or drawer is open.

/** The place where a button is pressed: the page, or the topmost dialog. */
export type Box = 'page' | 'dialog';

/** The state of a dialog as a user perceives it, on the screen and by keyboard. */
interface Standing {
  title: string;
  /** The defect of the dialog, for example that it has no name; null if it has no defect. */
  fault: string | null;
}

interface Hands {
  /**
   * The texts of the buttons that may be pressed. In a list, only the buttons in the first row of
   * each kind are included.
   */
  names(box: Box, page: string): string[];
  /**
   * Presses the button or row. Waits until something has opened, or until nothing was drawn for
   * three frames. Returns true if something has opened.
   */
  press(box: Box, page: string, name: string): Promise<boolean>;
  /** Presses an item of the topmost menu. Returns true if something has opened. */
  pressItem(name: string): Promise<boolean>;
  /** Presses the first row of the list; returns the same as `press`. */
  pressRow(page: string): Promise<boolean>;
  items(): string[];
  /** Selects the first row, so that the actions on selected rows are visible. */
  choose(page: string): void;
  /** The number of dialogs and menus that are open. */
  open(): number;
  /** True while the topmost dialog still loads data. */
  waits(): boolean;
  /** The topmost open dialog; null if none is open. */
  standing(): Standing | null;
  tabs(): number;
  pressTab(index: number): void;
  /**
   * True if the topmost dialog shows a record. The buttons of a record open further dialogs; the
   * buttons of any other dialog submit it.
   */
  isRecord(): boolean;
}
declare global {
  interface Window {
    hands: Hands;
  }
}

/**
 * Adds these functions to the page before it loads. The content security policy of the console
 * forbids to evaluate code later.
 */
export const bringHands = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(hands);

// oxlint-disable-next-line max-lines-per-function -- it goes to the page as one text
const hands = (): void => {
  const wordsOf = (element: HTMLElement): string =>
    (element.innerText.trim() || (element.getAttribute('aria-label') ?? '')).replaceAll(
      /\s+/g,
      ' ',
    );
  const shown = (selector: string): HTMLElement[] =>
    [...document.querySelectorAll<HTMLElement>(selector)].filter((element) =>
      element.checkVisibility(),
    );
  const dialogs = (): HTMLElement[] => shown('[role=dialog], [role=alertdialog]');
  const menus = (): HTMLElement[] => shown('[role=menu]');
  const top = (): HTMLElement | undefined => dialogs().at(-1);
  const open = (): number => dialogs().length + menus().length;
  const never =
    '[role=radio], [role=option], [role=tab], [aria-pressed], [aria-sort], [data-part=close]';
  const asks = (dialog: Element | undefined): boolean =>
    (dialog?.querySelector('form') ?? null) !== null;
  const isRecord = (): boolean => /[?&](?:id|month)=\d/.test(window.location.hash);
  const mayPress = (button: HTMLButtonElement): boolean =>
    button.checkVisibility() &&
    button.type !== 'submit' &&
    !button.matches(never) &&
    button.closest('[role=columnheader], [role=listbox], [role=menu]') === null &&
    // The buttons in a form's footer only submit and close the form.
    (isRecord() || button.closest('[data-overlay=sheet] [data-part=footer]') === null);
  const buttons = (box: Box, page: string): HTMLButtonElement[] => {
    const root = box === 'page' ? document.querySelector(`[data-page="${page}"]`) : top();
    return [...(root?.querySelectorAll<HTMLButtonElement>('button:not(:disabled)') ?? [])].filter(
      (button) => mayPress(button),
    );
  };
  const frame = (): Promise<unknown> => new Promise((done) => requestAnimationFrame(done));
  const opens = async (before: number, act: () => void): Promise<boolean> => {
    act();
    for (let drawn = 0; drawn < 3 && open() <= before; drawn += 1) await frame();
    return open() > before;
  };
  const usable =
    'input:not([type=hidden], [type=file], :disabled), textarea:not(:disabled), select:not(:disabled), [role=combobox]';
  window.hands = {
    names: (box, page) => {
      const kinds = new Map<string, Element>();
      const first = document.querySelector(`[data-page="${page}"] [data-row]`);
      const isFirst = (button: HTMLElement): boolean => {
        const row = button.closest('[data-row]');
        if (row === null || row === first) return true;
        const actions = row.querySelector<HTMLElement>('[role=gridcell]:last-child');
        const kind = actions?.innerText ?? '';
        if (!kinds.has(kind) && kinds.size < 3) kinds.set(kind, row);
        return kinds.get(kind) === row && actions?.contains(button) === true;
      };
      return [...new Set(buttons(box, page).filter(isFirst).map(wordsOf))].filter(
        (name) => name !== '',
      );
    },
    press: (box, page, name) =>
      opens(open(), () => {
        const button = buttons(box, page).find((one) => wordsOf(one) === name);
        button?.focus();
        button?.click();
      }),
    pressItem: (name) => {
      const item = [
        ...(menus().at(-1)?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? []),
      ].find((one) => wordsOf(one) === name);
      return opens(dialogs().length, () => item?.click());
    },
    pressRow: (page) =>
      opens(open(), () =>
        document
          .querySelector<HTMLElement>(`[data-page="${page}"] [data-row]`)
          ?.dispatchEvent(new MouseEvent('dblclick', { bubbles: true })),
      ),
    items: () =>
      [
        ...(menus()
          .at(-1)
          ?.querySelectorAll<HTMLElement>('[role=menuitem]:not([aria-disabled=true], :disabled)') ??
          []),
      ].map(wordsOf),
    choose: (page) => {
      const box = document.querySelector<HTMLInputElement>(
        `[data-page="${page}"] [data-row] input[type=checkbox]`,
      );
      if (box?.checked === false) box.click();
    },
    open,
    waits: () => (top()?.querySelector('[aria-busy=true]') ?? null) !== null,
    standing: () => {
      const dialog = top();
      if (!dialog) return null;
      const heading = dialog.querySelector<HTMLElement>('h2, h3');
      const named = document.getElementById(dialog.getAttribute('aria-labelledby') ?? '');
      const title = (
        dialog.getAttribute('aria-label') ??
        named?.innerText ??
        heading?.innerText ??
        ''
      )
        .trim()
        .replaceAll(/\s+/g, ' ');
      const isPopup = dialog.closest('[popover]') !== null;
      const at = document.activeElement;
      if (title === '') return { title, fault: 'has no name' };
      if (!isPopup && !heading?.innerText.trim()) return { title, fault: 'has no heading' };
      if (at === null || !dialog.contains(at))
        return {
          title,
          fault: `leaves the focus on ${(at ?? document.body).outerHTML.slice(0, 120)}`,
        };
      const field = asks(dialog)
        ? [...dialog.querySelectorAll<HTMLElement>(`form :is(${usable})`)].find((each) =>
            each.checkVisibility(),
          )
        : undefined;
      if (field && !at.matches(`${usable}, [role=checkbox]`))
        return { title, fault: `has fields and starts on ${at.outerHTML.slice(0, 120)}` };
      return { title, fault: null };
    },
    tabs: () => top()?.querySelectorAll('[role=tab]').length ?? 0,
    pressTab: (index) => top()?.querySelectorAll<HTMLElement>('[role=tab]')[index]?.click(),
    isRecord: () =>
      (top()?.closest('[data-overlay=sheet]') ?? null) !== null && (isRecord() || !asks(top())),
  };
};
