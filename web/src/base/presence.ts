/** Milliseconds without a key, a click, the wheel or a move of the pointer after which the user counts as away. */
const awayAfter = 30_000;

let active = Date.now();

/** When somebody last did something in this window, in epoch milliseconds. */
export const lastActive = (): number => active;

/** Whether nobody uses this window: then its calls, such as a list's polling, are not a person's. */
export const isAway = (): boolean => Date.now() - active > awayAfter;

export const watchPresence = (): void => {
  const touch = (): void => {
    active = Date.now();
  };
  for (const event of ['keydown', 'input', 'click', 'pointerdown', 'pointermove', 'wheel'])
    document.addEventListener(event, touch, { capture: true, passive: true });
};
