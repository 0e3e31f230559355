import { printHandover } from '@waystation/contract/parcels/handover.ts';
import { callFile } from '#base/call.ts';
import { saveFile } from '#base/save-file.ts';
import { useTexts } from '#base/texts.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { useState } from 'react';
import { useHandoverWords } from '#parcels/handover-words.ts';

/** Downloads the list of a closed hand-over, to print and sign it. */
export const usePrintList = () => {
  const { language } = useTexts();
  const say = useHandoverWords();
  const [busy, setBusy] = useState(false);
  const print = async (id: number): Promise<void> => {
    setBusy(true);
    try {
      const { origin } = window.location;
      const file = await callFile(printHandover, { id, language, origin });
      saveFile(file.blob, file.name);
      notify.success(say('printed', { name: file.name }));
    } catch (error) {
      notify.failure(error);
    } finally {
      setBusy(false);
    }
  };
  return { busy, print };
};
