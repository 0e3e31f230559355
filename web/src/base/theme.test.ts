import { describe, expect, it } from 'vitest';
import { contrast, mix, readable } from './color.ts';
import { accents, themeColorContrast } from './theme.ts';

describe('colours', () => {
  it('two theme colours are mixed in the given proportion', () => {
    expect(mix('#000000', '#ffffff', 0.5)).toBe('#808080');
    expect(mix('#165dff', '#ffffff', 0)).toBe('#165dff');
  });

  it('the contrast of two colours is calculated as WCAG defines it', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
    expect(contrast('#ffffff', '#165dff')).toBe(contrast('#165dff', '#ffffff'));
  });

  it('a theme colour is darkened only if white text on it is not readable', () => {
    expect(readable('#165dff', '#ffffff', '#000000')).toBe('#165dff');
    expect(contrast(readable('#ffd500', '#ffffff', '#000000'), '#ffffff')).toBeGreaterThanOrEqual(
      4.5,
    );
  });
});

describe('a theme colour', () => {
  it('white text is readable on the theme colour of the specification', () => {
    expect(themeColorContrast('#165DFF')).toBeGreaterThanOrEqual(4.5);
    expect(accents('#165DFF', 'dark')).toEqual({
      primary: '#3C7EFF',
      solid: '#165DFF',
      link: '#6AA1FF',
    });
  });

  it.each(['#165DFF', '#FFD500', '#000000', '#FFFFFF', '#00FF00', '#C2185B', '#7A7A7A'])(
    'the theme colour %s gives readable buttons and links on light and dark backgrounds',
    (color) => {
      for (const [shade, page, card] of [
        ['light', '#f2f3f5', '#ffffff'],
        ['dark', '#17171a', '#2a2a2b'],
      ] as const) {
        const { solid, link } = accents(color, shade);
        expect(contrast(solid, '#ffffff')).toBeGreaterThanOrEqual(4.5);
        expect(contrast(link, page)).toBeGreaterThanOrEqual(4.5);
        expect(contrast(link, card)).toBeGreaterThanOrEqual(4.5);
      }
    },
  );
});
