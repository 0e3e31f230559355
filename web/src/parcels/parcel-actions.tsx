import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import {
  CloseCircleOutlined,
  CopyOutlined,
  DashboardOutlined,
  EditOutlined,
  EyeOutlined,
  PrinterOutlined,
  ProfileOutlined,
  ReloadOutlined,
  RollbackOutlined,
  SendOutlined,
  WalletOutlined,
} from '@ant-design/icons-svg';
import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import {
  expressOptions,
  getExpress,
  listExpresses,
  orderExpress,
  retryExpress,
} from '@waystation/contract/parcels/express-calls.ts';
import { workplace } from '@waystation/contract/shell/workplace.ts';
import type { Language } from '@waystation/contract/base/errors.ts';
import { office } from '@waystation/contract/base/roles.ts';
import type { ExpressRow } from '@waystation/contract/parcels/express.ts';
import { ApiError, errorWords } from '#base/api-error.ts';
import { call, newIdempotencyKey } from '#base/call.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { openScreen } from '#shell/tabs/open-screen.ts';
import { refresh } from '#base/query.ts';
import { usePermitted } from '#shell/session/session.ts';
import { useTexts } from '#base/texts.ts';
import type { Say } from '#base/texts.ts';
import { copyText } from '#ui/copy-text.ts';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { idleComponent } from '#ui/lazy.tsx';
import type { RowAction } from '#ui/overlay/row-action.ts';
import { customerText } from './customer-text.ts';
import { useExceptionActions } from './exception-actions.tsx';
import { tellOutcome } from './outcome.ts';
import {
  cancelBlocked,
  isEditable,
  isInterceptable,
  missingAmount,
  numberOf,
  parcelsAhead,
  printBlocked,
  weighBlocked,
} from './parcel-rules.ts';
import type { Printing } from '#printing/printing.tsx';
import type { TopUp } from '#money/top-up-dialog.tsx';

const CancelDialog = idleComponent(async () => (await import('./cancel-dialog.tsx')).CancelDialog);
const ReweighDialog = idleComponent(
  async () => (await import('./reweigh-dialog.tsx')).ReweighDialog,
);
const TopUpDialog = idleComponent(
  async () => (await import('#money/top-up-dialog.tsx')).TopUpDialog,
);

/**
 * Orders a parcel of the list. If the response is lost and the user presses the button again, the
 * same idempotency key is sent. The parcel is therefore ordered only once.
 */
const useOrdering = (): ((row: ExpressRow) => void) => {
  const { t, language } = useTexts();
  const keys = useRef(new Map<string, string>());
  const order = async (row: ExpressRow): Promise<void> => {
    const attempt = `${row.id}:${row.version}:${row.state_code}`;
    const key = keys.current.get(attempt) ?? newIdempotencyKey();
    keys.current.set(attempt, key);
    notify.loading(attempt, t('common.outcome.sending', { number: numberOf(row) }));
    try {
      tellOutcome(
        await call(
          row.state_code === stateCode.failed ? retryExpress : orderExpress,
          { id: row.id },
          { idempotencyKey: key },
        ),
        t,
        language,
      );
    } catch (error) {
      const editable = error instanceof ApiError && Object.keys(error.fields).length > 0;
      if (editable)
        notify.lasting({
          key: `edit-${row.id}`,
          title: errorWords(error, language),
          duration: 12,
          actions: (
            <Button
              type="primary"
              size="small"
              onClick={() => openScreen('ExpressStore', { edit: row.id })}
            >
              {t('common.act.edit')}
            </Button>
          ),
        });
      else notify.failure(error);
    } finally {
      notify.drop(attempt);
      await refresh(listExpresses, getExpress, workplace, expressOptions);
    }
  };
  return (row) => void order(row);
};

/** The top-up that releases this parcel on hold and all parcels on hold before it. */
export const topUpFor = (row: ExpressRow): TopUp => ({
  station: { id: row.station_id, name: row.station_name },
  amount: missingAmount(row) ?? 0,
  ahead: parcelsAhead(row),
});

