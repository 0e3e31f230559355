import * as z from 'zod/mini';
import { providers } from './provider.ts';
import type { Provider } from './provider.ts';

export const provider = z.enum(Object.keys(providers) as [Provider, ...Provider[]], 'invalid');
