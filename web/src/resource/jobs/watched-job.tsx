import { Suspense, lazy } from 'react';
import type { Endpoint } from '@waystation/contract/endpoint.ts';
import { useTexts } from '#base/texts.ts';
import type { JobRows } from './job-drawer.tsx';

/** Fetched when a job is first looked at. */
const JobDrawer = lazy(async () => ({ default: (await import('./job-drawer.tsx')).JobDrawer }));

interface Props {
  /** Null: none is watched. */
  id: number | null;
  /** What shows the rows it changes. */
  refreshes: readonly Endpoint[];
  /** What can be done with a row of it. */
  rows?: JobRows;
  onRetried: (id: number) => void;
  onClose: () => void;
}

/** The background job that the address names, beside its list. */
export const WatchedJob = ({ id, ...rest }: Props) => {
  const { t } = useTexts();
  if (id === null) return null;
  return (
    <Suspense fallback={null}>
      <JobDrawer key={id} id={id} title={t('lists.job')} {...rest} />
    </Suspense>
  );
};
