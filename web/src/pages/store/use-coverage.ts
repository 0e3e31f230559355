import { coverExpress } from '@waystation/contract/parcels/express-calls.ts';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import { isProvider } from '@waystation/contract/network/provider.ts';
import { useCall } from '#base/query.ts';
import type { OrderForm } from '#parcels/orders/form.ts';
import { coverInput } from '#parcels/orders/inputs.ts';
import { useSettled } from '#resource/stations/station-picker.tsx';

export type Coverage = OutputOf<typeof coverExpress>;

/** Each address is a request to the carrier, sent after a pause in typing. */
const pause = 800;

/** The carrier's answer about the two typed places; null until it answers. Nothing waits for it. */
export const useCoverage = (
  form: OrderForm,
  provider: string | undefined,
  closed: boolean,
): Coverage | null => {
  const wanted =
    closed || provider === undefined || !isProvider(provider) ? null : coverInput(form, provider);
  const text = JSON.stringify(wanted);
  const settled = useSettled(text, pause);
  const { data } = useCall(coverExpress, JSON.parse(settled) as ReturnType<typeof coverInput>, {
    quiet: true,
    staleTime: 600_000,
  });
  return settled === text && data !== undefined ? data : null;
};
