import { DownOutlined, UpOutlined } from '@ant-design/icons-svg';
import type { ReactNode } from 'react';
import { useShortcuts } from '#base/shortcuts.ts';
import type { Shortcut } from '#base/shortcuts.ts';
import { useTexts } from '#base/texts.ts';
import { useNarrow } from '#base/viewport.ts';
import { Button } from '#ui/button.tsx';
import { Drawer } from './overlay.tsx';
import styles from './detail-drawer.module.css';
import { Icon } from '#ui/icon.tsx';
import primitives from '#ui/primitives.module.css';

interface Props {
  open: boolean;
  title: ReactNode;
  /** A page of its own for it. */
  link?: ReactNode;
  /** The row before and after in the list; null at its ends. */
  onPrevious: (() => void) | null;
  onNext: (() => void) | null;
  onClose: () => void;
  /** Where the focus goes once it is closed. */
  returnTo: () => HTMLElement | null;
  /** What can be done, at the foot. */
  actions: ReactNode;
  children: ReactNode;
}

const none: readonly Shortcut[] = [];

const Keys = ({ onPrevious, onNext }: Pick<Props, 'onPrevious' | 'onNext'>) => {
  const { t } = useTexts();
  useShortcuts(
    onPrevious || onNext
      ? [
          { keys: 'j', label: t('common.next_row'), inDialog: true, unlisted: true, run: () => onNext?.() },
          { keys: 'k', label: t('common.previous_row'), inDialog: true, unlisted: true, run: () => onPrevious?.() },
        ]
      : none,
  );
  return null;
};

/** One row beside its list: 720 px, the whole width on a phone; j and k walk through the list behind it. */
export const DetailDrawer = ({ open, title, link, onPrevious, onNext, onClose, returnTo, actions, children }: Props) => {
  const { t } = useTexts();
  const narrow = useNarrow();
  return (
    <Drawer
      open={open}
      onClose={onClose}
      size={narrow ? '100%' : 720}
      title={title}
      flush
      returnTo={returnTo}
      extra={
        <span className={styles['moves']}>
          {link}
          <Button
            type="text"
            icon={<Icon of={UpOutlined} />}
            aria-label={t('common.previous_row')}
            title={`${t('common.previous_row')} (K)`}
            disabled={!onPrevious}
            onClick={() => onPrevious?.()}
          />
          <Button
            type="text"
            icon={<Icon of={DownOutlined} />}
            aria-label={t('common.next_row')}
            title={`${t('common.next_row')} (J)`}
            disabled={!onNext}
            onClick={() => onNext?.()}
          />
        </span>
      }
      footer={<div className={`${primitives['buttons']} ${styles['actions']}`}>{actions}</div>}
    >
      {open && <Keys onPrevious={onPrevious} onNext={onNext} />}
      {children}
    </Drawer>
  );
};
