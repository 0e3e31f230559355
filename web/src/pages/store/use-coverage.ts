import type { Quote } from '@waystation/contract/parcels/express.ts';
import { useCoverageCalls, windowsKnownFor } from '#parcels/ask-coverage.ts';
import type { Coverage } from '#parcels/ask-coverage.ts';
import type { OrderForm } from '#parcels/orders/form.ts';
import { useSettled } from '#resource/stations/station-picker.tsx';
import { coverageKey, coverInput } from './cover-input.ts';

/**
 * The coverage answers of the carriers, each stored under its `coverageKey`. An answer that has not
 * arrived is missing.
 */
export type Coverages = ReadonlyMap<string, Coverage>;

/**
 * Coverage is requested after a pause in typing of this many milliseconds, because each request
 * goes to every carrier.
 */
const pause = 800;
/** The maximum number of milliseconds that an order waits for current pickup windows. */
const presentWait = 3_000;

/** A person of a pasted list, with the order form for this person and the chosen offer. */
export interface PersonAsked {
  form: OrderForm;
  offer: Pick<Quote, 'provider' | 'promise_id' | 'customer_code'>;
}

interface CoverageAsked {
  /** The offers to request coverage for. Each carrier among them gets a request. */
  quotes: readonly Pick<Quote, 'provider' | 'customer_code'>[];
  /** The offer that will be ordered; null if there is none. */
  chosen?: Pick<Quote, 'provider' | 'promise_id'> | null;
  people?: readonly PersonAsked[];
}

/**
 * The inputs of the coverage requests. There is one for the carrier of each offer, and one more for
 * each of `people` whose product needs its own. If offers use the chosen account, it is sent only
 * to their carrier. If no offer uses it, it is sent to every carrier, and the server then asks none
 * of them.
 */
export const coverInputs = (
  form: OrderForm,
  { quotes, chosen = null, people = [] }: CoverageAsked,
  fresh: boolean,
): NonNullable<ReturnType<typeof coverInput>>[] => {
  const { customer_code } = form;
  const isUsed = quotes.some((quote) => quote.customer_code === customer_code);
  const own = [...new Map(quotes.map((quote) => [quote.provider, quote])).values()].map((quote) => {
    const promise_id = chosen?.provider === quote.provider ? chosen.promise_id : '';
    return { form, offer: { ...quote, promise_id } };
  });
  const asked = new Set(own.map(({ offer }) => coverageKey(offer)));
  const others = people.filter(({ offer }) => !asked.has(coverageKey(offer)));
  return [...others, ...own].flatMap(({ form: typed, offer }) => {
    const asksOther = isUsed && offer.customer_code !== customer_code;
    return (
      coverInput(
        asksOther ? { ...typed, customer_code: '' } : typed,
        offer.provider,
        fresh,
        offer.promise_id,
      ) ?? []
    );
  });
};

export interface AskedCoverages {
  coverages: Coverages;
  /**
   * If the shown answers with pickup windows are old, requests new answers and resolves with them.
   * It waits at most 3 s. Returns null if the answers are not old.
   */
  askIfOld: () => Promise<Coverages> | null;
}

/**
 * The carriers' coverage answers for the two typed addresses. They include the addresses of those
 * `people` who have another offer than the chosen one. `fresh` is true to ask the carriers again
 * when the form opens, because earlier answers may contain past pickup windows.
 */
export const useCoverages = (
  form: OrderForm,
  asked: CoverageAsked,
  closed: boolean,
  fresh: boolean,
): AskedCoverages => {
  const text = JSON.stringify(closed ? [] : coverInputs(form, asked, fresh));
  const settled = useSettled(text, pause);
  const inputs = JSON.parse(settled) as ReturnType<typeof coverInputs>;
  const answers = useCoverageCalls(inputs, fresh);
  const isPresent = settled === text;
  const byProvider = (data: readonly (Coverage | undefined)[]): Coverages =>
    new Map(
      isPresent
        ? inputs.flatMap((input, index) => {
            const { provider } = input;
            const answer = data[index];
            return answer === undefined
              ? []
              : ([
                  [coverageKey(input), answer],
                  [provider, answer],
                ] as const);
          })
        : [],
    );
  const coverages = byProvider(answers.map(({ data }) => data));
  return {
    coverages,
    askIfOld: () => {
      const isOld = answers.some(
        ({ data, dataUpdatedAt }) =>
          (data?.pickup_windows?.length ?? 0) > 0 && Date.now() - dataUpdatedAt > windowsKnownFor,
      );
      if (!isPresent || !isOld) return null;
      const asked = Promise.all(answers.map(({ refetch }) => refetch()));
      return Promise.race([
        asked.then((results) => byProvider(results.map(({ data }) => data))),
        new Promise<Coverages>((resolve) => {
          setTimeout(() => resolve(coverages), presentWait);
        }),
      ]);
    },
  };
};
