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
 * Returns `template` with the parameters filled in. `{name}` is replaced by the parameter;
 * `{count|line|lines}` by the number and the right English form of the noun. If a parameter is
 * missing, its placeholder is left unchanged, so that people notice it.
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
