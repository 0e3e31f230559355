/**
 * The element in which menus, tips and selects open. It is inside the main landmark, because screen
 * reader users who move by landmarks would otherwise miss them.
 */
export const popupsId = 'popups';

export const popupContainer = (): HTMLElement => document.getElementById(popupsId) ?? document.body;

/**
 * The element in which popups are opened. If the anchor is in a popover, it is this popover,
 * because the popover would cover popups outside it.
 */
export const popupsNear = (anchor: Element): HTMLElement =>
  anchor.closest<HTMLElement>('[popover]') ?? popupContainer();