const copyingState = (t: Say, language: Language): RowAction<ExpressRow> => ({
  key: 'copy-state',
  label: t('common.act.copy_state'),
  icon: <Icon of={CopyOutlined} />,
  run: (row) => {
    const text = customerText(row, language);
    void copyText(text, t('common.act.state_copied', { text }));
  },
});

/**
 * All actions on one parcel. The list begins with details and print, and the other actions are in
 * the menu "more".
 */
export const useParcelActions = (
  printing: Printing,
  onOpen: (row: ExpressRow) => void,
): {
  actions: RowAction<ExpressRow>[];
  topUp: (request: TopUp) => void;
  mayTopUp: boolean;
  dialogs: ReactNode;
} => {
  const { t, language } = useTexts();
  const order = useOrdering();
  const exceptions = useExceptionActions();
  const mayTopUp = usePermitted(office);
  const [cancelled, setCancelled] = useState<ExpressRow | null>(null);
  const [weighed, setWeighed] = useState<ExpressRow | null>(null);
  const [toppedUp, setToppedUp] = useState<TopUp | null>(null);
  const actions: RowAction<ExpressRow>[] = [
    {
      key: 'open',
      label: t('common.act.details'),
      icon: <Icon of={ProfileOutlined} />,
      run: onOpen,
    },
    {
      key: 'print',
      label: t('common.act.print'),
      icon: <Icon of={PrinterOutlined} />,
      blocked: (row) => printBlocked(row, language),
      run: (row) => printing.print([row]),
    },
    {
      key: 'preview',
      label: t('common.act.preview'),
      icon: <Icon of={EyeOutlined} />,
      blocked: (row) => printBlocked(row, language),
      run: (row) => printing.preview([row]),
    },
    {
      key: 'order',
      label: t('common.act.order_now'),
      icon: <Icon of={SendOutlined} />,
      visible: (row) => row.state_code === stateCode.draft || row.state_code === stateCode.onHold,
      run: order,
    },
    {
      key: 'retry',
      label: t('common.act.retry'),
      icon: <Icon of={ReloadOutlined} />,
      visible: (row) => row.state_code === stateCode.failed,
      run: order,
    },
    ...(mayTopUp
      ? [
          {
            key: 'top-up',
            label: t('common.top_up'),
            icon: <Icon of={WalletOutlined} />,
            visible: (row: ExpressRow) => missingAmount(row) !== null,
            run: (row: ExpressRow) => setToppedUp(topUpFor(row)),
          },
        ]
      : []),
    {
      key: 'edit',
      label: t('common.act.edit'),
      icon: <Icon of={EditOutlined} />,
      visible: isEditable,
      run: (row) => openScreen('ExpressStore', { edit: row.id }),
    },
    {
      key: 'reweigh',
      label: t('common.act.reweigh'),
      icon: <Icon of={DashboardOutlined} />,
      blocked: (row) => weighBlocked(row, language),
      run: setWeighed,
    },
    {
      key: 'copy',
      label: t('common.act.copy_as_new'),
      icon: <Icon of={CopyOutlined} />,
      run: (row) => openScreen('ExpressStore', { copy: row.id }),
    },
    copyingState(t, language),
    ...exceptions.actions,
    {
      key: 'intercept',
      label: t('common.cancelling.intercept'),
      icon: <Icon of={RollbackOutlined} />,
      danger: true,
      visible: isInterceptable,
      blocked: (row) => cancelBlocked(row, language),
      run: setCancelled,
    },
    {
      key: 'cancel',
      label: t('common.act.cancel'),
      icon: <Icon of={CloseCircleOutlined} />,
      danger: true,
      visible: (row) => !isInterceptable(row),
      blocked: (row) => cancelBlocked(row, language),
      run: setCancelled,
    },
  ];
  return {
    actions,
    topUp: setToppedUp,
    mayTopUp,
    dialogs: (
      <>
        {exceptions.dialogs}
        {cancelled && <CancelDialog row={cancelled} onClose={() => setCancelled(null)} />}
        {weighed && <ReweighDialog row={weighed} onClose={() => setWeighed(null)} />}
        {toppedUp && <TopUpDialog request={toppedUp} onClose={() => setToppedUp(null)} />}
      </>
    ),
  };
};
