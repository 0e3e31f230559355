import { useState } from 'react';
import { mostPageSize } from '@waystation/contract/base/limits.ts';
import { listCargos, orderCargos } from '@waystation/contract/parcels/cargo.ts';
import type { Cargo } from '@waystation/contract/parcels/cargo.ts';
import { call } from '#base/call.ts';
import { confirmed } from '#ui/overlay/notify.tsx';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { useUnsaved } from '#shell/tabs/page.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { useNarrow } from '#base/viewport.ts';
import { Button } from '#ui/button.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Notice } from '#ui/notice.tsx';
import { Drawer } from '#ui/overlay/overlay.tsx';
import { SortableList } from '#ui/fields/sortable-list.tsx';
import primitives from '#ui/primitives.module.css';
import { Waiting } from '#ui/waiting.tsx';
import styles from './cargos.module.css';
import { useCargoWords } from './words.ts';

/**
 * The maximum number of goods kinds in the drawer. It is one page of the list, because no user
 * drags more rows.
 */
const most = mostPageSize;

/**
 * The drawer that changes the order of goods in the order form. Goods are moved by dragging or with
 * keys. Each change is saved immediately.
 */
export const OrderDrawer = ({ onSaved, onClose }: { onSaved: () => void; onClose: () => void }) => {
  const { t } = useTexts();
  const narrow = useNarrow();
  const words = useCargoWords();
  const { data, error, refetch, isFetchedAfterMount } = useCall(
    listCargos,
    { sort: '-priority', page_size: most },
    { quiet: true, staleTime: 0 },
  );
  const [moved, setMoved] = useState<readonly Cargo[] | null>(null);
  const rows = moved ?? (isFetchedAfterMount ? data?.items : undefined);
  useUnsaved(moved !== null);
  const sending = useSubmit({
    send: async () => {
      await call(orderCargos, { ids: (rows ?? []).map(({ id }) => id) });
      return t('cargos.ordered');
    },
    onDone: onSaved,
  });
  const leave = async (): Promise<void> => {
    if (
      moved &&
      !(await confirmed({
        title: t('lists.discard_title'),
        content: t('lists.discard_hint'),
        ok: t('lists.discard'),
        danger: true,
      }))
    )
      return;
    onClose();
  };
  return (
    <Drawer
      open
      onClose={() => void leave()}
      size={narrow ? '100%' : 520}
      title={t('cargos.order')}
      footer={
        <div className={primitives['inline']}>
          <Button
            type="primary"
            loading={sending.busy}
            disabled={moved === null}
            onClick={() => void sending.submit()}
          >
            {t('common.save')}
          </Button>
          <Button onClick={() => void leave()}>{t('common.cancel')}</Button>
        </div>
      }
    >
      {rows ? (
        <>
          {sending.failure !== null && <Notice tone="danger">{sending.failure}</Notice>}
          <p className={styles['quiet']}>
            {t(data && data.next_cursor !== null ? 'cargos.order_first' : 'cargos.order_hint', {
              count: most,
            })}
          </p>
          <SortableList
            label={t('cargos.order')}
            items={rows}
            keyOf={({ id }) => id}
            nameOf={({ name }) => name}
            onMove={(from, to) => {
              const next = [...rows];
              next.splice(to, 0, ...next.splice(from, 1));
              setMoved(next);
            }}
          >
            {(cargo, index) => (
              <>
                <span className={styles['place']}>{index + 1}</span>
                <span className={styles['grow']}>{cargo.name}</span>
                {cargo.banned === 1 && (
                  <span className={styles['banned']}>{t('cargos.banned_tag')}</span>
                )}
                <span className={styles['quiet']}>
                  {words.provider.show(cargo.provider)} · {words.status.show(cargo.status)}
                </span>
              </>
            )}
          </SortableList>
        </>
      ) : error ? (
        <ErrorPanel error={error} onRetry={refetch} />
      ) : (
        <Waiting />
      )}
    </Drawer>
  );
};
