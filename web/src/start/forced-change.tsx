import { logOut } from '#shell/session/session.ts';
import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';
import { ChangePassword } from '#shell/session/change-password.tsx';
import { ForcedSheet } from './forced-sheet.tsx';

/** The page on which a user must change the password before anything else is shown. */
export const ForcedChange = () => {
  const { t } = useTexts();
  return (
    <ForcedSheet title={t('people.must_title')} hint={t('people.must_hint')}>
      <ChangePassword
        ok={t('people.go_on')}
        autoFocus
        beside={<Button onClick={() => void logOut()}>{t('shell.log_out')}</Button>}
      />
    </ForcedSheet>
  );
};
