import type { Account } from '@waystation/contract/people/account.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { useAccountWords } from '#resource/accounts/account-words.ts';
import { shownValue } from '#resource/record/record-words.ts';
import { FactGroup } from '#ui/facts.tsx';
import type { Fact } from '#ui/facts.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { Phone } from '#ui/values/waybill.tsx';

type Plain =
  | 'username'
  | 'nickname'
  | 'role'
  | 'location'
  | 'identity'
  | 'program_id'
  | 'status'
  | 'second_factor'
  | 'must_change'
  | 'may_export'
  | 'sessions';

/** All facts about an account, in groups. */
export const AccountFacts = ({ account }: { account: Account }) => {
  const { t } = useTexts();
  const format = useFormat();
  const words = useAccountWords();
  const plain = (key: Plain): Fact => ({
    key,
    label: words[key].label,
    value: shownValue(words[key], account[key]),
  });
  const moment = (key: 'last_seen_at' | 'registered_at' | 'password_changed_at'): Fact => ({
    key,
    label: words[key].label,
    value: account[key] === null ? t('people.never_seen') : <Moment at={account[key]} />,
  });
  const { invitation, invitation_until } = account;
  const groups = [
    {
      title: t('people.person_group'),
      facts: [
        { ...plain('username'), fields: ['id', 'username'] },
        plain('nickname'),
        plain('role'),
        {
          key: 'station',
          fields: ['station_id', 'station_name'],
          label: words.station_id.label,
          value: account.station_name,
        },
        {
          key: 'phone',
          label: words.phone.label,
          value: account.phone !== '' && <Phone number={account.phone} />,
        },
        plain('location'),
        plain('identity'),
        plain('program_id'),
      ],
    },
    {
      title: t('people.access_group'),
      facts: [
        plain('status'),
        plain('may_export'),
        plain('second_factor'),
        plain('must_change'),
        moment('password_changed_at'),
        {
          key: 'invitation',
          fields: ['invitation', 'invitation_until'],
          label: words.invitation.label,
          value:
            invitation !== null &&
            invitation_until !== null &&
            t('people.invitation_until', {
              state: t(`people.invitation_state.${invitation}`),
              time: format.dateTime(invitation_until),
            }),
        },
      ],
    },
    {
      title: t('people.activity_group'),
      facts: [
        plain('sessions'),
        moment('last_seen_at'),
        moment('registered_at'),
        { key: 'updated_at', label: t('lists.updated'), value: <Moment at={account.updated_at} /> },
      ],
    },
  ];
  return (
    <div>
      {groups.map(({ title, facts }) => (
        <FactGroup key={title} title={title} facts={facts} />
      ))}
    </div>
  );
};
