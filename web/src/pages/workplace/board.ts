import type { OutputOf } from '@waystation/contract/endpoint.ts';
import type { workplace } from '@waystation/contract/express-calls.ts';

export type Board = OutputOf<typeof workplace>;
