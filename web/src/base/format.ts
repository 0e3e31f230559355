import { formatOf } from './formats.ts';
import type { Format } from './formats.ts';
import { useTexts } from './texts.ts';

export type { Format } from './formats.ts';

export const useFormat = (): Format => formatOf(useTexts().locale);
