import {
  QueryClient,
  keepPreviousData,
  skipToken,
  useQueries,
  useQuery,
} from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Endpoint, InputOf, OutputOf } from '@waystation/contract/base/endpoint.ts';
import { ApiError, isOutage } from './api-error.ts';
import { call } from './call.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Calls are made even if the browser reports that it is offline, because a failed call
      // reports its own error.
      networkMode: 'always',
      staleTime: 5_000,
      refetchOnWindowFocus: false,
      retry: (count, error) => isOutage(error) && count < 2,
      // Adds a random part. Otherwise all windows that were refused at the same time would repeat
      // the call at the same time.
      retryDelay: (count, error) =>
        ((error instanceof ApiError && error.retryAfter) || 2 ** count) *
        (1_000 + Math.random() * 250),
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

const keyOf = (endpoint: Endpoint): string => `${endpoint.method} ${endpoint.path}`;

export interface UseCallOptions {
  /** True if the previous answer is shown until the answer for the new input arrives. */
  keep?: boolean;
  /** Milliseconds between two reads. Nothing is read while the page is hidden. */
  refetchInterval?: number | false;
  /** True if the progress bar at the top is not shown for this call. */
  quiet?: boolean;
  /** The number of milliseconds for which an answer counts as current. The default is 5 s. */
  staleTime?: number;
}

/** Reads an endpoint while the page is shown. Reads nothing while `input` is null. */
export const useCall = <E extends Endpoint>(
  endpoint: E,
  input: InputOf<E> | null,
  options: UseCallOptions = {},
): UseQueryResult<OutputOf<E>, ApiError> =>
  useQuery<OutputOf<E>, ApiError>({
    queryKey: [keyOf(endpoint), input],
    queryFn: input === null ? skipToken : ({ signal }) => call(endpoint, input, { signal }),
    meta: { quiet: options.quiet ?? false },
    ...(options.keep && { placeholderData: keepPreviousData as never }),
    ...(options.refetchInterval !== undefined && { refetchInterval: options.refetchInterval }),
    ...(options.staleTime !== undefined && { staleTime: options.staleTime }),
  });

/** Reads the data of a page before the page is drawn. If this fails, the page shows the failure. */
export const preloadQuery = <E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<void> =>
  queryClient.prefetchQuery({
    queryKey: [keyOf(endpoint), input],
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
  });

/**
 * Returns the answer that components get from `useCall`. Callers that run simultaneously share one
 * call. Throws the errors of the call.
 */
export const readOnce = <E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
): Promise<OutputOf<E>> =>
  queryClient.fetchQuery<OutputOf<E>>({
    queryKey: [keyOf(endpoint), input],
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { quiet: true },
  });

/**
 * Returns the cached answer for exactly this input. If a change has made it outdated, a new call is
 * made. It never joins the call of a component, because React Query aborts that call when the
 * component reads something else.
 */
export const readFresh = async <E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
): Promise<OutputOf<E>> => {
  const queryKey = [keyOf(endpoint), input];
  const known = queryClient.getQueryState<OutputOf<E>>(queryKey);
  if (known?.data !== undefined && !known.isInvalidated) return known.data;
  const data = await call(endpoint, input);
  queryClient.setQueryData<OutputOf<E>>(queryKey, data as never);
  return data;
};

interface UseCallsOptions<E extends Endpoint> {
  /**
   * Returns the number of milliseconds for which an answer counts as current. The default is 5 s.
   */
  staleTime?: (data: OutputOf<E> | undefined) => number;
  /** True if an answer that is too old is read again when the browser window becomes visible. */
  whenShown?: boolean;
  /**
   * The number of milliseconds after which an answer is read again. If false, it is never read
   * again.
   */
  refetchAfter?: (data: OutputOf<E> | undefined) => number | false;
}

/**
 * Reads an endpoint for several inputs simultaneously, with one call for each input. The progress
 * bar does not show these calls.
 */
export const useCalls = <E extends Endpoint>(
  endpoint: E,
  inputs: readonly InputOf<E>[],
  { staleTime, refetchAfter, whenShown = false }: UseCallsOptions<E> = {},
): UseQueryResult<OutputOf<E>, ApiError>[] =>
  useQueries({
    queries: inputs.map((input) => ({
      queryKey: [keyOf(endpoint), input],
      queryFn: ({ signal }: { signal: AbortSignal }) => call(endpoint, input, { signal }),
      meta: { quiet: true },
      refetchOnWindowFocus: whenShown,
      ...(staleTime && {
        staleTime: ({ state }: { state: { data?: unknown } }) =>
          staleTime(state.data as OutputOf<E> | undefined),
      }),
      ...(refetchAfter && {
        refetchInterval: ({ state }: { state: { data?: unknown } }) =>
          refetchAfter(state.data as OutputOf<E> | undefined),
      }),
    })),
  }) as UseQueryResult<OutputOf<E>, ApiError>[];

/**
 * Called after data of these endpoints have changed. Their visible data, and the visible counts of
 * their lists, are immediately read again. Other data are read again when they are next shown.
 */
export const refresh = async (...endpoints: Endpoint[]): Promise<void> => {
  const keys = endpoints.flatMap((endpoint) => [keyOf(endpoint), `${keyOf(endpoint)}/counts`]);
  await Promise.all(keys.map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
};

/** Replaces the cached answer, because the server is known to have stored these data. */
export const setAnswer = <E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  update: (known: OutputOf<E> | undefined) => OutputOf<E> | undefined,
): void => void queryClient.setQueryData<OutputOf<E>>([keyOf(endpoint), input], update);

/** Replaces every cached answer of an endpoint. `update` also receives the input of the answer. */
export const setAnswers = <E extends Endpoint>(
  endpoint: E,
  update: (known: OutputOf<E>, input: InputOf<E>) => OutputOf<E>,
): void => {
  for (const [key, known] of queryClient.getQueriesData<OutputOf<E>>({
    queryKey: [keyOf(endpoint)],
  }))
    if (known !== undefined)
      queryClient.setQueryData<OutputOf<E>>(key, update(known, key[1] as InputOf<E>) as never);
};
