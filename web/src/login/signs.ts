import type { View } from './dom.ts';

/**
 * The few icons of the login page. They are drawn here, so that no icon package is loaded for them.
 */
const eye =
  'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6';

export const signs = {
  eye,
  eyeCrossed: `${eye}M4 4l16 16`,
  sun: 'M12 7.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4',
  moon: 'M20.5 14.2A8.5 8.5 0 0 1 9.8 3.5a8.5 8.5 0 1 0 10.7 10.7Z',
  notice: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 7.5v5.5M12 16.3v.2',
} as const;

export const sign = ({ svg }: View, d: string | (() => string)): SVGElement =>
  svg(
    'svg',
    {
      width: 18,
      height: 18,
      viewBox: '0 0 24 24',
      fill: 'none',
      stroke: 'currentColor',
      'stroke-width': 1.8,
      'stroke-linecap': 'round',
      'stroke-linejoin': 'round',
      'aria-hidden': 'true',
    },
    svg('path', { d }),
  );

/** The logo, as in shell/layout/logo.tsx. */
export const logo = ({ svg }: View, size: number): SVGElement =>
  svg(
    'svg',
    { width: size, height: size, viewBox: '0 0 32 32', 'aria-hidden': 'true' },
    svg('rect', { width: 32, height: 32, rx: 7 }),
    svg('path', {
      d: 'M6.5 9.5 11 23l5-9.5L21 23l4.5-13.5',
      fill: 'none',
      'stroke-width': 2.6,
      'stroke-linecap': 'round',
      'stroke-linejoin': 'round',
    }),
    svg('circle', { cx: 16, cy: 9, r: 2.4 }),
  );
