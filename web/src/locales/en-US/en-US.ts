import type { EnglishTexts } from '#locales/texts.ts';
import * as areas from './areas.ts';

export const enUS = { ...areas } satisfies EnglishTexts;
