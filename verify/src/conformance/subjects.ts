import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { accountSchemas } from '@waystation/contract/network/merchant-accounts.ts';
import type { AccountField } from '@waystation/contract/network/merchant-accounts.ts';
import { offeredProviders } from '@waystation/contract/network/provider.ts';
import type { Provider } from '@waystation/contract/network/provider.ts';
import { adapterOf } from '@waystation/server/testing/carrier-kit.ts';
import { startCarrier } from '@waystation/server/testing/simulator.ts';
import type { TestCarrier } from '@waystation/server/testing/simulator.ts';
import type { Subject, Switches } from './kit.ts';

/** The content of an `--account` file: an account, and the product that it orders. */
type AccountFile = Partial<Record<AccountField['name'] | 'warehouse_code' | 'product', string>>;

/** The folder of all carrier adapters. */
export const adaptersFolder = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  'server',
  'src',
  'domain',
  'carriers',
);

/** Returns the carrier's recorded pushes from the adapter's folder. */
const recordedPushes = (name: string): string[] => {
  const golden = join(adaptersFolder, name, 'golden');
  try {
    return readdirSync(golden)
      .filter((file) => /^push.*\.json$/.test(file))
      .map((file) => readFileSync(join(golden, file), 'utf8'));
  } catch {
    return [];
  }
};

const subjectOf = (name: Provider, at: string, given: AccountFile): Subject => {
  const { product = '', ...fields } = given;
  const account = {
    app_key: '',
    app_secret: '',
    access_token: '',
    customer_code: '',
    warehouse_code: '',
    ...fields,
  };
  const secret = accountSchemas[name]?.fields.filter((field) => field.secret) ?? [];
  return {
    name,
    at,
    open: adapterOf(name),
    account,
    product,
    secrets: secret.map((field) => account[field.name]).filter((text) => text !== ''),
    pushes: recordedPushes(name),
  };
};

/** The carrier accounts that exist in the simulator. */
const simulated = {
  jdl: {
    app_key: 'demoappkey0000000000000000000001',
    app_secret: 'demosecret000000000000000000000a',
    access_token: 'demotoken0000000000000000000000b',
    customer_code: '010K000001',
    product: 'ed-m-0001',
  },
  sf: {
    app_key: 'WAYSTATIONDEMO',
    app_secret: 'democheckword00000000000000000sf',
    customer_code: '7551234567',
    product: '2',
  },
} satisfies Partial<Record<Provider, AccountFile>>;

/**
 * The carriers that the simulator can simulate. It may not be able to simulate the carrier of an
 * adapter.
 */
type Simulated = keyof typeof simulated;
const isSimulated = (name: Provider): name is Simulated => Object.hasOwn(simulated, name);

const post = ({ control }: TestCarrier, path: string, body: unknown): Promise<void> =>
  control('POST', path, body).then(() => {});

const settle = (carrier: TestCarrier): Promise<void> =>
  post(carrier, 'pushes/settle', { within_ms: 5_000 });

const jdlSwitches = (carrier: TestCarrier): Switches => ({
  refuse: () =>
    post(carrier, 'faults', {
      kind: 'refuse',
      path: '/ecap/v1/orders/create',
      message: '收件地址超出服务范围',
    }),
  cancel: (waybill) => post(carrier, `orders/${waybill}/jump`, { to: 'cancelled' }),
  pickUp: (waybill) => post(carrier, `orders/${waybill}/jump`, { to: 'picked_up' }),
  facts: (waybill, { weight, amount }) =>
    post(carrier, `orders/${waybill}/facts`, { weight, fees: { QIPSF: amount } }),
  pushesTo: (url) => post(carrier, 'callbacks', { url }),
  settle: () => settle(carrier),
  nextDay: () => post(carrier, 'clock/advance', { ms: 86_400_000 }),
  expireToken: () => post(carrier, 'tokens/expire', { customer_code: simulated.jdl.customer_code }),
});

const sfSwitches = (carrier: TestCarrier): Switches => ({
  refuse: () =>
    post(carrier, 'faults', {
      kind: 'refuse',
      path: 'EXP_RECE_CREATE_ORDER',
      code: 8057,
      message: '收件地址超出服务范围',
    }),
  cancel: (waybill) => post(carrier, `sf/orders/${waybill}/cancel`, {}),
  pickUp: (waybill) => post(carrier, `sf/orders/${waybill}/jump`, { to: '50' }),
  facts: (waybill, { weight, amount }) =>
    post(carrier, `sf/orders/${waybill}/facts`, {
      weight,
      fees: [{ type: '1', name: '运费', amount }],
    }),
  pushesTo: (callback_url) =>
    post(carrier, 'sf/partner', { partner_id: simulated.sf.app_key, callback_url }),
  settle: () => settle(carrier),
  nextDay: () => post(carrier, 'clock/advance', { ms: 86_400_000 }),
});

const simulatorParts: Readonly<
  Record<
    Simulated,
    {
      switches: (carrier: TestCarrier) => Switches;
      otherProduct: NonNullable<Subject['otherProduct']>;
    }
  >
> = {
  jdl: {
    switches: jdlSwitches,
    otherProduct: { ordered: 'ed-m-0001', confirmed: 'ed-m-0002', code: 'ed-m-0002' },
  },
  sf: {
    switches: sfSwitches,
    otherProduct: { ordered: '标快', confirmed: '特快', code: '1' },
  },
};

/** Starts a simulator for a carrier, and returns the simulated carrier with its fault switches. */
export const simulatedSubject = async (
  name: Simulated,
): Promise<{ subject: Subject; stop: () => Promise<void> }> => {
  const carrier = await startCarrier();
  const { switches, otherProduct } = simulatorParts[name];
  return {
    subject: {
      ...subjectOf(name, carrier.url, simulated[name]),
      switches: switches(carrier),
      otherProduct,
    },
    stop: carrier.stop,
  };
};

const accountOf = (name: Provider): AccountFile => (isSimulated(name) ? simulated[name] : {});

/** Returns a carrier at another URL. Its faults cannot be switched on. */
const subjectAt = (name: Provider, at: string, accountFile: string | undefined): Subject =>
  subjectOf(
    name,
    at,
    accountFile === undefined
      ? accountOf(name)
      : (JSON.parse(readFileSync(accountFile, 'utf8')) as AccountFile),
  );

export const isOffered = (name: string): name is Provider =>
  (offeredProviders as readonly string[]).includes(name);

/** Opens the carrier at a URL. Without a URL, starts the simulator in the role of this carrier. */
export const openSubject = async (
  name: Provider,
  at: string | undefined,
  accountFile: string | undefined,
): Promise<{ subject: Subject; stop: () => Promise<void> }> => {
  if (at !== undefined) return { subject: subjectAt(name, at, accountFile), stop: async () => {} };
  if (isSimulated(name)) return simulatedSubject(name);
  console.error(`The simulator does not play ${name}. Say its address: --at URL --account FILE`);
  return process.exit(1);
};
