import { Logo } from '#shell/layout/logo.tsx';
import { logOut, useUser } from '#shell/session/session.ts';
import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';
import primitives from '#ui/primitives.module.css';
import { ChangePassword } from '#shell/session/change-password.tsx';
import styles from '#shell/session/password.module.css';

/** Replaces the console until the password is changed, because the server answers no other call. */
export const ForcedChange = () => {
  const { t } = useTexts();
  const { username, nickname } = useUser();
  return (
    <main className={styles['forced']}>
      <section className={styles['sheet']} aria-labelledby="forced-change">
        <header>
          <Logo />
          <h1 id="forced-change">{t('people.must_title')}</h1>
          <span className={primitives['quiet']}>{nickname || username}</span>
          <p>{t('people.must_hint')}</p>
        </header>
        <ChangePassword
          ok={t('people.go_on')}
          autoFocus
          beside={<Button onClick={() => void logOut()}>{t('shell.log_out')}</Button>}
        />
      </section>
    </main>
  );
};
