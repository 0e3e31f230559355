import { createStore } from 'zustand/vanilla';
import { contrast, mix, readable } from './color.ts';
import { defaultThemeColor, settingsStore } from './settings-store.ts';
import type { Settings } from './settings-store.ts';

export type Shade = 'light' | 'dark';

interface Shown {
  shade: Shade;
}

const systemDark = globalThis.matchMedia?.('(prefers-color-scheme: dark)');

const shadeOf = (theme: Settings['theme']): Shade =>
  theme === 'system' ? (systemDark?.matches ? 'dark' : 'light') : theme;

/**
 * The displayed shade: light or dark. If the user follows the system's choice, it is the shade of
 * the system.
 */
export const shadeStore = createStore<Shown>(() => ({
  shade: shadeOf(settingsStore.getState().theme),
}));

/**
 * The colours that are derived from the theme colour and fit the background. `primary` is for
 * accents, `solid` for buttons with white text, and `link` for links.
 */
export const accents = (
  themeColor: string,
  shade: Shade,
): { primary: string; solid: string; link: string } => {
  const isDefault = themeColor.toUpperCase() === defaultThemeColor;
  const solid = readable(themeColor, '#ffffff', '#000000');
  if (shade === 'light')
    return { primary: themeColor, solid, link: readable(themeColor, '#f2f3f5', '#000000') };
  if (isDefault) return { primary: '#3C7EFF', solid: themeColor, link: '#6AA1FF' };
  return {
    primary: readable(mix(themeColor, '#ffffff', 0.16), '#232324', '#ffffff', 3),
    solid,
    link: readable(mix(themeColor, '#ffffff', 0.36), '#2a2a2b', '#ffffff'),
  };
};

/**
 * The contrast between white text and the theme colour (WCAG 1.4.3). Text is readable if the
 * contrast is at least 4.5.
 */
export const themeColorContrast = (themeColor: string): number => contrast(themeColor, '#ffffff');

const apply = (): void => {
  const { theme, colorWeak, themeColor } = settingsStore.getState();
  const shade = shadeOf(theme);
  const root = document.documentElement;
  root.dataset['theme'] = shade;
  root.toggleAttribute('data-color-weak', colorWeak);
  const isDefault = themeColor.toUpperCase() === defaultThemeColor;
  const { primary, solid, link } = accents(themeColor, shade);
  for (const [name, value] of [
    ['--primary', primary],
    ['--primary-solid', solid],
    ['--link', link],
  ] as const) {
    if (isDefault) root.style.removeProperty(name);
    else root.style.setProperty(name, value);
  }
  shadeStore.setState({ shade });
};

/**
 * Applies the theme colours to the document. They are applied again when the settings or the
 * system's colour scheme change.
 */
export const followTheme = (): void => {
  apply();
  settingsStore.subscribe(apply);
  systemDark?.addEventListener('change', apply);
};
