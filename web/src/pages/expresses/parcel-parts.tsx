import { useLiveEvents, useLivePause } from '#base/live-events.ts';
import { MoreOutlined } from '@ant-design/icons-svg';
import { useEffect, useId, useRef, useState } from 'react';
import {
  expressStatements,
  getExpress,
  listExpresses,
  priceExpress,
  traceExpress,
} from '@waystation/contract/parcels/express-calls.ts';
import { expressAudit } from '@waystation/contract/shell/audit.ts';
import { managers, office } from '@waystation/contract/base/roles.ts';
import type { Express, ExpressRow } from '@waystation/contract/parcels/express.ts';
import { refresh, useCall } from '#base/query.ts';
import { usePermitted } from '#shell/session/session.ts';
import { useTexts } from '#base/texts.ts';
import { isMoving, numberOf } from '#parcels/parcel-rules.ts';
import { ActionMenu } from '#ui/overlay/action-menu.tsx';
import { Button } from '#ui/button.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Icon } from '#ui/icon.tsx';
import { visibleActions } from '#ui/overlay/row-action.ts';
import type { RowAction } from '#ui/overlay/row-action.ts';
import { Notice } from '#ui/notice.tsx';
import { StatusTag } from '#parcels/status-tag.tsx';
import { TabStrip } from '#ui/tab-strip.tsx';
import { Waybill } from '#ui/values/waybill.tsx';
import { Waiting } from '#ui/waiting.tsx';
import { Simulated } from './cells.tsx';
import { CallsTab } from './calls-tab.tsx';
import { DetailsTab } from './details-tab.tsx';
import { drawerTabs as tabs } from './drawer-tab.ts';
import type { DrawerTab } from './drawer-tab.ts';
import { LogTab } from './log-tab.tsx';
import { MoneyTab } from './money-tab.tsx';
import { OverviewTab } from './overview-tab.tsx';
import styles from './parcel-drawer.module.css';
import { PriceTab } from './price-tab.tsx';
import { TimelineTab } from './timeline-tab.tsx';
import { TrackTab } from './track-tab.tsx';

const pollEvery = 3_000;

/**
 * The parcel with this id. It is read again at each of its live events, and also every 3 s while
 * its state may change. Other data that depend on the parcel are read again after each change.
 */
export const useLiveParcel = (id: number | null) => {
  const [live, setLive] = useState(true);
  const reading = useCall(getExpress, id === null ? null : { id }, {
    quiet: true,
    staleTime: 0,
    refetchInterval: useLivePause(live ? pollEvery : false),
  });
  useLiveEvents('parcel', ({ express_id }) => {
    if (express_id === id) void reading.refetch();
  });
  const moving = reading.data === undefined || isMoving(reading.data);
  if (moving !== live) setLive(moving);
  const stamp = reading.data && `${reading.data.id} ${reading.data.updated_at}`;
  const seen = useRef(stamp);
  useEffect(() => {
    const before = seen.current;
    seen.current = stamp;
    if (
      before === undefined ||
      stamp === undefined ||
      before === stamp ||
      before.split(' ')[0] !== stamp.split(' ')[0]
    )
      return;
    void refresh(listExpresses, priceExpress, traceExpress, expressStatements, expressAudit);
  }, [stamp]);
  return reading;
};

export const ParcelTitle = ({
  parcel,
  failed,
}: {
  parcel: ExpressRow | undefined;
  failed: boolean;
}) => {
  const { t } = useTexts();
  if (!parcel) return <span>{t(failed ? 'lists.unread' : 'shell.loading')}</span>;
  return (
    <span className={styles['title']}>
      <Waybill number={numberOf(parcel)} />
      <StatusTag code={parcel.state_code} />
      {parcel.simulated === 1 && <Simulated />}
    </span>
  );
};

/** The actions that bring a parcel to its next step. Their buttons are shown first. */
const forward = new Set(['print', 'order', 'retry']);

