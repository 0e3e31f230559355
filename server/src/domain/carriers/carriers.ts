import type { Reason } from '@waystation/contract/base/envelope.ts';
import { present } from '@waystation/contract/base/present.ts';
import type { Clock } from '#platform/clock.ts';
import { fail } from '#platform/fail.ts';
import * as adapters from './adapters.ts';
import { outboundPolicy } from './outbound.ts';
import type { Carrier } from './port.ts';
import { forbidden, openWire } from './wire.ts';

export type {
  Accepted,
  ActualFee,
  Answered,
  CallRecord,
  CancelAnswer,
  Carrier,
  CarrierAccount,
  CarrierEffect,
  CarrierFee,
  CarrierMessage,
  CarrierOrder,
  CarrierParcel,
  ComponentLabel,
  Coverage,
  CreateAnswer,
  Failed,
  LabelData,
  Measured,
  Messages,
  OrderingAccount,
  ParcelKey,
  PreSort,
  PushedFee,
  SeekAnswer,
} from './port.ts';
export { carrierText } from './charset.ts';
export { outboundPolicy } from './outbound.ts';
export { mostLabelWaybills, safeSum } from './port.ts';
export { forbidden, openWire } from './wire.ts';
export type { Wire, WireAnswer } from './wire.ts';

export interface CarriersOptions {
  clock: Clock;
  /**
   * A list of `host` or `host:port` that calls may reach although it is private or unencrypted. An
   * invalid item throws an error.
   */
  outboundAllow: readonly string[];
  /** The longest time from the start of a call to its last byte, in milliseconds. */
  timeoutMs: number;
}

export interface Carriers {
  /** Returns the adapter of a carrier. Fails with `carrier_unsupported` if there is none. */
  carrierOf(provider: string): Carrier;
  /** Closes idle connections; calls in progress are completed. */
  close(): void;
}

/** Opens the adapters of all carriers, which share their connections. Called once per process. */
export const openCarriers = ({ clock, outboundAllow, timeoutMs }: CarriersOptions): Carriers => {
  const wire = openWire({ outbound: outboundPolicy(outboundAllow), timeoutMs });
  const carriers: Record<string, Carrier> = Object.fromEntries(
    Object.entries(adapters).map(([code, open]) => [code, open({ wire, clock })]),
  );
  return {
    carrierOf: (provider) =>
      Object.hasOwn(carriers, provider)
        ? present(carriers[provider])
        : fail('carrier_unsupported', { provider }),
    close: wire.close,
  };
};

/**
 * The reason why an account may not have this base URL; null if it may. The URL must be http or
 * https without credentials or query, and the outbound policy must allow it.
 */
export const baseUrlProblem = (
  base_url: string,
  outboundAllow: readonly string[],
): Reason | null => {
  const url = URL.canParse(base_url) ? new URL(base_url) : null;
  if (!url || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    return { code: 'carrier_url' };
  return forbidden(url, outboundPolicy(outboundAllow));
};
