import { useTexts } from '#base/texts.ts';
import { hideOverlay } from '#shell/layout/overlays.ts';
import { lazyComponent } from '#ui/lazy.tsx';
import { Modal } from '#ui/overlay/overlay.tsx';

/** The search part of the palette. It is loaded when the palette is opened for the first time. */
const PaletteSearch = lazyComponent(
  async () => (await import('./palette-search.tsx')).PaletteSearch,
);

/**
 * The palette that Ctrl/⌘ K opens. It finds screens and actions by name, and parcels by waybill
 * number, order number or last digits of a phone.
 */
export const CommandPalette = ({ open }: { open: boolean }) => {
  const { t } = useTexts();
  return (
    <Modal
      open={open}
      onClose={() => hideOverlay('palette')}
      bare
      width={640}
      title={t('shell.palette')}
    >
      <PaletteSearch />
    </Modal>
  );
};
