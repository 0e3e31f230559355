import { useState } from 'react';
import type { SecondFactorStart } from '@waystation/contract/people/profile.ts';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { useTexts } from '#base/texts.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { SubmitDialog } from '#resource/form/submit-dialog.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import styles from './profile.module.css';

interface Props {
  start: SecondFactorStart;
  /**
   * Sends the first code, which switches two-factor authentication on. If the code is wrong, the
   * field shows an error.
   */
  onCode: (otp: string) => Promise<void>;
  onClose: () => void;
}

/** The secret in groups of four characters, so that people can type it more easily. */
const spaced = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/g, '$1 ');

/** Shows the secret as a QR code and as text, and asks for the first code of the app. */
export const ScanDialog = ({ start, onCode, onClose }: Props) => {
  const { t } = useTexts();
  const [otp, setOtp] = useState('');
  const sending = useSubmit({
    send: async () => {
      await onCode(otp.trim());
      return null;
    },
    fields: ['otp'],
  });
  const { modules, path } = start.qr;
  return (
    <SubmitDialog
      title={t('people.scan_title')}
      ok={t('people.confirm')}
      sending={sending}
      check={() => ({ otp: otp.trim() === '' ? t('common.required') : undefined })}
      onClose={onClose}
    >
      <p className={styles['hint']}>{t('people.scan_hint')}</p>
      <div className={styles['scan']}>
        <svg
          className={styles['qr']}
          viewBox={`0 0 ${modules} ${modules}`}
          role="img"
          aria-label={t('people.scan_alt')}
          shapeRendering="crispEdges"
        >
          <rect width={modules} height={modules} fill="#fff" />
          <path d={path} fill="#000" />
        </svg>
        <div className={styles['secret']}>
          {t('people.secret')}
          <span>
            <code className="tabular">{spaced(start.secret)}</code>{' '}
            <CopyButton text={start.secret} label={t('people.copy_secret')} />
          </span>
        </div>
      </div>
      <TextField
        name="otp"
        label={t('people.otp')}
        required
        numeric
        autoFocus
        value={otp}
        error={sending.errors['otp']}
        onChange={(value) => {
          setOtp(value);
          sending.clearErrors('otp');
        }}
      />
    </SubmitDialog>
  );
};
