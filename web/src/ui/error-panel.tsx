import { CopyOutlined, ReloadOutlined, WarningOutlined } from '@ant-design/icons-svg';
import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { errorCode, errorWords, requestId } from '#base/api-error.ts';
import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';
import primitives from './primitives.module.css';
import styles from './error-panel.module.css';
import { Icon } from './icon.tsx';

interface Props {
  error: unknown;
  /** A heading above the error text. It is for failures whose subject is not obvious. */
  title?: string;
  onRetry?: () => unknown;
  /** Further actions besides retry. */
  actions?: ReactNode;
}

/**
 * The error message, its code, the request id, and a retry button. The panel stays until the retry
 * succeeds.
 */
export const ErrorPanel = ({ error, title, onRetry, actions }: Props) => {
  const { t, language } = useTexts();
  const [copied, setCopied] = useState(false);
  const heading = useId();
  const code = errorCode(error);
  const request = requestId(error);
  const copy = async () => {
    await navigator.clipboard.writeText(`${code} ${request}`.trim());
    setCopied(true);
  };
  return (
    <div className={styles['panel']} role="alert" aria-labelledby={heading}>
      <span className={styles['icon']}>
        <Icon of={WarningOutlined} />
      </span>
      <p id={heading} className={styles['title']}>
        {title ?? errorWords(error, language)}
      </p>
      {title !== undefined && <p className={styles['words']}>{errorWords(error, language)}</p>}
      <dl className={styles['facts']}>
        <dt>{t('common.error_code')}</dt>
        <dd>{code}</dd>
        {request !== '' && (
          <>
            <dt>{t('common.request_id')}</dt>
            <dd>
              <code>{request}</code>
              <Button
                type="text"
                size="small"
                icon={<Icon of={CopyOutlined} />}
                aria-label={t('common.copy_request_id')}
                onClick={() => void copy()}
              />
              <output>{copied ? t('common.copied') : ''}</output>
            </dd>
          </>
        )}
      </dl>
      <div className={`${primitives['buttons']} ${styles['actions']}`}>
        {onRetry && (
          <Button type="primary" icon={<Icon of={ReloadOutlined} />} onClick={() => void onRetry()}>
            {t('common.retry')}
          </Button>
        )}
        {actions}
      </div>
    </div>
  );
};
