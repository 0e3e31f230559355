import { useTexts } from '#base/texts.ts';
import { hideOverlay } from '#shell/layout/overlays.ts';
import { lazyComponent } from '#ui/lazy.tsx';
import { Modal } from '#ui/overlay/overlay.tsx';
import styles from './command-palette.module.css';

/** Comes with the component library, when the palette is first opened. */
const PaletteSearch = lazyComponent(async () => (await import('./palette-search.tsx')).PaletteSearch);

/** Ctrl/⌘ K: screens, actions, and parcels by waybill, order number or phone tail. */
export const CommandPalette = ({ open }: { open: boolean }) => {
  const { t } = useTexts();
  return (
    <Modal
      open={open}
      onCancel={() => hideOverlay('palette')}
      footer={null}
      closable={false}
      destroyOnHidden
      width={640}
      title={<span className="sr-only">{t('shell.palette')}</span>}
      className={styles['palette'] ?? ''}
    >
      <PaletteSearch />
    </Modal>
  );
};
