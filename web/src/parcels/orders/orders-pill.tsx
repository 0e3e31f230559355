import { useEffect } from 'react';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { useUser } from '#shell/session/session.ts';
import { useTexts } from '#base/texts.ts';
import type { Say } from '#base/texts.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { yuan } from '#ui/values/amounts.ts';
import type { OrderEntry } from './entry.ts';
import { useNarrow } from '#base/viewport.ts';
import { StatusShape, useStateWords } from '#parcels/status-tag.tsx';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import { useOrders } from './entries.ts';
import { isFollowed, isUnanswered, needsHand } from './entry.ts';
import { announceOutcomes, startOrders } from './follow.ts';
import styles from './orders-pill.module.css';
import { outcomeWords } from './words.ts';

const tellSaved = ({ state, parcel }: OrderEntry, words: string, t: Say): void => {
  if (state !== 'placed') return notify.warning(words);
  if (parcel?.modifying === 1) return notify.info(t('store.order_state.modifying'));
  notify.success(
    parcel?.state_code === stateCode.awaitingPickup
      ? t('store.edit_taken', { amount: yuan(parcel.post_amount) })
      : t('store.edit_saved'),
  );
};

/**
 * Processes the user's orders on every screen. In the navbar it shows the number of orders that are
 * still open.
 */
export const OrdersPill = () => {
  const { t, language } = useTexts();
  const { id } = useUser();
  const stateWords = useStateWords();
  const narrow = useNarrow();
  const entries = useOrders((state) => state.entries);
  useEffect(() => startOrders(id), [id]);
  useEffect(
    () =>
      announceOutcomes((entry) => {
        const words = outcomeWords(entry, t, language, stateWords);
        // After an edit the user is in the list, where no row shows the outcome. A notice is
        // therefore shown.
        if (entry.work === 'save' && document.visibilityState === 'visible')
          tellSaved(entry, words, t);
        return words;
      }),
    [t, language, stateWords],
  );
  const refused = entries.filter(needsHand).length;
  const open = entries.filter((entry) => isUnanswered(entry) || isFollowed(entry)).length;
  if (refused + open === 0) return null;
  const words =
    refused > 0
      ? t('store.order_state.pill_refused', { count: refused })
      : t('store.order_state.pill_open', { count: open });
  return (
    <a
      className={styles['pill']}
      {...(narrow && { 'aria-label': words })}
      data-refused={refused > 0 || undefined}
      href={screenHref('ExpressStore')}
    >
      <StatusShape code={refused > 0 ? stateCode.failed : stateCode.ordering} />
      {narrow ? refused || open : words}
    </a>
  );
};
