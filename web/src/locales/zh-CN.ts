import { common } from './zh-cn-common.ts';
import { expresses } from './zh-cn-expresses.ts';
import { menu } from './zh-cn-menu.ts';
import { shell } from './zh-cn-shell.ts';
import { store } from './zh-cn-store.ts';
import { workplace } from './zh-cn-workplace.ts';

export const zhCN = { common, expresses, menu, shell, store, workplace };
