/**
 * The element in which menus, tips and selects open. It is inside the main landmark, because screen
 * readers that move by landmarks miss everything outside them.
 */
export const popupsId = 'popups';

export const popupContainer = (): HTMLElement => document.getElementById(popupsId) ?? document.body;

/**
 * The element in which popups are opened. If the anchor is in a popover, it is this popover,
 * because the popover would cover popups outside it.
 */
export const popupsNear = (anchor: Element): HTMLElement =>
  anchor.closest<HTMLElement>('[popover]') ?? popupContainer();
