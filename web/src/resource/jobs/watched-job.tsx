import { Suspense, lazy } from 'react';
import type { Endpoint } from '@waystation/contract/base/endpoint.ts';
import { useTexts } from '#base/texts.ts';
import type { JobRows } from './job-results.tsx';

/** The code of the drawer is loaded when a job is opened for the first time. */
const JobDrawer = lazy(async () => ({ default: (await import('./job-drawer.tsx')).JobDrawer }));

interface Props {
  /** The id of the job; null if no job is shown. */
  id: number | null;
  /** Endpoints whose data contain the rows that the job changes; they are read again. */
  refreshes: readonly Endpoint[];
  /** The actions that a user can run on a row of the job. */
  rows?: JobRows;
  onRetried: (id: number) => void;
  onClose: () => void;
}

/** The background job with the id in the URL, shown beside its list. */
export const WatchedJob = ({ id, ...rest }: Props) => {
  const { t } = useTexts();
  if (id === null) return null;
  return (
    <Suspense fallback={null}>
      <JobDrawer key={id} id={id} title={t('lists.job')} {...rest} />
    </Suspense>
  );
};
