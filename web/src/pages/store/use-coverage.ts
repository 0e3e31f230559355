import { coverExpress } from '@waystation/contract/parcels/express-calls.ts';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import type { Quote } from '@waystation/contract/parcels/express.ts';
import { useCalls } from '#base/query.ts';
import type { OrderForm } from '#parcels/orders/form.ts';
import { useSettled } from '#resource/stations/station-picker.tsx';
import { coverInput } from './cover-input.ts';

export type Coverage = OutputOf<typeof coverExpress>;
/** The answers of the carriers by their codes; those that have not answered yet are missing. */
export type Coverages = ReadonlyMap<string, Coverage>;

/** Each address is a request to each carrier, sent after a pause in typing. */
const pause = 800;
/** A carrier that does not answer is asked again after so long. */
const silenceAgain = 30_000;

/**
 * The inputs for the carriers of the offers, each once. A chosen account is asked of its own carrier
 * alone; one that none of the offers is ordered with, of every carrier, which then is not asked.
 */
export const coverInputs = (
  form: OrderForm,
  quotes: readonly Pick<Quote, 'provider' | 'customer_code'>[],
  fresh: boolean,
): NonNullable<ReturnType<typeof coverInput>>[] => {
  const { customer_code } = form;
  const isUsed = quotes.some((quote) => quote.customer_code === customer_code);
  return [...new Map(quotes.map((quote) => [quote.provider, quote])).values()].flatMap((quote) => {
    const asksOther = isUsed && quote.customer_code !== customer_code;
    return (
      coverInput(asksOther ? { ...form, customer_code: '' } : form, quote.provider, fresh) ?? []
    );
  });
};

/**
 * The carriers' answers about the two typed places. Nothing waits for them, and each comes by
 * itself. A `fresh` one is asked for whenever the form opens, because pickup windows pass.
 */
export const useCoverages = (
  form: OrderForm,
  quotes: readonly Quote[],
  closed: boolean,
  fresh: boolean,
): Coverages => {
  const text = JSON.stringify(closed ? [] : coverInputs(form, quotes, fresh));
  const settled = useSettled(text, pause);
  const inputs = JSON.parse(settled) as ReturnType<typeof coverInputs>;
  const answers = useCalls(coverExpress, inputs, {
    staleTime: fresh ? 0 : 600_000,
    refetchAfter: (data) => (data?.reason ? silenceAgain : false),
  });
  return new Map(
    settled === text
      ? inputs.flatMap(({ provider }, index) => {
          const data = answers[index]?.data;
          return data === undefined ? [] : [[provider, data] as const];
        })
      : [],
  );
};
