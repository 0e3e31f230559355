/**
 * A connection to the carrier simulator. Each call may meet a fault, as on a bad network or at an
 * overloaded gateway. It wraps the product's real connection to carriers.
 */
import type { Wire, WireAnswer, WireRequest } from '#domain/carriers/wire.ts';
import type { TestCarrier } from '#testing/simulator.ts';

export const fates = [
  /** No connection: no byte was sent. */
  'unsent',
  /** The call was sent, but was lost before it reached the carrier. */
  'lost_before',
  /** The carrier executed the call, but its answer is lost. */
  'lost_after',
  /** The carrier executed the call, and its answer ends in the middle. */
  'half',
  /** The carrier executed the call, and a proxy returns an error page instead of the response. */
  'page',
  /** The carrier executed the call, and its answer arrives seconds later. */
  'slow',
  /**
   * The caller no longer waits for this call. The carrier executes it later, while another call is
   * running.
   */
  'late',
  /**
   * The carrier executed the call twice, and the caller gets the answer to the second execution.
   */
  'doubled',
  'throttled',
  /** The gateway refuses the account's key. */
  'key_refused',
  /** The carrier refuses the order with a business error. */
  'refused',
] as const;
export type Fate = (typeof fates)[number];

/** The properties of a call by which `fateOf` chooses its fate. */
export interface LineCall {
  isCreate: boolean;
}

export interface FaultyLineOptions {
  wire: Wire;
  control: TestCarrier['control'];
  /** Returns the fate of a call. Null means that the call succeeds unchanged. */
  fateOf(call: LineCall): Fate | null;
  /** Advances the clocks by the duration of a slow response. */
  pass(milliseconds: number): Promise<void>;
}

const slowMs = 5_000;
const nothing: WireAnswer = {
  got: 'nothing',
  reason: { code: 'carrier_timeout', params: { seconds: 10 } },
  ms: 10_000,
  sent: true,
};
const page = '<html><head><title>502 Bad Gateway</title></head></html>';

const isSf = ({ body }: WireRequest): boolean => body.startsWith('partnerID=');

/**
 * Returns the path by which the simulator's faults identify the call: for SF the service code,
 * otherwise the path of the URL.
 */
const nameOf = (request: WireRequest): string =>
  isSf(request)
    ? (new URLSearchParams(request.body).get('serviceCode') ?? '')
    : request.url.pathname;

const creates = ['/ecap/v1/orders/create', 'EXP_RECE_CREATE_ORDER'];

/**
 * Returns the simulator's fault for a fate. Returns null if the simulator is not needed, because
 * this connection simulates the fate.
 */
const faultOf = (request: WireRequest, fate: Fate): object | null => {
  const path = nameOf(request);
  switch (fate) {
    case 'throttled':
      return { kind: 'gateway', path, code: 2 };
    case 'key_refused':
      return { kind: 'gateway', path, code: isSf(request) ? 1011 : 19 };
    case 'refused':
      return {
        kind: 'refuse',
        path,
        message: '收件地址超出服务范围',
        code: isSf(request) ? 8057 : 1,
      };
    default:
      return null;
  }
};

export interface FaultyLine extends Wire {
  /** Executes the late calls. Their callers no longer wait for them. */
  deliverLate(): Promise<void>;
}

export const openFaultyLine = ({ wire, control, fateOf, pass }: FaultyLineOptions): FaultyLine => {
  let underWay: WireRequest[] = [];
  const deliverLate = async (): Promise<void> => {
    const late = underWay;
    underWay = [];
    for (const request of late) await wire.post(request);
  };
  const post = async (request: WireRequest): Promise<WireAnswer> => {
    const isCreate = creates.includes(nameOf(request));
    const fate = fateOf({ isCreate });
    if (fate === 'late') underWay.push(request);
    if (fate === 'late' || fate === 'lost_before') return nothing;
    if (fate === 'unsent') return { ...nothing, sent: false };
    const fault = fate === null ? null : faultOf(request, fate);
    if (fault !== null) await control('POST', 'faults', fault);
    if (fate === 'doubled') await wire.post(request);
    const answer = await wire.post(request);
    if (fate === 'lost_after') return nothing;
    if (fate === 'slow') await pass(slowMs);
    if (answer.got === 'nothing') return answer;
    if (fate === 'page') return { ...answer, http_status: 502, body: page };
    return fate === 'half'
      ? { ...answer, body: answer.body.slice(0, answer.body.length / 2) }
      : answer;
  };
  return {
    post: async (request) => {
      const answer = await post(request);
      if (underWay.length > 1 || (underWay.length > 0 && underWay[0] !== request))
        await deliverLate();
      return answer;
    },
    close: () => wire.close(),
    deliverLate,
  };
};
