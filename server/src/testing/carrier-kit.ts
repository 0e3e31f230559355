/**
 * The parts of the product with which the conformance tests (`verify/src/conformance`) run a
 * carrier adapter.
 */
import { present } from '@waystation/contract/base/present.ts';
import type { Provider } from '@waystation/contract/network/provider.ts';
import * as adapters from '#domain/carriers/adapters.ts';

export { outboundPolicy } from '#domain/carriers/outbound.ts';
export { mostLabelWaybills } from '#domain/carriers/port.ts';
export type {
  Accepted,
  ActualFee,
  Answered,
  CallRecord,
  Carrier,
  CarrierAccount,
  CarrierEffect,
  CarrierMessage,
  CarrierOrder,
  Coverage,
  LabelData,
  Measured,
  CreateAnswer,
  Failed,
  SeekAnswer,
} from '#domain/carriers/port.ts';
export { redact, wordsWithoutSecrets } from '#domain/carriers/redact.ts';
export { openWire } from '#domain/carriers/wire.ts';
export type { Wire } from '#domain/carriers/wire.ts';
export { renderLabels, stopLabels } from '#domain/documents/labels/labels.ts';
export { codesOn, openPdf, picture } from '#domain/documents/labels/reading.ts';
export { chargeDoubts } from '#domain/express/charge-limits.ts';
export { foldMessages } from '#domain/express/state.ts';
export { systemClock } from '#platform/clock.ts';

const openers = new Map(Object.entries(adapters));
/** Returns the adapter of a carrier. The caller opens it with a wire and a clock. */
export const adapterOf = (name: Provider): (typeof adapters)['jdl'] => present(openers.get(name));
