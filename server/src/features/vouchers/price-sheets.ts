import { changedCells } from '@waystation/contract/money/voucher-diff.ts';
import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type * as calls from '@waystation/contract/money/voucher.ts';
import type { PriceListChoices } from '@waystation/contract/money/price-list.ts';
import { priceListChoices } from '@waystation/contract/money/price-list.schema.ts';
import type { App } from '#app.ts';
import {
  readPriceList,
  readPriceSheet,
  writePriceSheet,
} from '#domain/price-sheets/price-sheets.ts';
import { fileTypeOf } from '#domain/workbook/workbook.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf } from '#platform/db/db.ts';
import { failFields } from '#platform/fail.ts';
import type { FileAnswer, RequestContext } from '#platform/http/context.ts';
import { stateOf } from './versions.ts';
import { readVoucher } from './vouchers.ts';

export const file = (
  app: App,
  actor: Actor,
  { id, no = 0, language = 'zh' }: ParsedOf<typeof calls.voucherPricesFile>,
  request: RequestContext,
): Promise<FileAnswer> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const { name } = await readVoucher(app, work, id);
    const { weight } = await stateOf(app, work, id, no);
    const { body, rows } = await writePriceSheet(weight, language);
    await recordAudit(work, {
      action: 'export',
      subject: 'vouchers',
      subject_id: id,
      changes: { rows: [null, rows], format: [null, 'xlsx'] },
    });
    const version = no === 0 ? '' : `-${no}`;
    return {
      body,
      type: fileTypeOf.xlsx,
      name: `${language === 'zh' ? '价格' : 'prices'}-${name}${version}.xlsx`,
    };
  });

/**
 * Reads an edited price sheet and compares it with the draft. It stores nothing, so that the user
 * sees the changes in the editor first.
 */
export const read = async (
  app: App,
  actor: Actor,
  { id, language = 'zh' }: ParsedOf<typeof calls.readVoucherPrices>,
  request: RequestContext,
): Promise<OutputOf<typeof calls.readVoucherPrices>> => {
  const draft = await app.db.tx(callerOf(actor, request), (work) => readVoucher(app, work, id));
  const sent = request.file ?? failFields({ file: { code: 'file_required' } });
  const bytes = await sent.read();
  const { origins, rows, problems, problems_total } = await readPriceSheet(
    { name: sent.name, bytes },
    { language, isBusy: () => app.listSlots.isBusy() },
  );
  if (problems_total > 0) return { weight: null, rows, cells: 0, problems, problems_total };
  const weight = { divisor: draft.weight.divisor, origins };
  const cells = changedCells(draft, { ...draft, weight }).length;
  // If nothing differs, the draft itself is returned, so that saving it changes nothing.
  return {
    weight: cells === 0 ? draft.weight : weight,
    rows,
    cells,
    problems: [],
    problems_total: 0,
  };
};

const choicesOf = (text: string | undefined): PriceListChoices | null => {
  if (text === undefined || text === '') return null;
  try {
    const { data } = priceListChoices.safeParse(JSON.parse(text));
    return data ?? failFields({ choices: { code: 'invalid' } });
  } catch (error) {
    if (error instanceof SyntaxError) return failFields({ choices: { code: 'invalid' } });
    throw error;
  }
};

/**
 * Reads a price list of any layout. It stores nothing, so that the editor shows the differences
 * first.
 */
export const readList = async (
  app: App,
  actor: Actor,
  { id, language = 'zh', choices }: ParsedOf<typeof calls.readPriceList>,
  request: RequestContext,
): Promise<OutputOf<typeof calls.readPriceList>> => {
  await app.db.tx(callerOf(actor, request), (work) => readVoucher(app, work, id));
  const sent = request.file ?? failFields({ file: { code: 'file_required' } });
  const chosen = choicesOf(choices);
  const bytes = await sent.read();
  return readPriceList({ name: sent.name, bytes }, chosen, {
    language,
    isBusy: () => app.listSlots.isBusy(),
  });
};
