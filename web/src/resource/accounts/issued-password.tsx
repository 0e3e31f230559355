import type { IssuedInvitation } from '@waystation/contract/people/account.ts';
import { invitationLink } from '@waystation/contract/people/invitation.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { Notice } from '#ui/notice.tsx';
import { Modal } from '#ui/overlay/overlay.tsx';
import primitives from '#ui/primitives.module.css';
import styles from './accounts.module.css';

/** An account with its generated password or its invitation link. */
export type IssuedPassword = { username: string } & (
  | { password: string }
  | { invitation: IssuedInvitation }
);

const Invitation = ({ invitation }: { invitation: IssuedInvitation }) => {
  const { t } = useTexts();
  const format = useFormat();
  const link = invitationLink(window.location.origin, invitation.token);
  return (
    <div className={styles['parts']}>
      <p className={`${primitives['row']} ${styles['issued']} ${styles['link']}`}>
        <code>{link}</code>
        <CopyButton text={link} label={t('people.copy_link')} />
      </p>
      {invitation.mailed !== null && (
        <Notice tone={invitation.mailed === 1 ? 'info' : 'warn'}>
          {t(invitation.mailed === 1 ? 'people.invited_mailed' : 'people.invited_not_mailed')}
        </Notice>
      )}
      <p className={styles['hint']}>
        {t('people.invited_hint', { time: format.moment(invitation.expires_at) })}
      </p>
    </div>
  );
};

/**
 * Shows the new password, which is never shown again. The user must confirm before the dialog
 * closes.
 */
export const IssuedPasswordDialog = ({
  issued,
  onClose,
}: {
  issued: IssuedPassword;
  onClose: () => void;
}) => {
  const { t } = useTexts();
  const isLink = 'invitation' in issued;
  return (
    <Modal
      open
      centered
      width={isLink ? 520 : 440}
      title={t(isLink ? 'people.invited_title' : 'people.issued_title', { name: issued.username })}
      footer={
        <Button type="primary" onClick={onClose}>
          {t('people.noted')}
        </Button>
      }
    >
      {isLink ? (
        <Invitation invitation={issued.invitation} />
      ) : (
        <>
          <p className={`${primitives['row']} ${styles['issued']}`}>
            <code>{issued.password}</code>
            <CopyButton text={issued.password} label={t('people.copy_password')} />
          </p>
          <p className={styles['hint']}>{t('people.issued_hint')}</p>
        </>
      )}
    </Modal>
  );
};
