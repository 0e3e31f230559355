/**
 * The element in which menus, tips and selects open. It is inside the main landmark, because screen
 * readers that move by landmarks miss everything outside them.
 */
export const popupsId = 'popups';

export const popupContainer = (): HTMLElement => document.getElementById(popupsId) ?? document.body;

/**
 * The element to open popups in: the popover around the anchor, if there is one. A popover is in
 * the top layer and would cover popups outside it.
 */
export const popupsNear = (anchor: Element): HTMLElement =>
  anchor.closest<HTMLElement>('[popover]') ?? popupContainer();
