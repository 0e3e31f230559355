import type { Quote } from '@waystation/contract/parcels/express.ts';
import { useCoverageCalls, windowsKnownFor } from '#parcels/ask-coverage.ts';
import type { Coverage } from '#parcels/ask-coverage.ts';
import type { OrderForm } from '#parcels/orders/form.ts';
import { useSettled } from '#resource/stations/station-picker.tsx';
import { coverageKey, coverInput } from './cover-input.ts';

/**
 * The answers of the carriers by their codes, and by `coverageKey`; an answer that has not come yet
 * is missing.
 */
export type Coverages = ReadonlyMap<string, Coverage>;

/**
 * Milliseconds of pause in typing before coverage is requested, since each address means a request
 * to each carrier.
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
  /** The offers for whose carriers coverage is requested. */
  quotes: readonly Pick<Quote, 'provider' | 'customer_code'>[];
  /** The offer that will be ordered; null if there is none. */
  chosen?: Pick<Quote, 'provider' | 'promise_id'> | null;
  people?: readonly PersonAsked[];
}

/**
 * The inputs of the coverage requests: one for the carrier of each offer, and further ones for
 * `people` whose products need another. If an offer uses the chosen account, the account is sent
 * only to that offer's carrier. If no offer uses it, it is in every input, and the server then asks
 * no carrier.
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
   * If the shown answers with pickup windows are old, requests new ones and resolves with them
   * after 3 s at most. Returns null if the answers are not old.
   */
  askIfOld: () => Promise<Coverages> | null;
}

/**
 * The carriers' answers about coverage of the two typed places, and of the places of `people` with
 * other offers than the chosen one. `fresh`: the carrier is asked again each time the form opens,
 * because pickup windows pass.
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
