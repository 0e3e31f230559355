import { useEffect, useMemo } from 'react';
import { kgText } from '@waystation/contract/base/weight.ts';
import { keyCaps } from '#base/keys.ts';
import { listenForScans } from '#base/scan-bursts.ts';
import { useShortcuts } from '#base/shortcuts.ts';
import { useTexts } from '#base/texts.ts';
import { openParcel } from '#shell/palette/parcel-search.ts';
import { openScreen } from '#shell/tabs/open-screen.ts';
import { hideOverlay } from '#shell/layout/overlays.ts';
import { toggleBench } from '#shell/layout/bench.ts';
import { Button } from '#ui/button.tsx';
import styles from './bench.module.css';
import { connectScale, disconnectScale, reconnectScale, useScale } from './scale.ts';

const open = (text: string): void => {
  for (const overlay of ['settings', 'palette', 'shortcuts', 'menu'] as const) hideOverlay(overlay);
  void openParcel(text);
};

const caps = (keys: string): string => keyCaps(keys)[0]?.join(' ') ?? '';

/** Shows the weight on the scale, or a button to connect the scale. */
const ScaleReading = () => {
  const { t } = useTexts();
  const { state, weight } = useScale();
  if (state === 'on')
    return (
      <output className={styles['reading']} data-stable={weight.stable || undefined}>
        <span className={styles['weight']}>{kgText(weight.grams, 3)} kg</span>{' '}
        {t(weight.stable ? 'common.bench.stable' : 'common.bench.moving')}
      </output>
    );
  if (state === 'absent')
    return <span className={styles['note']}>{t('common.bench.no_serial')}</span>;
  return (
    <>
      {state === 'lost' && <span role="alert">{t('common.bench.scale_lost')}</span>}
      <Button loading={state === 'connecting'} onClick={() => void connectScale()}>
        {t('common.bench.connect')} <kbd>{caps('alt+s')}</kbd>
      </Button>
    </>
  );
};

/**
 * The bar that replaces the navbar in bench mode. It shows the scale and a button to leave the
 * mode. Scans are read wherever the focus is.
 */
export const BenchBar = () => {
  const { t } = useTexts();
  useEffect(() => listenForScans(open), []);
  useEffect(() => {
    void reconnectScale();
    return () => void disconnectScale();
  }, []);
  useShortcuts(
    useMemo(
      () => [
        {
          keys: 'alt+s',
          label: t('common.bench.connect'),
          run: () => void connectScale(),
          whileTyping: true,
        },
      ],
      [t],
    ),
    'shell',
  );
  return (
    <header className={styles['bar']}>
      <strong>{t('common.bench.title')}</strong>
      <span className={styles['note']}>{t('common.bench.hint')}</span>
      <Button onClick={() => openScreen('LabelScan')}>{t('menu.labels')}</Button>
      <ScaleReading />
      <Button className={styles['leave']} onClick={toggleBench}>
        {t('common.bench.leave')} <kbd>{caps('alt+b')}</kbd>
      </Button>
    </header>
  );
};
