import { BellOutlined } from '@ant-design/icons-svg';
import { Suspense, lazy, useState } from 'react';
import { readInbox } from '@waystation/contract/shell/inbox.ts';
import { useLiveEvents } from '#base/live-events.ts';
import { refresh, useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { Icon } from '#ui/icon.tsx';
import { useOnceOpen } from '#ui/use-once-open.ts';
import primitives from '#ui/primitives.module.css';
import styles from './inbox.module.css';

const InboxDrawer = lazy(async () => ({
  default: (await import('./inbox-drawer.tsx')).InboxDrawer,
}));

/** The maximum count that is displayed. A larger count is shown as this number with a plus sign. */
const mostShown = 99;
/**
 * The number of milliseconds between two reads of the unread count if no live events are received.
 */
const readEvery = 300_000;

/** A button on every screen that shows the number of unread notifications and opens them. */
export const InboxButton = () => {
  const { t } = useTexts();
  const [open, setOpen] = useState(false);
  const wasOpen = useOnceOpen(open);
  const { data } = useCall(
    readInbox,
    {},
    { quiet: true, refetchInterval: readEvery, staleTime: 30_000 },
  );
  useLiveEvents('inbox', () => void refresh(readInbox));
  useLiveEvents('reset', () => void refresh(readInbox));
  const unread = data?.unread ?? 0;
  const label = unread > 0 ? t('inbox.open', { count: unread }) : t('inbox.open_none');
  return (
    <>
      <button
        type="button"
        className={primitives['tool']}
        aria-label={label}
        data-tip={t('inbox.title')}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Icon of={BellOutlined} />
        {unread > 0 && (
          <span className={styles['count']} aria-hidden>
            {unread > mostShown ? `${mostShown}+` : unread}
          </span>
        )}
      </button>
      <Suspense fallback={null}>
        {wasOpen && <InboxDrawer open={open} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
};
