/**
 * The user counts as away after this number of milliseconds without a key press, a click, the wheel
 * or a pointer movement.
 */
const awayAfter = 30_000;

let active = Date.now();

/** The time of the last keyboard or pointer input in this window, in milliseconds since 1970. */
export const lastActive = (): number => active;

/**
 * True if the user has not used this browser window for a while. Its calls, such as the polling of
 * a list, then do not extend the session.
 */
export const isAway = (): boolean => Date.now() - active > awayAfter;

export const watchPresence = (): void => {
  const touch = (): void => {
    active = Date.now();
  };
  for (const event of ['keydown', 'input', 'click', 'pointerdown', 'pointermove', 'wheel'])
    document.addEventListener(event, touch, { capture: true, passive: true });
};
