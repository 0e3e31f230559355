import { Suspense, lazy, useState } from 'react';
import type { ReactNode } from 'react';
import type { Endpoint } from '@waystation/contract/base/endpoint.ts';
import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';
import type { BulkAction } from './bulk-preview.tsx';
import type { List } from './use-list.ts';

const LazyPreview = lazy(async () => ({
  default: (await import('./bulk-preview.tsx')).BulkPreview,
}));

/**
 * The buttons of the bulk actions. They act on the selected rows or on all rows that match the
 * filters. A preview is shown before an action. The action runs in the background, and the job
 * drawer shows the result of each row.
 */
export const BulkActions = <R extends { id: number }>({
  list,
  endpoint,
  actions,
}: {
  list: List<R>;
  endpoint: Endpoint;
  actions: readonly BulkAction[];
}) => {
  const [doing, setDoing] = useState<BulkAction | null>(null);
  return (
    <>
      {actions.map((each) => (
        <Button key={each.action} danger={each.danger ?? false} onClick={() => setDoing(each)}>
          {each.label}
        </Button>
      ))}
      {doing && (
        <Suspense fallback={null}>
          <LazyPreview
            list={list}
            endpoint={endpoint}
            doing={doing}
            onClose={() => setDoing(null)}
          />
        </Suspense>
      )}
    </>
  );
};

/**
 * Buttons that enable and disable the selected rows. They are for every list whose rows have a
 * status switch.
 */
export const BulkSwitch = <R extends { id: number }>({
  list,
  endpoint,
}: {
  list: List<R>;
  endpoint: Endpoint;
}): ReactNode => {
  const { t } = useTexts();
  return (
    <BulkActions
      list={list}
      endpoint={endpoint}
      actions={[
        { action: 'enable', label: t('lists.enable') },
        { action: 'disable', label: t('lists.disable'), danger: true },
      ]}
    />
  );
};
