import { useEffect, useRef, useState } from 'react';
import type { Endpoint, InputOf, OutputOf } from '@waystation/contract/base/endpoint.ts';
import { useCall } from '#base/query.ts';
import { notify } from '#ui/overlay/notify.tsx';

/**
 * The fields that are returned by every counts call (contract: `countsOf`) and by every list that
 * counts its own rows.
 */
interface Counted {
  total: number | null;
  total_is_capped: number;
}

/** The number of rows that match the filters of a list. */
export interface Counts<A = unknown> {
  /** The number of rows; null if it is not known. */
  total: number | null;
  /** True if the real number of rows is larger than `total`. */
  capped: boolean;
  /**
   * The whole response of the counts call, with its sums. Undefined until the response has arrived,
   * and also if the list counts its own rows.
   */
  answer: A | undefined;
  /** True while the counts belong to the previous filters. */
  stale: boolean;
  /** True while the counts are being read. */
  busy: boolean;
  /** Requests an exact count of all rows; null if the count is already exact. */
  calculate: (() => Promise<void>) | null;
  refetch: () => unknown;
}

/** The counts of a list whose own response contains the number of rows. */
const ofList = (data: Counted | undefined): Omit<Counts<never>, 'answer' | 'refetch'> => ({
  total: data?.total ?? null,
  capped: data?.total_is_capped === 1,
  stale: false,
  busy: data === undefined,
  calculate: null,
});

interface CountedList {
  list: string;
  filters: object;
  data: Counted | undefined;
  refetchInterval: number | false | undefined;
}

/**
 * Reads the counts of a list when its filters change. The rows are read separately. On request it
 * makes an exact count in the background, which stays valid until the filters change.
 */
export const useCounts = <C extends Endpoint>(
  endpoint: C | undefined,
  { list, filters, data, refetchInterval }: CountedList,
): Counts<OutputOf<C>> => {
  type A = OutputOf<C> & Counted;
  const mark = JSON.stringify(filters);
  const [exact, setExact] = useState<{ mark: string; answer: A } | null>(null);
  const [busy, setBusy] = useState<string | null>(null);
  const left = useRef(new AbortController());
  useEffect(() => {
    left.current = new AbortController();
    return () => left.current.abort();
  }, []);
  const reading = useCall(
    endpoint ?? ({ method: 'GET', path: '' } as C),
    endpoint ? (filters as InputOf<C>) : null,
    {
      keep: true,
      quiet: true,
      ...(refetchInterval !== undefined && { refetchInterval }),
    },
  );
  if (!endpoint) return { ...ofList(data), answer: undefined, refetch: () => undefined };
  const calculate = async (): Promise<void> => {
    setBusy(mark);
    const { signal } = left.current;
    try {
      const { exactCount } = await import('./exact-count.ts');
      const answer = (await exactCount(list, filters, signal)) as A | null;
      if (answer !== null) setExact({ mark, answer });
    } catch (error) {
      notify.failure(error);
    } finally {
      setBusy(null);
    }
  };
  const isExact = exact?.mark === mark;
  const answer = isExact ? exact.answer : (reading.data as A | undefined);
  const stale = !isExact && reading.isPlaceholderData;
  const counted = stale ? undefined : answer;
  return {
    total: counted?.total ?? null,
    capped: counted?.total_is_capped === 1,
    answer,
    stale,
    busy: busy === mark || (counted === undefined && reading.isFetching),
    calculate:
      counted?.total_is_capped === 1 || (counted === undefined && reading.isError)
        ? calculate
        : null,
    refetch: () => {
      setExact(null);
      return reading.refetch();
    },
  };
};
