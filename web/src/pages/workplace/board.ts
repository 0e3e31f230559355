import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import type { NumberKey, workplace } from '@waystation/contract/shell/workplace.ts';

export type Board = OutputOf<typeof workplace>;
export type BoardNumber = Board['numbers'][number];

export const numberOf = (board: Board | undefined, key: NumberKey): BoardNumber | undefined =>
  board?.numbers.find((each) => each.key === key);
