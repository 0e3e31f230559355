import { useState } from 'react';
import { chooseLocale, locales } from '#base/language.ts';
import { useUnsaved } from '#shell/tabs/page.ts';
import { useTexts } from '#base/texts.ts';
import { ChangePassword } from '#shell/session/change-password.tsx';
import { SelectField } from '#ui/fields/choice-fields.tsx';
import { NoticeChannels } from './profile/notice-channels.tsx';
import { OwnDetails } from './profile/own-details.tsx';
import styles from './profile/profile.module.css';
import { TwoFactor } from './profile/two-factor.tsx';
import { Sessions } from './profile/sessions.tsx';

/** Each language under its own name. */
const localeNames = { 'zh-CN': '简体中文', 'en-US': 'English' } as const;

const Language = () => {
  const { t, locale } = useTexts();
  return (
    <section className={styles['card']} aria-labelledby="profile-language">
      <h2 id="profile-language">{t('people.language')}</h2>
      <div className={styles['narrow']}>
        <SelectField
          label={t('people.language')}
          bare
          value={locale}
          options={locales.map((value) => ({ value, label: localeNames[value] }))}
          onChange={(value) => value !== null && chooseLocale(value)}
          hint={t('people.language_hint')}
        />
      </div>
    </section>
  );
};

/**
 * The page of the user's own account: name and contact, password, two-factor authentication,
 * devices, language, notification channels.
 */
export const Page = () => {
  const { t } = useTexts();
  const [dirty, setDirty] = useState({ details: false, password: false });
  useUnsaved(dirty.details || dirty.password);
  return (
    <section className={styles['page']}>
      <h1>{t('menu.profile')}</h1>
      <OwnDetails onDirty={(details) => setDirty((now) => ({ ...now, details }))} />
      <section className={styles['card']} aria-labelledby="profile-password">
        <h2 id="profile-password">{t('people.change_title')}</h2>
        <p className={styles['intro']}>{t('people.change_intro')}</p>
        <ChangePassword
          ok={t('people.change')}
          onDirty={(password) => setDirty((now) => ({ ...now, password }))}
        />
      </section>
      <div className={styles['column']}>
        <TwoFactor />
        <Language />
      </div>
      <NoticeChannels />
      <Sessions />
    </section>
  );
};
