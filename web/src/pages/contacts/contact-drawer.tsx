import { useState } from 'react';
import { getContact, revealContact } from '@waystation/contract/people/contact.ts';
import type { Contact } from '@waystation/contract/people/contact.ts';
import { managers } from '@waystation/contract/base/roles.ts';
import { call } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { useCall } from '#base/query.ts';
import { usePermitted } from '#shell/session/session.ts';
import { useTexts } from '#base/texts.ts';
import type { List } from '#resource/list/use-list.ts';
import { AuditTab } from '#resource/record/audit-tab.tsx';
import { RecordDrawer } from '#resource/record/record-drawer.tsx';
import { StatusSwitch } from '#resource/record/use-status-switch.tsx';
import type { StatusSwitching } from '#resource/record/use-status-switch.tsx';
import { shownValue } from '#resource/record/record-words.ts';
import { placeText } from '#ui/fields/address-cascader.tsx';
import { Button } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { Phone as PhoneGroups } from '#ui/values/waybill.tsx';
import { Facts } from '#ui/facts.tsx';
import styles from './contacts.module.css';
import { isRepeatable, repeatOrder } from './repeat-order.ts';
import { useContactWords } from './words.ts';

/**
 * The phone of a contact: complete for users of its station. For other users it is masked and can
 * be revealed, which is recorded in the audit log.
 */
const Phone = ({ contact }: { contact: Contact }) => {
  const { t } = useTexts();
  const [whole, setWhole] = useState<string | null>(
    contact.phones_shown === 1 ? contact.phone : null,
  );
  const reveal = async (): Promise<void> => {
    try {
      setWhole((await call(revealContact, { id: contact.id })).phone);
    } catch (error) {
      notify.failure(error);
    }
  };
  return (
    <span className={styles['phone']}>
      <PhoneGroups number={whole ?? contact.phone} />
      {whole === null ? (
        <Button size="small" onClick={() => void reveal()}>
          {t('contacts.reveal')}
        </Button>
      ) : (
        <CopyButton text={whole} label={t('contacts.copy_phone')} />
      )}
    </span>
  );
};

const Overview = ({ contact }: { contact: Contact }) => {
  const { t } = useTexts();
  const format = useFormat();
  const words = useContactWords();
  return (
    <Facts
      facts={[
        { key: 'name', label: words.name.label, value: contact.name },
        { key: 'kind', label: words.kind.label, value: shownValue(words.kind, contact.kind) },
        {
          key: 'phone',
          label: words.phone.label,
          value: <Phone key={contact.id} contact={contact} />,
        },
        { key: 'station', label: words.station_id.label, value: contact.station_name },
        { key: 'place', label: t('contacts.place'), value: placeText(contact), wide: true },
        { key: 'address', label: words.address.label, value: contact.address, wide: true },
        {
          key: 'status',
          label: words.status.label,
          value: shownValue(words.status, contact.status),
        },
        { key: 'created', label: t('lists.created'), value: format.moment(contact.created_at) },
        { key: 'updated', label: t('lists.updated'), value: format.moment(contact.updated_at) },
      ]}
    />
  );
};

/** The drawer of one contact: its fields, and its change history for managers. */
export const ContactDrawer = ({
  list,
  switching,
}: {
  list: List<Contact>;
  switching: StatusSwitching;
}) => {
  const { t } = useTexts();
  const words = useContactWords();
  const audited = usePermitted(managers);
  const { opened } = list;
  const { data, error, refetch } = useCall(getContact, opened === null ? null : { id: opened }, {
    quiet: true,
    staleTime: 0,
  });
  const contact = data?.id === opened ? data : list.openedRow;
  const history = {
    key: 'audit',
    label: t('lists.audit'),
    content: contact && (
      <AuditTab
        key={contact.id}
        subject="contacts"
        id={contact.id}
        words={words}
        actions={{ reveal: t('contacts.revealed') }}
      />
    ),
  };
  return (
    <RecordDrawer
      list={list}
      title={contact?.name ?? t('shell.loading')}
      reading={{ ready: contact !== undefined, error, retry: refetch }}
      tabs={[
        {
          key: 'overview',
          label: t('lists.overview'),
          content: contact && <Overview contact={contact} />,
        },
        ...(audited ? [history] : []),
      ]}
      actions={
        contact && (
          <>
            <Button type="primary" onClick={() => list.openForm(contact.id)}>
              {t('lists.edit')}
            </Button>
            {isRepeatable(contact) && (
              <Button onClick={() => void repeatOrder(contact)}>{t('contacts.repeat')}</Button>
            )}
            <StatusSwitch row={contact} name={contact.name} switching={switching} />
          </>
        )
      }
    />
  );
};
