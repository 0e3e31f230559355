import { coverExpress } from '@waystation/contract/parcels/express-calls.ts';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import { isProvider } from '@waystation/contract/network/provider.ts';
import { useCall } from '#base/query.ts';
import type { OrderForm } from '#parcels/orders/form.ts';
import { useSettled } from '#resource/stations/station-picker.tsx';
import { coverInput } from './cover-input.ts';

export type Coverage = OutputOf<typeof coverExpress>;

/** Each address is a request to the carrier, sent after a pause in typing. */
const pause = 800;

/**
 * The carrier's answer about the two typed places; null until it answers. Nothing waits for it. A
 * `fresh` one is asked for whenever the form opens, because pickup windows pass.
 */
export const useCoverage = (
  form: OrderForm,
  provider: string | undefined,
  closed: boolean,
  fresh: boolean,
): Coverage | null => {
  const wanted =
    closed || provider === undefined || !isProvider(provider)
      ? null
      : coverInput(form, provider, fresh);
  const text = JSON.stringify(wanted);
  const settled = useSettled(text, pause);
  const { data } = useCall(coverExpress, JSON.parse(settled) as ReturnType<typeof coverInput>, {
    quiet: true,
    staleTime: fresh ? 0 : 600_000,
  });
  return settled === text && data !== undefined ? data : null;
};
