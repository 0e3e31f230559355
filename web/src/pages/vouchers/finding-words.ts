import { formatYuan } from '@waystation/contract/money/money.ts';
import { provinceName } from '@waystation/contract/parcels/provinces.ts';
import { kgText } from '@waystation/contract/base/weight.ts';
import { useTexts } from '#base/texts.ts';
import { useAreaName } from './words.ts';
import type { Remark } from './template.ts';

const shownNames = 6;

/** The text of a warning about a template, with its figures and the names of its regions. */
export const useFindingWords = (): ((remark: Pick<Remark, 'code' | 'params'>) => string) => {
  const { t, language } = useTexts();
  const areaName = useAreaName();
  const place = (code: string): string =>
    code.endsWith('0000') ? provinceName(code, language) : areaName(code);
  return ({ code, params }) => {
    const shown = Object.fromEntries(
      Object.entries(params).map(([name, value]) => {
        if (name.endsWith('_amount')) return [name, formatYuan(Number(value))];
        if (name.endsWith('_weight')) return [name, kgText(Number(value))];
        if (name === 'region' || name === 'province') return [name, place(String(value))];
        if (name !== 'regions') return [name, value];
        const codes = String(value).split(',');
        return [
          name,
          codes.slice(0, shownNames).map(place).join(t('vouchers.and')) +
            (codes.length > shownNames ? ' …' : ''),
        ];
      }),
    );
    return t(`vouchers.finding.${code}`, shown);
  };
};
