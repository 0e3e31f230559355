import { useState } from 'react';
import {
  firstProvider,
  offeredProviders,
  providers,
} from '@waystation/contract/network/provider.ts';
import type { Provider } from '@waystation/contract/network/provider.ts';
import { listHandovers, openHandover } from '@waystation/contract/parcels/handover.ts';
import type { Handover } from '@waystation/contract/parcels/handover.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { call } from '#base/call.ts';
import { useTexts } from '#base/texts.ts';
import { useUser } from '#shell/session/session.ts';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { SubmitDialog } from '#resource/form/submit-dialog.tsx';
import { StationPicker, useSeveralStations } from '#resource/stations/station-picker.tsx';
import { SelectField } from '#ui/fields/choice-fields.tsx';
import primitives from '#ui/primitives.module.css';
import { useHandoverWords } from '#parcels/handover-words.ts';

/** The dialog that opens a hand-over for a chosen carrier and station. */
export const BeginDialog = ({
  onOpened,
  onClose,
}: {
  onOpened: (handover: Handover) => void;
  onClose: () => void;
}) => {
  const { t, language } = useTexts();
  const say = useHandoverWords();
  const user = useUser();
  const several = useSeveralStations();
  const [provider, setProvider] = useState<Provider>(firstProvider);
  const [station, setStation] = useState<number | null>(user.station_id ?? null);
  const sending = useSubmit({
    send: async () => {
      const handover = await call(openHandover, {
        provider,
        ...(several && station !== null && { station_id: station }),
      });
      onClose();
      onOpened(handover);
      return null;
    },
    refreshes: [listHandovers],
    onDone: () => {},
  });
  return (
    <SubmitDialog
      title={say('begin')}
      ok={say('begin')}
      sending={sending}
      check={() => ({
        station_id: several && station === null ? t('common.required') : undefined,
      })}
      onClose={onClose}
    >
      <SelectField
        label={say('carrier')}
        name="provider"
        value={provider}
        options={offeredProviders.map((code) => ({
          value: code,
          label: wordOf(providers, code, language),
        }))}
        onChange={(code) => setProvider(code ?? firstProvider)}
        disabled={sending.busy}
        error={sending.errors['provider']}
      />
      {several && (
        <StationPicker
          label={t('common.station')}
          value={station}
          onChange={setStation}
          disabled={sending.busy}
          error={sending.errors['station_id']}
          required
        />
      )}
      <p className={primitives['note']}>{say('begin_hint')}</p>
    </SubmitDialog>
  );
};
