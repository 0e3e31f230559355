import { CheckCircleFilled, MinusCircleOutlined } from '@ant-design/icons-svg';
import { passwordRules } from '@waystation/contract/people/password.ts';
import { useTexts } from '#base/texts.ts';
import { Icon } from '#ui/icon.tsx';
import styles from './password.module.css';

/**
 * The rules for a new password. While the user types, an icon and a text show whether each rule is
 * met.
 */
export const PasswordRules = ({
  id,
  password,
  username,
  station,
}: {
  id: string;
  password: string;
  username: string;
  station: string | null;
}) => {
  const { t } = useTexts();
  return (
    <div id={id} className={styles['rules']}>
      <p>{t('people.rules')}</p>
      <ul>
        {passwordRules(password, username, station ?? '').map(({ rule, met }) => (
          <li key={rule} data-met={met || undefined}>
            {met ? <Icon of={CheckCircleFilled} /> : <Icon of={MinusCircleOutlined} />}
            {t(`people.rule.${rule}`)}
            <span className="sr-only">{t(met ? 'people.met' : 'people.open')}</span>
          </li>
        ))}
      </ul>
    </div>
  );
};
