import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Endpoint, InputOf, OutputOf } from '@waystation/contract/base/endpoint.ts';
import { useCall } from '#base/query.ts';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Drawer } from '#ui/overlay/overlay.tsx';
import { Waiting } from '#ui/waiting.tsx';

interface Props<E extends Endpoint> {
  /** The endpoint that reads one row by its `id`. */
  endpoint: E;
  id: number;
  title: string;
  onClose: () => void;
  /**
   * Draws the form for the row that was just read. If the row is read again, values that the user
   * typed stay unchanged.
   */
  children: (row: OutputOf<E>) => ReactNode;
}

/** Reads the row to edit, and then shows its form. */
export const LoadedForm = <E extends Endpoint>({
  endpoint,
  id,
  title,
  onClose,
  children,
}: Props<E>) => {
  const { data, error, isFetchedAfterMount, refetch } = useCall(endpoint, { id } as InputOf<E>, {
    quiet: true,
    staleTime: 0,
  });
  const [row, setRow] = useState<OutputOf<E> | null>(null);
  if (row === null && data !== undefined && isFetchedAfterMount) setRow(data);
  if (row !== null) return children(row);
  return (
    <Drawer open onClose={onClose} size={520} title={title}>
      {error && isFetchedAfterMount ? <ErrorPanel error={error} onRetry={refetch} /> : <Waiting />}
    </Drawer>
  );
};
