import { Fragment } from 'react';
import { Modal } from '#ui/overlay/overlay.tsx';
import { isSingle, keyCaps } from '#base/keys.ts';
import { hideOverlay } from '#shell/layout/overlays.ts';
import { useSettings } from '#base/settings.ts';
import { useShortcutLayers } from '#base/shortcuts.ts';
import type { Shortcut } from '#base/shortcuts.ts';
import styles from './shortcut-sheet.module.css';
import { useTexts } from '#base/texts.ts';

/** Draws the keys of a shortcut in the order in which they are pressed. */
export const KeyCaps = ({ caps }: { caps: string[][] }) => (
  <span className={styles['caps']}>
    {caps.map((step, index) => (
      <Fragment key={index}>
        {index > 0 && <span className={styles['then']}>→</span>}
        {step.map((cap) => (
          <kbd key={cap}>{cap}</kbd>
        ))}
      </Fragment>
    ))}
  </span>
);

const List = ({ title, list }: { title: string; list: readonly Shortcut[] }) => (
  <section className={styles['group']}>
    <h3>{title}</h3>
    <dl>
      {list.map((shortcut) => (
        <div key={`${shortcut.keys} ${shortcut.label}`} className={styles['row']}>
          <dt>{shortcut.label}</dt>
          <dd>
            <KeyCaps caps={keyCaps(shortcut.keys)} />
          </dd>
        </div>
      ))}
    </dl>
  </section>
);

/**
 * The dialog opened by `?`. It lists the shortcuts that work now; the shortcuts of the page come
 * first.
 */
export const ShortcutSheet = ({ open }: { open: boolean }) => {
  const { t } = useTexts();
  const layers = useShortcutLayers((state) => state.layers);
  const singleKeys = useSettings((state) => state.singleKeys);
  const listOf = (kind: 'page' | 'shell'): Shortcut[] =>
    layers
      .filter((layer) => layer.kind === kind)
      .flatMap((layer) => layer.list)
      .filter((shortcut) => !shortcut.unlisted && (singleKeys || !isSingle(shortcut.keys)));
  const page = listOf('page');
  return (
    <Modal
      open={open}
      onClose={() => hideOverlay('shortcuts')}

      width={720}
      title={t('shell.shortcuts')}
    >
      <div className={styles['sheet']}>
        {page.length > 0 && <List title={t('shell.shortcuts_page')} list={page} />}
        <List title={t('shell.shortcuts_everywhere')} list={listOf('shell')} />
      </div>
      <p className={styles['note']}>
        {singleKeys ? t('shell.shortcuts_note') : t('shell.shortcuts_off')}
      </p>
    </Modal>
  );
};
