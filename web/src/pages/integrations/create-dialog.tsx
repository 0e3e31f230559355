import { useState } from 'react';
import { createKey, listKeys } from '@waystation/contract/people/api-key.ts';
import type { ApiKey } from '@waystation/contract/people/api-key.ts';
import { keyScopeWords } from '@waystation/contract/people/key-words.ts';
import { listAccounts } from '@waystation/contract/people/account.ts';
import { keyDays, keyScopesOf } from '@waystation/contract/base/key-scopes.ts';
import type { KeyScope } from '@waystation/contract/base/key-scopes.ts';
import { mostKeyAddresses, shortNameLength } from '@waystation/contract/base/limits.ts';
import { managers } from '@waystation/contract/base/roles.ts';
import type { Role } from '@waystation/contract/base/roles.ts';
import { secondFactor } from '@waystation/contract/people/profile.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { call } from '#base/call.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { useSettled } from '#resource/stations/station-picker.tsx';
import { useUser } from '#shell/session/session.ts';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { Button } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { Checkbox } from '#ui/fields/checkbox.tsx';
import { SelectField } from '#ui/fields/choice-fields.tsx';
import { Combobox } from '#ui/fields/combobox.tsx';
import { MoneyField } from '#ui/fields/number-fields.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { FormDialog } from '#ui/overlay/form-dialog.tsx';
import { Modal } from '#ui/overlay/overlay.tsx';
import primitives from '#ui/primitives.module.css';
import styles from './integrations.module.css';
import { Proof } from './proof.tsx';
import { useKeyWords } from './words.ts';

interface Owner {
  id: number;
  username: string;
  role: Role;
}

const lives = [30, keyDays.usual, 180, keyDays.most] as const;
const day = 86_400_000;
const expiryOf = (days: number): string => new Date(Date.now() + days * day).toISOString();

/**
 * The choice of the account that gets the key: the user's own account, or one that the user
 * manages, found by its name. A super admin's own account cannot have keys.
 */
const AccountPicker = ({
  value,
  error,
  onChange,
}: {
  value: Owner | null;
  error: string | undefined;
  onChange: (owner: Owner | null) => void;
}) => {
  const { t } = useTexts();
  const say = useKeyWords();
  const user = useUser();
  const [typed, setTyped] = useState('');
  const q = useSettled(typed, 200).trim();
  const { data } = useCall(
    listAccounts,
    { status: 1, page_size: 50, sort: 'username', ...(q !== '' && { q }) },
    { keep: true, quiet: true, staleTime: 30_000 },
  );
  const own = user.role !== 'super' && user.username.includes(q) ? [user] : [];
  const accounts: Owner[] = [...own, ...(data?.items ?? [])];
  return (
    <Combobox
      label={say('account')}
      hint={say('account_hint')}
      required
      error={error}
      name="account_id"
      value={value === null ? '' : String(value.id)}
      shown={value?.username ?? ''}
      options={accounts.map(({ id, username, role }) => ({
        value: String(id),
        label: username,
        note: t(`shell.role.${role}`),
      }))}
      placeholder={say('account_placeholder')}
      onQuery={setTyped}
      onChange={(id) => onChange(accounts.find((one) => String(one.id) === id) ?? null)}
    />
  );
};

const Scopes = ({
  role,
  chosen,
  error,
  onChange,
}: {
  role: Role;
  chosen: readonly KeyScope[];
  error: string | undefined;
  onChange: (scopes: KeyScope[]) => void;
}) => {
  const { language } = useTexts();
  const say = useKeyWords();
  return (
    <>
      <fieldset className={styles['scopes']}>
        <legend>{say('scopes')}</legend>
        {keyScopesOf(role).map((scope) => (
          <Checkbox
            key={scope}
            checked={chosen.includes(scope)}
            onChange={(on) =>
              onChange(on ? [...chosen, scope] : chosen.filter((one) => one !== scope))
            }
          >
            {wordOf(keyScopeWords, scope, language)}
          </Checkbox>
        ))}
      </fieldset>
      {error !== undefined && (
        <p className={styles['error']} role="alert">
          {error}
        </p>
      )}
    </>
  );
};

export interface MadeKey {
  api_key: ApiKey;
  key: string;
}

