import { createElement } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeEach, describe, expect, it } from 'vitest';
import { localeStore } from '#base/language.ts';
import type { Locale } from '#base/language.ts';
import { Fragment, jsx, jsxs } from './jsx-runtime.ts';

const html = (element: ReactElement): string => renderToStaticMarkup(element);
const speak = (locale: Locale): void => localeStore.setState({ locale });

describe('Chinese within English sentences (WCAG 3.1.2)', () => {
  beforeEach(() => speak('en-US'));

  it('a Chinese name in an English sentence is marked as Chinese, and the sentence stays inside one element', () => {
    expect(html(jsx('p', { children: 'Disable 深圳南山站?' }))).toBe(
      '<p><bdi>Disable <bdi lang="zh-CN">深圳南山站</bdi>?</bdi></p>',
    );
  });

  it('adjacent texts in an element are treated as one sentence when Chinese parts are marked, even if an empty value is between them', () => {
    expect(html(jsxs('p', { children: ['Sent to ', '王五', ' ', false, '13900139000'] }))).toBe(
      '<p><bdi>Sent to <bdi lang="zh-CN">王五</bdi> 13900139000</bdi></p>',
    );
    const name = createElement('b', null, '!');
    expect(html(jsxs(Fragment, { children: ['Dear ', name, '王五'] }))).toBe(
      'Dear <b>!</b><bdi lang="zh-CN">王五</bdi>',
    );
  });

  it('if a Chinese part of a text is marked, the elements beside the text keep their index among the children', () => {
    const field = createElement('input');
    const places = (text: string): number =>
      (
        jsxs('p', { children: [text, ' kg', field] }).props as { children: ReactNode[] }
      ).children.indexOf(field);
    expect([places('3 '), places('深圳 ')]).toEqual([2, 2]);
  });

  it('Chinese parts are not marked if the text has only one language, or on a Chinese page, in a React component or in an option', () => {
    expect(html(jsx('p', { children: '深圳南山站' }))).toBe('<p>深圳南山站</p>');
    expect(html(jsx('option', { children: 'To 深圳' }))).toBe('<option>To 深圳</option>');
    const Part = ({ children }: { children?: ReactNode }): ReactNode => typeof children;
    expect(html(jsx(Part as never, { children: 'To 深圳' }))).toBe('string');
    speak('zh-CN');
    expect(html(jsx('p', { children: '导入 Excel' }))).toBe('<p>导入 Excel</p>');
  });
});
