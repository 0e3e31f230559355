import { listExpresses } from '@waystation/contract/parcels/express-calls.ts';
import type { ExpressRow } from '@waystation/contract/parcels/express.ts';
import { errorWords } from '#base/api-error.ts';
import { call } from '#base/call.ts';
import { currentLanguage } from '#base/language.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { openScreen } from '#shell/tabs/open-screen.ts';
import { playSound } from '#base/sounds.ts';
import { say } from '#base/texts.ts';

/** The first parcels that have this number or whose phone ends with these digits. */
export const findParcels = async (
  typed: string,
  signal?: AbortSignal,
): Promise<readonly ExpressRow[]> =>
  (
    await call(
      listExpresses,
      { q: typed.trim(), page_size: 5, fields: 'id' },
      signal ? { signal } : {},
    )
  ).items;

/** Opens the parcel with the scanned number. If several parcels match, it opens the list. */
export const openParcel = async (text: string): Promise<void> => {
  try {
    const found = await findParcels(text);
    playSound(found.length === 0 ? 'refused' : 'scanned');
    if (found.length === 0) return notify.warning(say('shell.parcel_not_found', { number: text }));
    openScreen('ExpressTable', found.length === 1 ? { q: text, id: found[0]!.id } : { q: text });
  } catch (error) {
    playSound('refused');
    notify.warning(errorWords(error, currentLanguage()));
  }
};
