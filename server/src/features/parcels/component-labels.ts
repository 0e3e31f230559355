import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import type * as calls from '@waystation/contract/parcels/express-calls.ts';
import { present } from '@waystation/contract/base/present.ts';
import type { App } from '#app.ts';
import { openAccount, recordAnswer } from '#domain/carrier-accounts/carrier-accounts.ts';
import type { OpenAccount } from '#domain/carrier-accounts/carrier-accounts.ts';
import { mostLabelWaybills } from '#domain/carriers/carriers.ts';
import type { Answered, ComponentLabel } from '#domain/carriers/carriers.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { failWithAll, mostDrawings, recordDrawn, select } from './labels.ts';
import type { LabelFailure, PrintableRow } from './labels.ts';

type Input = ParsedOf<typeof calls.componentLabels>;
type Output = OutputOf<typeof calls.componentLabels>;

/**
 * A parcel's encrypted label data and their layout for the print component, or the reason why they
 * are missing.
 */
type Found = { row: PrintableRow } & (
  | { template_url: string; data: string[] }
  | { reason: Reason }
);

/** The limit of calls at the same time with one account. */
const callsAtOnce = 4;

const chunksOf = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, no) =>
    list.slice(no * size, (no + 1) * size),
  );

const reasonOf = (answer: Exclude<Answered<ComponentLabel[]>, { outcome: 'ok' }>): Reason =>
  answer.outcome === 'refused'
    ? { code: 'label_data_refused', params: { text: answer.text } }
    : { code: 'label_data_unavailable' };

const askFor = async (
  app: App,
  opened: OpenAccount,
  template_url: string,
  rows: readonly PrintableRow[],
): Promise<Found[]> => {
  const { carrier, account, merchant_id } = opened;
  const answer = await carrier.labels(account, rows);
  await app.db.tx(systemScope('labels'), (work) =>
    recordAnswer(app, work, merchant_id, { express_id: null, answer }),
  );
  if (answer.outcome !== 'ok') return rows.map((row) => ({ row, reason: reasonOf(answer) }));
  return answer.value.map((label, no) => {
    const row = present(rows[no]);
    return 'data' in label
      ? { row, template_url, data: label.data }
      : {
          row,
          reason: {
            code: 'label_data_refused',
            params: { text: label.refused || label.delivery_id },
          },
        };
  });
};

/**
 * Requests the label data of one account's parcels. The calls only read, so a repeat changes
 * nothing.
 */
const dataOf = async (
  app: App,
  merchant_id: number | null,
  rows: readonly PrintableRow[],
  format: Input['format'],
): Promise<Found[]> => {
  const withReason = (reason: Reason): Found[] => rows.map((row) => ({ row, reason }));
  if (merchant_id === null) return withReason({ code: 'label_data_unavailable' });
  const opened = await openAccount(app, merchant_id);
  const template = opened.carrier.labelTemplate(format);
  if (template === null)
    return withReason({
      code: 'label_no_component',
      params: { format: format.replace('x', ' × ') },
    });
  if (opened.paused) return withReason({ code: 'label_data_unavailable' });
  const found: Found[] = [];
  for (const group of chunksOf(chunksOf(rows, mostLabelWaybills), callsAtOnce))
    found.push(
      ...(await Promise.all(group.map((chunk) => askFor(app, opened, template, chunk)))).flat(),
    );
  return found;
};

/**
 * Returns the carrier's labels for its print component, in the requested order (requirements
 * §10.15.14). The label data are requested before anything is recorded: a parcel without data is
 * listed in `failures` and gets no print record. If no parcel has data, the first reason is the
 * error.
 */
export const printByComponent = async (
  app: App,
  actor: Actor,
  input: Input,
  request: RequestContext,
): Promise<Output> => {
  if (input.format === 'a4') fail('label_paper_pdf');
  const caller = callerOf(actor, request);
  const ids = [...new Set(input.ids)];
  for (let drawing = 1; drawing <= mostDrawings; drawing++) {
    const at = app.clock.now();
    const print = { ...input, driver: 'component' } as const;
    const { rows, failures } = await app.db.tx(caller, (work) => select(work, ids, print, at));
    const accounts = [...Map.groupBy(rows, ({ merchant_id }) => merchant_id)];
    const found = (
      await Promise.all(
        accounts.map(([merchant_id, parcels]) => dataOf(app, merchant_id, parcels, input.format)),
      )
    ).flat();
    const byId = new Map(found.map((each) => [each.row.id, each]));
    const printed: PrintableRow[] = [];
    for (const row of rows) {
      const { reason } = byId.get(row.id) as { reason?: Reason };
      if (reason) failures.push({ id: row.id, reason } satisfies LabelFailure);
      else printed.push(row);
    }
    if (printed.length === 0) return failWithAll(failures);
    const records = await recordDrawn(app, actor, { drawn: printed, input: print, request, at });
    if (records === null) continue;
    return {
      batch_id: records[0]?.batch_id ?? null,
      labels: records.map(({ id, express_id }) => {
        const { row, template_url, data } = byId.get(express_id) as Extract<
          Found,
          { data: string[] }
        >;
        return { id, express_id, delivery_id: row.delivery_id, template_url, data };
      }),
      failures,
    };
  }
  return fail('printed_meanwhile');
};
