import type { Params } from './envelope.ts';
import { yuanText } from '#money/money.ts';
import { kgText } from './weight.ts';

// Created on first use, because the console's first page does not need it.
let grouped: Intl.NumberFormat | undefined;
let englishPlural: Intl.PluralRules | undefined;

const shown = (name: string, value: string | number): string => {
  if (typeof value !== 'number') return value;
  if (name.endsWith('_amount')) return yuanText(value);
  if (name.endsWith('_weight')) return kgText(value);
  if (name === 'limit' || name === 'count')
    return (grouped ??= new Intl.NumberFormat('en')).format(value);
  return String(value);
};

/**
 * `template` with its `{name}` filled; `{count|line|lines}` is the number and the English noun in
 * its form for that number. An unknown name is left unchanged, so that a missing parameter is
 * noticed.
 */
export const fill = (template: string, params: Params = {}): string =>
  template.replace(
    /\{(\w+)(?:\|([^|}]+)\|([^|}]+))?\}/g,
    (whole, name: string, one?: string, other?: string) => {
      const value = params[name];
      if (value === undefined) return whole;
      if (one === undefined) return shown(name, value);
      return `${shown(name, value)} ${(englishPlural ??= new Intl.PluralRules('en')).select(Number(value)) === 'one' ? one : other}`;
    },
  );
