/** Milliseconds without a key, a click, a turn of the wheel or a move of the pointer after which nobody is taken to sit here. */
const awayAfter = 30_000;

let active = Date.now();

/** When somebody last did something in this window, in epoch milliseconds. */
export const lastActive = (): number => active;

/** What is asked now is asked by the window itself: the list that reads itself again, not a person. */
export const isAway = (): boolean => Date.now() - active > awayAfter;

export const watchPresence = (): void => {
  const touch = (): void => {
    active = Date.now();
  };
  for (const event of ['keydown', 'input', 'click', 'pointerdown', 'pointermove', 'wheel'])
    document.addEventListener(event, touch, { capture: true, passive: true });
};