const linesOf = (text: string): string[] =>
  text
    .split(/[\n,，;；]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The state of the form for a new API key, and the function that sends it. */
const useNewKey = (onMade: (made: MadeKey) => void) => {
  const { t } = useTexts();
  const say = useKeyWords();
  const user = useUser();
  const [name, setName] = useState('');
  const [owner, setOwner] = useState<Owner | null>(user.role === 'super' ? null : user);
  const [scopes, setScopes] = useState<KeyScope[]>(['parcels', 'order']);
  const [addresses, setAddresses] = useState('');
  const [dailyLimit, setDailyLimit] = useState<number | null>(null);
  const [life, setLife] = useState<string>(String(keyDays.usual));
  const [password, setPassword] = useState('');
  const [otp, setOtp] = useState('');
  const { data: factor } = useCall(secondFactor, {}, { quiet: true, staleTime: 0 });
  const withCode = factor?.on === 1;
  const role = owner?.role ?? 'station';
  const allowed = scopes.filter((scope) => keyScopesOf(role).includes(scope));
  const limit = allowed.includes('order') ? dailyLimit : null;
  const lines = linesOf(addresses);
  const lineFields = lines.map((_, at) => `addresses.${at}`);
  const sending = useSubmit({
    send: async () => {
      onMade(
        await call(createKey, {
          name: name.trim(),
          ...(owner && { account_id: owner.id }),
          scopes: allowed,
          addresses: lines,
          daily_limit: limit,
          password,
          ...(otp.trim() !== '' && { otp: otp.trim() }),
          expires_at: expiryOf(Number(life)),
        }),
      );
      return null;
    },
    refreshes: [listKeys],
    fields: [
      'name',
      'account_id',
      'scopes',
      'addresses',
      'daily_limit',
      'expires_at',
      'password',
      'otp',
      ...lineFields,
    ],
  });
  const { errors } = sending;
  const submit = (): Promise<void> =>
    sending.submit({
      name: name.trim() === '' ? t('common.required') : undefined,
      account_id: owner === null ? t('common.required') : undefined,
      scopes: allowed.length === 0 ? say('scopes_required') : undefined,
      addresses:
        lines.length > mostKeyAddresses
          ? say('addresses_many', { most: mostKeyAddresses })
          : undefined,
      daily_limit: Number.isNaN(limit) ? t('lists.unreadable') : undefined,
      password: password === '' ? t('common.required') : undefined,
      otp: withCode && otp.trim() === '' ? t('common.required') : undefined,
    });
  const wrong = lineFields.findIndex((field) => errors[field] !== undefined);
  const addressError =
    wrong < 0
      ? errors['addresses']
      : say('address_wrong', { line: wrong + 1, text: errors[lineFields[wrong]!] ?? '' });
  /** Returns a function that sets a value and removes the error of the value's field. */
  const changing =
    <V,>(set: (value: V) => void, field?: string) =>
    (value: V): void => {
      set(value);
      sending.clearErrors(field);
    };
  return {
    values: { name, owner, scopes, addresses, dailyLimit, life, role, password, otp },
    withCode,
    errors,
    addressError,
    sending,
    submit,
    setName: changing(setName, 'name'),
    setOwner: changing(setOwner, 'account_id'),
    setScopes: changing(setScopes, 'scopes'),
    setAddresses: changing(setAddresses),
    setDailyLimit: changing(setDailyLimit, 'daily_limit'),
    setLife,
    setPassword: changing(setPassword, 'password'),
    setOtp: changing(setOtp, 'otp'),
  };
};

/** The dialog that creates an API key: its account, scopes, permitted IP addresses and end date. */
export const CreateDialog = ({
  onMade,
  onClose,
}: {
  onMade: (made: MadeKey) => void;
  onClose: () => void;
}) => {
  const say = useKeyWords();
  const user = useUser();
  const form = useNewKey(onMade);
  const { values, errors, sending } = form;
  return (
    <FormDialog
      open
      title={say('create')}
      ok={say('create')}
      width={480}
      busy={sending.busy}
      failure={sending.failure}
      onSubmit={() => void form.submit()}
      onClose={onClose}
    >
      <TextField
        label={say('name')}
        hint={say('name_hint')}
        name="name"
        required
        autoFocus
        max={shortNameLength}
        value={values.name}
        error={errors['name']}
        onChange={form.setName}
      />
      {managers.includes(user.role) && (
        <AccountPicker value={values.owner} error={errors['account_id']} onChange={form.setOwner} />
      )}
      <Scopes
        role={values.role}
        chosen={values.scopes}
        error={errors['scopes']}
        onChange={form.setScopes}
      />
      <TextField
        label={say('addresses')}
        hint={say('addresses_hint')}
        name="addresses"
        lines={2}
        value={values.addresses}
        error={form.addressError}
        onChange={form.setAddresses}
      />
      {values.scopes.includes('order') && (
        <MoneyField
          label={say('daily_limit')}
          hint={say('daily_limit_hint')}
          name="daily_limit"
          placeholder={say('no_limit')}
          value={values.dailyLimit}
          error={errors['daily_limit']}
          onChange={form.setDailyLimit}
        />
      )}
      <SelectField
        label={say('expires')}
        name="expires_at"
        value={values.life}
        error={errors['expires_at']}
        options={lives.map((count) => ({ value: String(count), label: say('days', { count }) }))}
        onChange={(value) => value !== null && form.setLife(value)}
      />
      <Proof
        withCode={form.withCode}
        errors={errors}
        {...values}
        setPassword={form.setPassword}
        setOtp={form.setOtp}
      />
    </FormDialog>
  );
};

/**
 * Shows the secret of a new API key, which is shown only this once. Closing the dialog needs a
 * confirming button.
 */
export const MadeDialog = ({ made, onClose }: { made: MadeKey; onClose: () => void }) => {
  const say = useKeyWords();
  return (
    <Modal
      open
      centered
      width={600}
      title={say('made_title', { name: made.api_key.name })}
      footer={
        <Button type="primary" onClick={onClose}>
          {say('saved')}
        </Button>
      }
    >
      <p className={`${primitives['row']} ${styles['key']}`}>
        <code>{made.key}</code>
        <CopyButton text={made.key} label={say('copy')} />
      </p>
      <p className={styles['hint']}>{say('made_hint')}</p>
    </Modal>
  );
};
