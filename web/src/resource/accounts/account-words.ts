import { expressStations } from '@waystation/contract/parcels/express-calls.ts';
import type { Role } from '@waystation/contract/base/roles.ts';
import { useFormat } from '#base/format.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import type { RecordWords } from '#resource/record/record-words.ts';

export type AccountField =
  | 'username'
  | 'nickname'
  | 'role'
  | 'station_id'
  | 'phone'
  | 'identity'
  | 'program_id'
  | 'location'
  | 'avatar'
  | 'status'
  | 'must_change'
  | 'may_export'
  | 'second_factor'
  | 'sessions'
  | 'session'
  | 'password'
  | 'last_seen_at'
  | 'registered_at'
  | 'password_changed_at'
  | 'invitation'
  | 'expires_at'
  | 'invite'
  | 'mail';

/**
 * Returns the name of a station if only its id is known, for example in a change history. Until the
 * name is read, it returns `#` and the id.
 */
export const useStationName = (): ((id: number) => string) => {
  const { data } = useCall(expressStations, {}, { keep: true, quiet: true, staleTime: 30_000 });
  return (id) => data?.items.find((station) => station.id === id)?.name ?? `#${id}`;
};

/** The labels of the fields of an account, and the texts of their values. */
export const useAccountWords = (): RecordWords<AccountField, 'status'> => {
  const { t } = useTexts();
  const format = useFormat();
  const nameOf = useStationName();
  const yes = (value: unknown): string => t(value === 1 ? 'people.yes' : 'people.no');
  return {
    username: { label: t('people.username') },
    nickname: { label: t('people.nickname') },
    role: { label: t('people.role'), show: (value) => t(`shell.role.${value as Role}`) },
    station_id: { label: t('common.station'), show: (value) => nameOf(Number(value)) },
    phone: { label: t('people.phone') },
    identity: { label: t('people.identity') },
    program_id: { label: t('people.program_id') },
    location: { label: t('people.location') },
    avatar: { label: t('people.avatar'), show: () => t('people.avatar') },
    status: {
      label: t('lists.status'),
      show: (value) => t(value === 1 ? 'lists.enabled' : 'lists.disabled'),
    },
    must_change: { label: t('people.must_change'), show: yes },
    may_export: { label: t('people.may_export'), show: yes },
    second_factor: {
      label: t('people.second_factor'),
      show: (value) => t(value === 1 ? 'people.on' : 'people.off'),
    },
    sessions: { label: t('people.sessions_long'), show: (value) => format.number(Number(value)) },
    session: { label: t('people.sessions_long') },
    password: { label: t('people.password') },
    last_seen_at: { label: t('people.last_seen') },
    registered_at: { label: t('people.registered_at') },
    invitation: {
      label: t('people.invitation'),
      show: (value) => t(`people.invitation_state.${value as 'open' | 'ended'}`),
    },
    expires_at: {
      label: t('people.valid_until'),
      show: (value) => format.moment(String(value)),
    },
    invite: { label: t('people.password') },
    mail: { label: t('people.mail') },
    password_changed_at: { label: t('people.password_changed') },
  };
};
