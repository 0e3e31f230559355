/** Menus, tips and selects open within the main landmark: what stands outside all landmarks is missed by who walks by them. */
export const popupsId = 'popups';

export const popupContainer = (): HTMLElement => document.getElementById(popupsId) ?? document.body;

/** Within the box that lies over everything where the anchor stands in one: elsewhere it would be covered by it. */
export const popupsNear = (anchor: Element): HTMLElement => anchor.closest<HTMLElement>('[popover]') ?? popupContainer();
