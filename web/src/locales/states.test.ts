import { expect, test } from 'vitest';
import { expressStates } from '@waystation/contract/parcels/express-states.ts';
import { enUS } from './en-US/en-US.ts';
import { zhCN } from './zh-CN/zh-CN.ts';

test.each([
  ['Chinese', zhCN, 'zh'],
  ['English', enUS, 'en'],
] as const)(
  'the state 400 has one name on every screen, different from open exceptions, in %s',
  (_, texts, language) => {
    const name = expressStates[400][language];
    const { tabs, step, filter, arrived } = texts.expresses;
    expect([tabs.exception, step.exception, arrived.exception]).toEqual([name, name, name]);
    expect(texts.workplace.exception.replace(/s$/, '')).toBe(name);
    for (const other of [
      filter.exception,
      texts.expresses.exceptions,
      texts.workplace.exceptions.title,
      texts.parcel.field.exception,
    ])
      expect(other.replace(/s$/, '')).not.toBe(name);
  },
);
