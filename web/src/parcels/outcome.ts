import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import type { Language } from '@waystation/contract/base/errors.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { playSound } from '#base/sounds.ts';
import type { Say } from '#base/texts.ts';
import { numberOf, reasonWords } from './parcel-rules.ts';

/** Announces the result of an order: accepted, on hold, refused, or still unknown. */
export const tellOutcome = (express: Express, t: Say, language: Language): void => {
  const number = numberOf(express);
  const { state_code } = express;
  if (state_code === stateCode.onHold || state_code === stateCode.failed) playSound('refused');
  else if (state_code !== stateCode.ordering) playSound('done');
  if (express.state_code === stateCode.onHold) notify.warning(reasonWords(express, language));
  else if (express.state_code === stateCode.failed)
    notify.warning(t('common.outcome.refused', { reason: reasonWords(express, language) }));
  else if (express.state_code === stateCode.ordering) notify.info(t('common.outcome.asking'));
  else notify.success(t('common.outcome.ordered', { number }));
};
