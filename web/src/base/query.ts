import { QueryClient, keepPreviousData, skipToken, useQueries, useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Endpoint, InputOf, OutputOf } from '@waystation/contract/endpoint.ts';
import { ApiError, isOutage } from './api-error.ts';
import { call } from './call.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Calls are made even if the browser reports being offline: a call that fails says so itself.
      networkMode: 'always',
      staleTime: 5_000,
      refetchOnWindowFocus: false,
      retry: (count, error) => isOutage(error) && count < 2,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

const keyOf = (endpoint: Endpoint): string => `${endpoint.method} ${endpoint.path}`;

export interface UseCallOptions {
  /** Shows the last answer while the next input's one loads. */
  keep?: boolean;
  /** Milliseconds between reads; none while the page is hidden. */
  refetchInterval?: number | false;
  /** Leaves the progress bar alone. */
  quiet?: boolean;
  /** Milliseconds for which an answer counts as current; 5 s by default. */
  staleTime?: number;
}

/** Reads an endpoint while the page is shown. An input of null means "not yet". */
export const useCall = <E extends Endpoint>(endpoint: E, input: InputOf<E> | null, options: UseCallOptions = {}): UseQueryResult<OutputOf<E>, ApiError> =>
  useQuery<OutputOf<E>, ApiError>({
    queryKey: [keyOf(endpoint), input],
    queryFn: input === null ? skipToken : ({ signal }) => call(endpoint, input, { signal }),
    meta: { quiet: options.quiet ?? false },
    ...(options.keep && { placeholderData: keepPreviousData as never }),
    ...(options.refetchInterval !== undefined && { refetchInterval: options.refetchInterval }),
    ...(options.staleTime !== undefined && { staleTime: options.staleTime }),
  });

/** Reads what a page is about to show, before it is drawn; a failure shows there. */
export const preloadQuery = <E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<void> =>
  queryClient.prefetchQuery({ queryKey: [keyOf(endpoint), input], queryFn: ({ signal }) => call(endpoint, input, { signal }) });

/** The answer that components get from `useCall`; several callers share one call. Throws what the call throws. */
export const readOnce = <E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<OutputOf<E>> =>
  queryClient.fetchQuery<OutputOf<E>>({
    queryKey: [keyOf(endpoint), input],
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { quiet: true },
  });

/**
 * The known answer for exactly this input unless a change has made it stale, else a call of its own. It never joins a call that a component began, because
 * that one is aborted when the component reads something else.
 */
export const readFresh = async <E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<OutputOf<E>> => {
  const queryKey = [keyOf(endpoint), input];
  const known = queryClient.getQueryState<OutputOf<E>>(queryKey);
  if (known?.data !== undefined && !known.isInvalidated) return known.data;
  const data = await call(endpoint, input);
  queryClient.setQueryData<OutputOf<E>>(queryKey, data as never);
  return data;
};

/** Reads an endpoint for several inputs at once, each on its own; quiet. */
export const useCalls = <E extends Endpoint>(endpoint: E, inputs: readonly InputOf<E>[]): UseQueryResult<OutputOf<E>, ApiError>[] =>
  useQueries({
    queries: inputs.map((input) => ({
      queryKey: [keyOf(endpoint), input],
      queryFn: ({ signal }: { signal: AbortSignal }) => call(endpoint, input, { signal }),
      meta: { quiet: true },
    })),
  }) as UseQueryResult<OutputOf<E>, ApiError>[];

/** After a change: what is shown of these endpoints, and of the counts of these lists, is read again, the rest when next shown. */
export const refresh = async (...endpoints: Endpoint[]): Promise<void> => {
  const keys = endpoints.flatMap((endpoint) => [keyOf(endpoint), `${keyOf(endpoint)}/counts`]);
  await Promise.all(keys.map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
};

/** Replaces the known answer, where a change is certain to be stored so. */
export const setAnswer = <E extends Endpoint>(endpoint: E, input: InputOf<E>, update: (known: OutputOf<E> | undefined) => OutputOf<E> | undefined): void =>
  void queryClient.setQueryData<OutputOf<E>>([keyOf(endpoint), input], update);

/** The same for every known answer of an endpoint, by its input. */
export const setAnswers = <E extends Endpoint>(endpoint: E, update: (known: OutputOf<E>, input: InputOf<E>) => OutputOf<E>): void => {
  for (const [key, known] of queryClient.getQueriesData<OutputOf<E>>({ queryKey: [keyOf(endpoint)] }))
    if (known !== undefined) queryClient.setQueryData<OutputOf<E>>(key, update(known, key[1] as InputOf<E>) as never);
};
