import { useState } from 'react';
import {
  confirmNoticeChannel,
  listNoticeChannels,
  previewNoticeChannel,
} from '@waystation/contract/people/notice-channel.ts';
import type { NoticeChannel } from '@waystation/contract/people/notice-channel.ts';
import { call } from '#base/call.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { useUser } from '#shell/session/session.ts';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { Button } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Checkbox } from '#ui/fields/checkbox.tsx';
import { PasswordField } from '#ui/fields/password-field.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { Notice } from '#ui/notice.tsx';
import { FormDialog } from '#ui/overlay/form-dialog.tsx';
import { Modal } from '#ui/overlay/overlay.tsx';
import { Waiting } from '#ui/waiting.tsx';
import type { MadeChannel } from './notice-dialog.tsx';
import styles from './notices.module.css';
import { channelError, useNoticeWords } from './notice-words.ts';

interface ProofState {
  on: boolean;
  password: string;
  otp: string;
}

/**
 * Lets the user choose whether the mailbox may be used to reset a forgotten password. A change
 * needs the present password.
 */
const ResetProof = ({
  proof: { on, password, otp },
  isWanted,
  errors,
  onChange,
}: {
  proof: ProofState;
  /**
   * True if the dialog was opened only to permit resets. It then shows no checkbox that asks
   * whether to permit them.
   */
  isWanted: boolean;
  errors: Readonly<Record<string, string | undefined>>;
  onChange: (changed: Partial<ProofState>) => void;
}) => {
  const { t } = useTexts();
  const { username } = useUser();
  const say = useNoticeWords();
  return (
    <>
      {!isWanted && (
        <Checkbox checked={on} onChange={(checked) => onChange({ on: checked })}>
          {say('resets')}
        </Checkbox>
      )}
      {on && (
        <>
          <input
            type="text"
            name="username"
            autoComplete="username"
            value={username}
            readOnly
            hidden
          />
          <PasswordField
            name="password"
            kind="current-password"
            label={t('people.current')}
            words={{ show: t('people.show'), hide: t('people.hide') }}
            required
            value={password}
            error={errors['password']}
            onChange={(value) => onChange({ password: value })}
          />
          {(errors['otp'] !== undefined || otp !== '') && (
            <TextField
              name="otp"
              label={t('people.otp_or_code')}
              required
              value={otp}
              error={errors['otp']}
              onChange={(value) => onChange({ otp: value })}
            />
          )}
        </>
      )}
    </>
  );
};

/** The dialog in which the user enters the code that was sent to a channel. */
export const CodeDialog = ({
  channel,
  onClose,
}: {
  channel: NoticeChannel;
  onClose: () => void;
}) => {
  const { t, language } = useTexts();
  const say = useNoticeWords();
  const [code, setCode] = useState('');
  // True if the mailbox is already confirmed. The dialog then only permits the mailbox to be used
  // for resetting a forgotten password.
  const isLive = channel.status === 'live';
  const [proof, setProof] = useState<ProofState>({ on: isLive, password: '', otp: '' });
  const { role } = useUser();
  const sending = useSubmit({
    send: async () => {
      const { on, password, otp } = proof;
      await call(confirmNoticeChannel, {
        id: channel.id,
        code: code.trim(),
        ...(on && { password, otp: otp.trim() }),
      });
      onClose();
      return say(isLive ? 'resets_done' : 'confirmed', { name: channel.name });
    },
    refreshes: [listNoticeChannels],
    fields: ['code', 'password', 'otp'],
  });
  const error = channelError(channel, language);
  const required = (missing: boolean) => (missing ? t('common.required') : undefined);
  return (
    <FormDialog
      open
      title={say('code_title')}
      ok={say('confirm')}
      busy={sending.busy}
      failure={sending.failure}
      onSubmit={() =>
        void sending.submit({
          code: required(code.trim() === ''),
          password: required(proof.on && proof.password === ''),
        })
      }
      onClose={onClose}
    >
      {error === null ? (
        <p className={styles['hint']}>
          {say(isLive ? 'resets_hint' : 'code_hint', { hint: channel.hint })}
        </p>
      ) : (
        <Notice tone="warn">{say('code_failed', { error })}</Notice>
      )}
      <TextField
        label={say('code')}
        name="code"
        required
        numeric
        autoFocus
        value={code}
        error={sending.errors['code']}
        onChange={(value) => {
          setCode(value);
          sending.clearErrors('code');
        }}
      />
      {channel.kind === 'mail' && role !== 'super' && (
        <ResetProof
          proof={proof}
          isWanted={isLive}
          errors={sending.errors}
          onChange={(changed) => {
            setProof((now) => ({ ...now, ...changed }));
            // If only the password was changed, the error of the code field stays.
            if (changed.password !== undefined) sending.clearErrors('password');
          }}
        />
      )}
    </FormDialog>
  );
};

/** Shows the secret of a generic webhook, which is shown only this once. */
export const NoticeSecretDialog = ({
  made,
  onClose,
}: {
  made: MadeChannel;
  onClose: () => void;
}) => {
  const say = useNoticeWords();
  return (
    <Modal
      open
      centered
      width={600}
      title={say('secret_title', { name: made.channel.name })}
      footer={
        <Button type="primary" onClick={onClose}>
          {say('saved')}
        </Button>
      }
    >
      <p className={styles['key']}>
        <code>{made.secret}</code>
        <CopyButton text={made.secret ?? ''} label={say('copy')} />
      </p>
      <p className={styles['hint']}>{say('secret_once')}</p>
    </Modal>
  );
};

/** Shows how a message with the present notifications would look, with a button to send it. */
export const PreviewDialog = ({
  channel,
  onClose,
}: {
  channel: NoticeChannel;
  onClose: () => void;
}) => {
  const say = useNoticeWords();
  const { data, error, refetch } = useCall(
    previewNoticeChannel,
    { id: channel.id },
    { quiet: true, staleTime: 0 },
  );
  return (
    <Modal
      open
      width={520}
      title={say('preview_title')}
      onClose={onClose}
      footer={<Button onClick={onClose}>{say('close')}</Button>}
    >
      <p className={styles['hint']}>{say('preview_hint')}</p>
      {error && !data && <ErrorPanel error={error} onRetry={refetch} />}
      {!error && !data && <Waiting />}
      {data && (
        <div className={styles['preview']}>
          <strong>{data.subject}</strong>
          <p>{data.text}</p>
        </div>
      )}
    </Modal>
  );
};
