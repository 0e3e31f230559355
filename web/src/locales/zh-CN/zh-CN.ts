import * as areas from './areas.ts';

export const zhCN = { ...areas };