/** The most useful actions as buttons, and the others in a menu. */
export const ParcelActions = ({
  parcel,
  actions,
}: {
  parcel: ExpressRow;
  actions: readonly RowAction<ExpressRow>[];
}) => {
  const { t } = useTexts();
  const more = useRef<HTMLButtonElement>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const usable = visibleActions(actions, parcel).filter((action) => action.key !== 'open');
  const first = usable.filter((action) => !action.danger && !action.blocked?.(parcel)).slice(0, 3);
  const cancel = usable.find((action) => action.danger && !action.blocked?.(parcel));
  const shown = cancel ? [...first, cancel] : first;
  const rest = usable.filter((action) => !shown.includes(action));
  return (
    <>
      {shown.map((action, index) => (
        <Button
          key={action.key}
          type={index === 0 && forward.has(action.key) ? 'primary' : 'default'}
          danger={action.danger ?? false}
          icon={action.icon}
          onClick={() => action.run(parcel)}
        >
          {action.label}
        </Button>
      ))}
      {rest.length > 0 && (
        <Button
          ref={more}
          icon={<Icon of={MoreOutlined} />}
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          aria-label={t('expresses.more_for', { number: numberOf(parcel) })}
          onClick={() => setAnchor(more.current)}
        />
      )}
      {anchor && (
        <ActionMenu
          anchor={anchor}
          row={parcel}
          actions={rest}
          label={t('expresses.more_for', { number: numberOf(parcel) })}
          onClose={() => setAnchor(null)}
        />
      )}
    </>
  );
};

const Tab = ({ tab, parcel }: { tab: DrawerTab; parcel: Express }) => {
  if (tab === 'price') return <PriceTab parcel={parcel} />;
  if (tab === 'money') return <MoneyTab parcel={parcel} />;
  if (tab === 'timeline') return <TimelineTab key={parcel.id} parcel={parcel} />;
  if (tab === 'details') return <DetailsTab parcel={parcel} />;
  if (tab === 'log') return <LogTab key={parcel.id} parcel={parcel} />;
  if (tab === 'calls') return <CallsTab key={parcel.id} parcel={parcel} />;
  return tab === 'track' ? (
    <TrackTab parcel={parcel} />
  ) : (
    <OverviewTab key={parcel.id} parcel={parcel} />
  );
};

/**
 * Warns that the printed label no longer matches the order. The button to print again is disabled
 * while the label cannot be printed.
 */
export const Reprint = ({
  parcel,
  actions,
  onDone,
}: {
  parcel: ExpressRow;
  actions: readonly RowAction<ExpressRow>[];
  onDone: () => void;
}) => {
  const { t } = useTexts();
  const print = actions.find(({ key }) => key === 'print');
  const blocked = print?.blocked?.(parcel) ?? null;
  return (
    <Notice
      tone="warn"
      actions={
        <Button
          size="small"
          disabled={blocked !== null}
          onClick={() => {
            print?.run(parcel);
            onDone();
          }}
        >
          {t('expresses.reprint')}
        </Button>
      }
    >
      {t('expresses.reprint_words')}
      {blocked !== null && ` ${blocked}`}
    </Notice>
  );
};

interface PanelProps {
  parcel: Express | undefined;
  error: unknown;
  onRetry: () => unknown;
  tab: DrawerTab;
  onTab: (tab: DrawerTab) => void;
}

/** Shows the tabs that the user's role may see, and the content of the chosen tab. */
export const ParcelTabs = ({ parcel, error, onRetry, tab, onTab }: PanelProps) => {
  const { t } = useTexts();
  const panel = useId();
  const seesMoney = usePermitted(managers);
  const seesCalls = usePermitted(office);
  const shown = tabs.filter(
    (each) => (each !== 'money' || seesMoney) && (each !== 'calls' || seesCalls),
  );
  const current = shown.includes(tab) ? tab : 'overview';
  return (
    <>
      <div className={styles['tabs']}>
        <TabStrip
          label={t('expresses.drawer_tabs')}
          controls={panel}
          value={current}
          onChange={onTab}
          tabs={shown.map((each) => ({ key: each, label: t(`expresses.tab.${each}`) }))}
        />
      </div>
      <div
        id={panel}
        role="tabpanel"
        tabIndex={0}
        aria-labelledby={`${panel}-${current}`}
        className={styles['panel']}
      >
        {parcel ? (
          <Tab tab={current} parcel={parcel} />
        ) : error ? (
          <ErrorPanel error={error} onRetry={onRetry} />
        ) : (
          <Waiting />
        )}
      </div>
    </>
  );
};
