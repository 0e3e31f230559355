import {
  CheckOutlined,
  EnvironmentOutlined,
  PhoneOutlined,
  RedoOutlined,
} from '@ant-design/icons-svg';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { isLive } from '@waystation/contract/parcels/express-states.ts';
import { revealExpress, trackExpress } from '@waystation/contract/parcels/express-calls.ts';
import type { ExpressRow } from '@waystation/contract/parcels/express.ts';
import { call } from '#base/call.ts';
import { useTexts } from '#base/texts.ts';
import { phoneGroups } from '#ui/values/grouped.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { Icon } from '#ui/icon.tsx';
import { idleComponent } from '#ui/lazy.tsx';
import { notify } from '#ui/overlay/notify.tsx';
import type { RowAction } from '#ui/overlay/row-action.ts';
import { openScreen } from '#shell/tabs/open-screen.ts';
import { cancelBlocked, isHandleable, isPickupMissed, numberOf } from './parcel-rules.ts';

/**
 * Shows the recipient's phone number with a link to call it. If the number is masked, it is first
 * revealed, and the audit log records this.
 */
const useCalling = (): ((row: ExpressRow) => void) => {
  const { t } = useTexts();
  const start = async (row: ExpressRow): Promise<void> => {
    try {
      const phone =
        row.phones_shown === 1
          ? row.receive_phone
          : (await call(revealExpress, { id: row.id })).receive_phone;
      notify.lasting({
        key: `call-${row.id}`,
        title: t('parcel.exception_do.phone_of', {
          name: row.receive_name,
          phone: phoneGroups(phone).join(' '),
        }),
        duration: 0,
        actions: (
          <>
            <a href={`tel:${phone}`}>{t('parcel.exception_do.dial')}</a>
            <CopyButton text={phone} label={t('common.copy_phone')} />
          </>
        ),
      });
    } catch (error) {
      notify.failure(error);
    }
  };
  return (row) => void start(row);
};

const useTracking = (): ((row: ExpressRow) => void) => {
  const { t } = useTexts();
  const start = async (row: ExpressRow): Promise<void> => {
    try {
      await call(trackExpress, { id: row.id });
      notify.info(t('parcel.exception_do.asked', { number: numberOf(row) }));
    } catch (error) {
      notify.failure(error);
    }
  };
  return (row) => void start(row);
};

const HandleDialog = idleComponent(async () => (await import('./handle-dialog.tsx')).HandleDialog);

const CancelDialog = idleComponent(async () => (await import('./cancel-dialog.tsx')).CancelDialog);

/**
 * The actions on a parcel with an exception: mark it as handled, call the recipient, or request the
 * trace. If the courier missed the pickup, the parcel can be cancelled and ordered again.
 */
export const useExceptionActions = (): { actions: RowAction<ExpressRow>[]; dialogs: ReactNode } => {
  const { t, language } = useTexts();
  const [reordered, setReordered] = useState<ExpressRow | null>(null);
  const [handled, setHandled] = useState<ExpressRow | null>(null);
  const dial = useCalling();
  const track = useTracking();
  return {
    actions: [
      {
        key: 'handle',
        label: t('parcel.exception_do.handle_row'),
        icon: <Icon of={CheckOutlined} />,
        visible: isHandleable,
        run: setHandled,
      },
      {
        key: 'again',
        label: t('parcel.exception_do.again'),
        icon: <Icon of={RedoOutlined} />,
        visible: isPickupMissed,
        blocked: (row) => cancelBlocked(row, language),
        run: setReordered,
      },
      {
        key: 'phone',
        label: t('parcel.exception_do.phone'),
        icon: <Icon of={PhoneOutlined} />,
        visible: (row) => row.exception !== null,
        run: dial,
      },
      {
        key: 'track',
        label: t('parcel.exception_do.track'),
        icon: <Icon of={EnvironmentOutlined} />,
        visible: (row) => row.delivery_id !== null && isLive(row.state_code),
        run: track,
      },
    ],
    dialogs: (
      <>
        {handled && <HandleDialog row={handled} onClose={() => setHandled(null)} />}
        {reordered && (
          <CancelDialog
            row={reordered}
            onClose={() => setReordered(null)}
            onCancelled={() => openScreen('ExpressStore', { copy: reordered.id, missed: 1 })}
          />
        )}
      </>
    ),
  };
};
