import type { View } from './dom.ts';
import styles from './login.module.css';
import { logo } from './signs.ts';
import { loginTexts } from './texts.ts';

/**
 * A drawing of a parcel's way over three stations. It is only decoration, so screen readers skip
 * it.
 */
const route = ({ svg }: View): SVGElement => {
  const path = (name: string, d: string): SVGElement => svg('path', { class: styles[name], d });
  const dot = (name: string, cx: number, cy: number, r: number): SVGElement =>
    svg('circle', { class: styles[name], cx, cy, r });
  const columns = Array.from({ length: 8 }, (_, index) => path('grid', `M${index * 80} 0V360`));
  const rows = Array.from({ length: 5 }, (_, index) => path('grid', `M0 ${20 + index * 80}H560`));
  return svg(
    'svg',
    {
      class: styles['route'],
      viewBox: '0 0 560 360',
      preserveAspectRatio: 'xMidYMax meet',
      'aria-hidden': 'true',
    },
    svg('g', { class: styles['fade'] }, ...columns, ...rows),
    path('branch', 'M210 236 C 250 300, 330 320, 420 316'),
    path('branch', 'M210 236 C 190 160, 220 96, 300 64'),
    path('way', 'M40 300 C 100 296, 140 240, 210 236'),
    path('way', 'M210 236 C 290 230, 310 160, 390 156'),
    path('ahead', 'M390 156 C 450 152, 470 92, 520 70'),
    dot('small', 420, 316, 5),
    dot('small', 300, 64, 5),
    dot('stop', 40, 300, 8),
    dot('stop', 210, 236, 8),
    dot('goal', 520, 70, 8),
    svg(
      'g',
      { transform: 'translate(360 122)' },
      path('box', 'M0 17 30 2l30 15v36L30 68 0 53Z'),
      path('edges', 'M0 17l30 15 30-15M30 32v36'),
    ),
  );
};

export const brand = (view: View): HTMLElement => {
  const { h } = view;
  return h(
    'aside',
    { class: styles['brand'], 'aria-label': () => loginTexts().product_full },
    h('p', { class: styles['name'] }, logo(view, 36), () => loginTexts().product),
    h(
      'div',
      { class: styles['pitch'] },
      h('p', { class: styles['tagline'] }, () => loginTexts().tagline),
      h('p', { class: styles['points'] }, () => loginTexts().points),
    ),
    route(view),
  );
};
