import type { Reason } from '@waystation/contract/envelope.ts';

/** Why a row that the sheet does not show is left out until a person includes it. */
export const hiddenRow = { code: 'import_hidden_row' } as const satisfies Reason;
