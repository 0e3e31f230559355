import { quoteExpress } from '@waystation/contract/parcels/express-calls.ts';
import { useCall } from '#base/query.ts';
import type { OrderForm } from '#parcels/orders/form.ts';
import { quoteInput } from '#parcels/orders/inputs.ts';
import { useSettled } from '#resource/stations/station-picker.tsx';

/** Milliseconds without a key before the typed content is priced. */
export const pause = 250;

/**
 * Prices of the typed content after a pause in typing. The former prices stay while new ones load,
 * so that nothing jumps. `edited`: the changed parcel that the carrier has.
 */
export const useQuotes = (form: OrderForm, edited: number | null) => {
  const typed = JSON.stringify(quoteInput(form, edited));
  const settled = useSettled(typed, pause);
  const input = JSON.parse(settled) as ReturnType<typeof quoteInput>;
  const { data, error, isFetching, refetch } = useCall(quoteExpress, input, {
    keep: input !== null,
    quiet: true,
  });
  return {
    data: input === null ? undefined : data,
    error,
    isFetching,
    /** Whether the prices are those of the form as it is now. */
    isCurrent: settled === typed && !isFetching,
    refetch,
    asking: input !== null,
  };
};
