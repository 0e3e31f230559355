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
  /** A link to the page of the row. */
  link?: ReactNode;
  /** Opens the previous row of the list; null at the first row. `onNext` opens the next row. */
  onPrevious: (() => void) | null;
  onNext: (() => void) | null;
  onClose: () => void;
  /** Shortcuts that work while the drawer is open. The shortcuts of the list do not work then. */
  keys?: readonly { keys: string; label: string; run: () => void }[];
  /** Returns the element that gets the focus after the drawer has closed. */
  returnTo: () => HTMLElement | null;
  /** The actions at the bottom of the drawer. */
  actions: ReactNode;
  children: ReactNode;
}

/** True if no dialog is open over the drawer. An open dialog handles the keys itself. */
const isOnTop = (): boolean =>
  [...document.querySelectorAll('[role=dialog][aria-modal=true], [role=alertdialog]')].filter(
    (dialog) => dialog.checkVisibility(),
  ).length === 1;

const Keys = ({ onPrevious, onNext, keys = [] }: Pick<Props, 'onPrevious' | 'onNext' | 'keys'>) => {
  const { t } = useTexts();
  const inDrawer = (key: string, label: string, run: () => void): Shortcut => ({
    keys: key,
    label,
    inDialog: true,
    unlisted: true,
    run: () => isOnTop() && run(),
  });
  useShortcuts([
    ...(onPrevious || onNext
      ? [
          inDrawer('j', t('common.next_row'), () => onNext?.()),
          inDrawer('k', t('common.previous_row'), () => onPrevious?.()),
        ]
      : []),
    ...keys.map((each) => inDrawer(each.keys, each.label, each.run)),
  ]);
  return null;
};

/**
 * One row beside its list. It is 720 px wide, or as wide as the screen on a phone. The keys j and k
 * open the next and the previous row.
 */
export const DetailDrawer = ({
  open,
  title,
  link,
  onPrevious,
  onNext,
  onClose,
  keys,
  returnTo,
  actions,
  children,
}: Props) => {
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
      {open && <Keys onPrevious={onPrevious} onNext={onNext} {...(keys && { keys })} />}
      {children}
    </Drawer>
  );
};
