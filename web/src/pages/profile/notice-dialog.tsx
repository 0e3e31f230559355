import { useState } from 'react';
import {
  channelAddressLength,
  channelSecretLength,
  shortNameLength,
} from '@waystation/contract/base/limits.ts';
import {
  channelKinds,
  createNoticeChannel,
  editNoticeChannel,
  listNoticeChannels,
  noticePaces,
} from '@waystation/contract/people/notice-channel.ts';
import type {
  ChannelKind,
  NoticeChannel,
  NoticeSettings,
} from '@waystation/contract/people/notice-channel.ts';
import {
  channelKindWords,
  inboxKindsOf,
  inboxKindWords,
  noticePaceWords,
} from '@waystation/contract/people/notice-words.ts';
import type { InboxKind } from '@waystation/contract/shell/inbox.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { call } from '#base/call.ts';
import { useTexts } from '#base/texts.ts';
import { useUser } from '#shell/session/session.ts';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { Checkbox } from '#ui/fields/checkbox.tsx';
import { SelectField } from '#ui/fields/choice-fields.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { FormDialog } from '#ui/overlay/form-dialog.tsx';
import styles from './notices.module.css';
import { useNoticeWords } from './notice-words.ts';

const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: hour,
  label: `${String(hour).padStart(2, '0')}:00`,
}));
const languages = [
  { value: 'zh', label: '简体中文' },
  { value: 'en', label: 'English' },
] as const;

type Change = (change: Partial<NoticeSettings>) => void;

const Kinds = ({ chosen, onChange }: { chosen: readonly InboxKind[]; onChange: Change }) => {
  const { language } = useTexts();
  const { role } = useUser();
  const say = useNoticeWords();
  return (
    <fieldset className={styles['kinds']}>
      <legend>{say('kinds')}</legend>
      {inboxKindsOf(role).map((kind) => (
        <Checkbox
          key={kind}
          checked={chosen.includes(kind)}
          onChange={(on) =>
            onChange({ kinds: on ? [...chosen, kind] : chosen.filter((one) => one !== kind) })
          }
        >
          {wordOf(inboxKindWords, kind, language)}
        </Checkbox>
      ))}
    </fieldset>
  );
};

const Times = ({
  settings,
  error,
  onChange,
}: {
  settings: NoticeSettings;
  error: (field: string) => string | undefined;
  onChange: Change;
}) => {
  const { language } = useTexts();
  const say = useNoticeWords();
  const { pace, daily_hour, quiet_from, quiet_to } = settings;
  return (
    <div className={styles['pair']}>
      <SelectField
        label={say('pace')}
        value={pace}
        options={noticePaces.map((value) => ({
          value,
          label: wordOf(noticePaceWords, value, language),
        }))}
        onChange={(value) => value !== null && onChange({ pace: value })}
      />
      {pace === 'daily' ? (
        <SelectField
          label={say('daily_hour')}
          value={daily_hour}
          options={hours}
          onChange={(value) => value !== null && onChange({ daily_hour: value })}
        />
      ) : (
        <span />
      )}
      <SelectField
        label={say('quiet_from')}
        value={quiet_from}
        none={say('quiet_none')}
        options={hours}
        error={error('quiet_from')}
        hint={say('quiet_hint')}
        onChange={(value) =>
          onChange(value === null ? { quiet_from: null, quiet_to: null } : { quiet_from: value })
        }
      />
      <SelectField
        label={say('quiet_to')}
        value={quiet_to}
        none={say('quiet_none')}
        options={hours}
        error={error('quiet_to')}
        onChange={(value) =>
          onChange(value === null ? { quiet_from: null, quiet_to: null } : { quiet_to: value })
        }
      />
    </div>
  );
};

interface AddressState {
  kind: ChannelKind;
  address: string;
  secret: string;
}

