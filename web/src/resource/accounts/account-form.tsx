import {
  identityLength,
  locationLength,
  mailAddressLength,
  phoneLength,
  shortNameLength,
  usernameLength,
} from '@waystation/contract/base/limits.ts';
import {
  createAccount,
  editAccount,
  needsStation,
  rolesBelow,
} from '@waystation/contract/people/account.ts';
import type { Account } from '@waystation/contract/people/account.ts';
import type { Role } from '@waystation/contract/base/roles.ts';
import { call } from '#base/call.ts';
import { useAbout } from '#base/use-facts.ts';
import { useUser } from '#shell/session/session.ts';
import { useTexts } from '#base/texts.ts';
import { FormDrawer } from '#resource/form/form-drawer.tsx';
import { useRecordForm } from '#resource/form/use-record-form.ts';
import { StationPicker, useSeveralStations } from '#resource/stations/station-picker.tsx';
import { SelectField, SwitchField } from '#ui/fields/choice-fields.tsx';
import { NumberField } from '#ui/fields/number-fields.tsx';
import { Notice } from '#ui/notice.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { mailOf } from './invitation-mail.ts';
import type { IssuedPassword } from './issued-password.tsx';
import { useAccountWords, useStationName } from './account-words.ts';

interface Values {
  username: string;
  nickname: string;
  role: Role | null;
  station_id: number | null;
  phone: string;
  identity: string;
  program_id: number | null;
  location: string;
  must_change: 0 | 1;
  may_export: 0 | 1;
  invite: 0 | 1;
  mail: string;
}

const lengths = {
  nickname: shortNameLength,
  phone: phoneLength,
  identity: identityLength,
  location: locationLength,
} as const;

interface Props {
  /** The row to edit; null for a new row. */
  row: Account | null;
  /**
   * The station of the new account, if the caller has already chosen it. The first account of a
   * station belongs to its manager.
   */
  station?: { id: number; name: string };
  onSaved: (row: Account, again: boolean) => void;
  /** Called with the generated password or the invitation link of a new account. */
  onIssued: (issued: IssuedPassword) => void;
  onClose: () => void;
}

/** The state of the account form: its values, their validation, and the calls that save them. */
const useAccountValues = ({
  row,
  station,
  onIssued,
}: {
  row: Account | null;
  station: Props['station'] | undefined;
  onIssued: Props['onIssued'];
}) => {
  const { t } = useTexts();
  const me = useUser();
  const about = useAbout();
  const words = useAccountWords();
  const roles = rolesBelow(me.role);
  const valuesOf = (account: Account | null): Values => ({
    username: account?.username ?? '',
    nickname: account?.nickname ?? '',
    role: account?.role ?? (station && roles.includes('station') ? 'station' : 'user'),
    station_id: account
      ? account.station_id
      : station
        ? station.id
        : me.role === 'partner' || me.role === 'station'
          ? me.station_id
          : null,
    phone: account?.phone ?? '',
    identity: account?.identity ?? '',
    program_id: account?.program_id ?? null,
    location: account?.location ?? '',
    must_change: account?.must_change === 1 ? 1 : 0,
    may_export: account
      ? account.may_export
      : station && roles.includes('station')
        ? me.may_export
        : 0,
    invite: 0,
    mail: '',
  });
  const form = useRecordForm<Values, Account>({
    name: station ? `users.of.${station.id}` : 'users',
    row,
    valuesOf,
    words,
    check: (values) => ({
      username: /^[\w.@-]{3,64}$/.test(values.username.trim())
        ? undefined
        : t('people.username_short'),
      role: values.role === null ? t('common.required') : undefined,
      station_id:
        values.role !== null && needsStation(values.role) && values.station_id === null
          ? t('common.required')
          : undefined,
      program_id:
        values.program_id !== null && !(values.program_id >= 0) ? t('lists.unreadable') : undefined,
      ...Object.fromEntries(
        Object.entries(lengths).map(([field, max]) => [
          field,
          [...values[field as keyof typeof lengths].trim()].length > max
            ? t('common.too_long', { max })
            : undefined,
        ]),
      ),
    }),
    create: async ({
      username,
      nickname,
      role,
      station_id,
      phone,
      location,
      identity,
      program_id,
      may_export,
      invite,
      mail,
    }) => {
      // The check above ensures that a role is chosen.
      const { account, password, invitation } = await call(createAccount, {
        username,
        nickname,
        phone,
        location,
        identity,
        program_id,
        may_export,
        role: role!,
        station_id: needsStation(role!) ? station_id : null,
        ...(invite === 1 && { invite, ...mailOf(about, mail) }),
      });
      if (invitation !== null) onIssued({ username: account.username, invitation });
      else if (password !== null) onIssued({ username: account.username, password });
      return account;
    },
    edit: (id, version, { role, must_change, invite: _invite, mail: _mail, ...changes }) =>
      call(editAccount, {
        id,
        version,
        ...changes,
        ...(typeof role === 'string' && { role }),
        ...(must_change === 1 && { must_change }),
      }),
  });
  return { form, me, about, words, roles };
};

