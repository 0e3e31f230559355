/** Menus, tips and selects open within the main landmark: what stands outside all landmarks is missed by who walks by them. */
export const popupsId = 'popups';

export const popupContainer = (): HTMLElement => document.getElementById(popupsId) ?? document.body;