const Address = ({
  state: { kind, address, secret },
  withMail,
  error,
  onChange,
}: {
  state: AddressState;
  withMail: boolean;
  error: (field: string) => string | undefined;
  onChange: (change: Partial<AddressState>) => void;
}) => {
  const { language } = useTexts();
  const say = useNoticeWords();
  const isRobot = kind !== 'mail' && kind !== 'webhook';
  return (
    <>
      <SelectField
        label={say('kind')}
        required
        value={kind}
        options={channelKinds
          .filter((value) => withMail || value !== 'mail')
          .map((value) => ({ value, label: wordOf(channelKindWords, value, language) }))}
        {...(!withMail && { hint: say('mail_none') })}
        onChange={(value) => value !== null && onChange({ kind: value, address: '', secret: '' })}
      />
      <TextField
        label={say(
          kind === 'mail' ? 'address_mail' : isRobot ? 'address_robot' : 'address_webhook',
        )}
        {...(kind === 'webhook' && { hint: say('address_webhook_hint') })}
        name="address"
        required
        max={channelAddressLength}
        value={address}
        error={error('address')}
        onChange={(value) => onChange({ address: value })}
      />
      {(kind === 'dingtalk' || kind === 'feishu') && (
        <TextField
          label={say('secret')}
          hint={say('secret_hint')}
          name="secret"
          max={channelSecretLength}
          value={secret}
          error={error('secret')}
          onChange={(value) => onChange({ secret: value })}
        />
      )}
    </>
  );
};

const settingsOf = ({
  name,
  language,
  kinds,
  pace,
  daily_hour,
  quiet_from,
  quiet_to,
}: NoticeSettings): NoticeSettings => ({
  name: name.trim(),
  language,
  kinds,
  pace,
  daily_hour,
  quiet_from,
  quiet_to,
});

export interface MadeChannel {
  channel: NoticeChannel;
  secret: string | null;
}

/**
 * The form for a new notification channel or for the settings of an existing one. After a new
 * channel is created, a code is sent to it.
 */
export const NoticeDialog = ({
  channel,
  withMail,
  onMade,
  onClose,
}: {
  channel: NoticeChannel | null;
  withMail: boolean;
  onMade: (made: MadeChannel) => void;
  onClose: () => void;
}) => {
  const { t, language } = useTexts();
  const { role } = useUser();
  const say = useNoticeWords();
  const [to, setTo] = useState<AddressState>({
    kind: withMail ? 'mail' : 'wecom',
    address: '',
    secret: '',
  });
  const [settings, setSettings] = useState<NoticeSettings>(
    channel ?? {
      name: '',
      language,
      kinds: [...inboxKindsOf(role)],
      pace: 'now',
      daily_hour: 9,
      quiet_from: null,
      quiet_to: null,
    },
  );
  const sending = useSubmit({
    send: async () => {
      const sent = settingsOf(settings);
      if (channel) {
        await call(editNoticeChannel, { id: channel.id, version: channel.version, ...sent });
        onClose();
      } else
        onMade(
          await call(createNoticeChannel, {
            kind: to.kind,
            address: to.address.trim(),
            ...(to.secret.trim() !== '' && { secret: to.secret.trim() }),
            ...sent,
          }),
        );
      return null;
    },
    refreshes: [listNoticeChannels],
    fields: ['name', 'address', 'secret', 'quiet_from', 'quiet_to'],
  });
  const change: Change = (changed) => {
    setSettings((now) => ({ ...now, ...changed }));
    for (const field of Object.keys(changed)) sending.clearErrors(field);
  };
  const { name, quiet_from, quiet_to } = settings;
  const required = (missing: boolean) => (missing ? t('common.required') : undefined);
  const error = (field: string): string | undefined => sending.errors[field];
  return (
    <FormDialog
      open
      title={channel ? say('edit_title', { name: channel.name }) : say('create_title')}
      ok={say(channel ? 'save' : 'send_code')}
      width={520}
      busy={sending.busy}
      failure={sending.failure}
      onSubmit={() =>
        void sending.submit({
          name: required(name.trim() === ''),
          address: required(channel === null && to.address.trim() === ''),
          quiet_from: required(quiet_from === null && quiet_to !== null),
          quiet_to: required(quiet_to === null && quiet_from !== null),
        })
      }
      onClose={onClose}
    >
      {channel === null && (
        <Address
          state={to}
          withMail={withMail}
          error={error}
          onChange={(changed) => {
            setTo((now) => ({ ...now, ...changed }));
            for (const field of Object.keys(changed)) sending.clearErrors(field);
          }}
        />
      )}
      <div className={styles['pair']}>
        <TextField
          label={say('name')}
          name="name"
          required
          max={shortNameLength}
          value={name}
          error={error('name')}
          onChange={(value) => change({ name: value })}
        />
        <SelectField
          label={say('language')}
          value={settings.language}
          options={languages}
          onChange={(value) => value !== null && change({ language: value })}
        />
      </div>
      <Kinds chosen={settings.kinds} onChange={change} />
      <Times settings={settings} error={error} onChange={change} />
    </FormDialog>
  );
};
