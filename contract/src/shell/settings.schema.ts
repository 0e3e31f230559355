import * as z from 'zod/mini';
import { settingTextLength } from '#base/limits.ts';
import { provinceCodes } from '#parcels/provinces.ts';
import { settings, timeOfDayPattern } from './settings.ts';
import type { AnySettingValue, Setting, SettingName } from './settings.ts';

const timeOfDay = z.string().check(z.regex(timeOfDayPattern, 'invalid'));
const provinceList = z.array(z.enum(provinceCodes, 'province_code')).check(
  z.maxLength(provinceCodes.length, 'too_long'),
  z.refine((codes) => new Set(codes).size === codes.length, { error: 'invalid' }),
);

/** The schema for the value of a setting; it uses the same error codes as all fields. */
export const settingSchema = (name: SettingName): z.ZodMiniType<AnySettingValue> => {
  const setting = settings[name] as Setting;
  if (setting.kind === 'provinces') return provinceList;
  if (setting.kind === 'time_of_day') return timeOfDay;
  if (setting.kind === 'choice') return z.enum(Object.keys(setting.choices), 'invalid');
  if (setting.kind === 'text')
    return z.string().check(z.trim(), z.maxLength(settingTextLength, 'too_long'));
  return z.int('integer').check(z.gte(setting.min, 'too_small'), z.lte(setting.max, 'too_big'));
};