/**
 * The form for an account's names, role and station. It offers only roles and stations that the
 * caller may assign.
 */
export const AccountForm = ({ row, station, onSaved, onIssued, onClose }: Props) => {
  const { t } = useTexts();
  const several = useSeveralStations();
  const stationName = useStationName();
  const { form, me, about, words, roles } = useAccountValues({ row, station, onIssued });
  const chooseRole = (role: Role | null): void => {
    form.set('role', role);
    if (role !== null && !needsStation(role)) form.set('station_id', null);
    if (form.isNew) form.set('may_export', role === 'user' ? 0 : me.may_export);
  };
  const placed = form.values.role === null || needsStation(form.values.role);
  return (
    <FormDrawer
      form={form}
      title={row ? t('lists.edit_title', { name: row.username }) : t('people.new')}
      onSaved={onSaved}
      onClose={onClose}
    >
      {form.isNew && (
        <Notice tone="info">
          {t(form.values.invite === 1 ? 'people.invite_hint' : 'people.made_password_hint')}
        </Notice>
      )}
      <TextField
        {...form.field('username')}
        required
        max={usernameLength.max}
        hint={t('people.username_hint')}
      />
      <TextField {...form.field('nickname')} max={lengths.nickname} />
      {roles.length > 1 && (
        <SelectField
          {...form.field('role')}
          required
          options={roles.map((value) => ({ value, label: t(`shell.role.${value}`) }))}
          onChange={chooseRole}
          hint={placed ? undefined : t('people.no_station')}
        />
      )}
      {several && placed && (
        <StationPicker
          {...form.field('station_id')}
          required
          shown={
            row && form.values.station_id === row.station_id
              ? (row.station_name ?? undefined)
              : form.values.station_id === null
                ? undefined
                : station?.id === form.values.station_id
                  ? station.name
                  : stationName(form.values.station_id)
          }
          onChange={(id) => form.set('station_id', id)}
        />
      )}
      <TextField {...form.field('phone')} max={lengths.phone} />
      <TextField {...form.field('location')} max={lengths.location} />
      <TextField {...form.field('identity')} max={lengths.identity} />
      <NumberField {...form.field('program_id')} />
      <SwitchField
        {...form.field('may_export')}
        words={words.may_export.show?.(form.values.may_export)}
        hint={t(
          me.may_export === 0 && form.values.may_export === 0
            ? 'people.may_export_not_yours'
            : 'people.may_export_hint',
        )}
        disabled={me.may_export === 0 && form.values.may_export === 0}
      />
      {form.isNew && (
        <SelectField
          {...form.field('invite')}
          options={[
            { value: 0, label: t('people.make_up') },
            { value: 1, label: t('people.by_link') },
          ]}
          onChange={(value) => form.set('invite', value ?? 0)}
        />
      )}
      {form.isNew && form.values.invite === 1 && about?.mail && (
        <TextField {...form.field('mail')} max={mailAddressLength} hint={t('people.mail_hint')} />
      )}
      {row && (
        <SwitchField
          {...form.field('must_change')}
          words={words.must_change.show?.(form.values.must_change)}
          hint={t(row.must_change === 1 ? 'people.must_change_stays' : 'people.must_change_hint')}
          disabled={row.must_change === 1}
        />
      )}
    </FormDrawer>
  );
};
