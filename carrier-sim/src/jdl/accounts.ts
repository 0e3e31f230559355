import { randomBytes } from 'node:crypto';
import { wallClock } from '#wall-clock.ts';

/**
 * A merchant's account: its tokens, the customer codes for which it may order, and the callbacks
 * for its messages. The expiry times are real epoch milliseconds.
 */
export type Account = {
  seller_id: string;
  access_token: string;
  refresh_token: string;
  access_expires_at: number;
  refresh_expires_at: number;
  customer_codes: string[];
  /**
   * The callback URL that is set on the platform for the whole account. `callbacks` has the URLs of
   * single customer codes.
   */
  callback_url: string | null;
  callbacks: Record<string, string>;
};

/**
 * An application on the open platform. A partner application sends no token and signs the
 * empty text in its place.
 */
export type Application = {
  app_key: string;
  app_secret: string;
  partner: boolean;
  accounts: Account[];
};

/** The fields of an application (the merchant's JD app). Optional fields have defaults. */
export type ApplicationInput = {
  app_key: string;
  app_secret: string;
  partner?: boolean;
  accounts: {
    seller_id?: string;
    access_token: string;
    refresh_token?: string;
    customer_codes: string[];
    callback_url?: string | null;
    callbacks?: Record<string, string>;
    access_expires_at?: number;
    refresh_expires_at?: number;
  }[];
};

const day = 86_400_000;
const accessLife = 365 * day;
const refreshLife = accessLife + 30 * day;

/** The published example's application, which the demonstration network uses. */
export const exampleApplication: ApplicationInput = {
  app_key: 'demoappkey0000000000000000000001',
  app_secret: 'demosecret000000000000000000000a',
  accounts: [
    {
      seller_id: 'demoseller',
      access_token: 'demotoken0000000000000000000000b',
      refresh_token: 'demorefresh000000000000000000000c',
      customer_codes: ['010K000001'],
    },
  ],
};

/** The applications of a simulated carrier, with their accounts, tokens and callbacks. */
export type Accounts = {
  add(input: ApplicationInput): Application;
  application(appKey: string): Application | undefined;
  all(): Application[];
  /**
   * Returns the applications that were created or changed while the simulator ran. The journal
   * stores them.
   */
  changed(): Application[];
  markChanged(appKey: string): Application | undefined;
  byToken(application: Application, token: string): Account | undefined;
  owner(appKey: string, sellerId: string): Account | undefined;
  callbackOf(order: { app_key: string; seller_id: string; customer_code: string }): string | null;
  /** A one-time code for the token call. */
  issueCode(appKey: string, sellerId: string): string;
  consumeCodeOrFail(appKey: string, code: string): Account | undefined;
  /**
   * If `fresh` is true, gives an account new tokens. Otherwise only gives its present tokens a
   * later expiry.
   */
  renew(account: Account, fresh: boolean): void;
};

const withDefaults = (input: ApplicationInput, now: number): Application => ({
  app_key: input.app_key,
  app_secret: input.app_secret,
  partner: input.partner ?? false,
  accounts: input.accounts.map((account, i) => ({
    seller_id: account.seller_id ?? `seller${i + 1}`,
    access_token: account.access_token,
    refresh_token: account.refresh_token ?? `${account.access_token}-refresh`,
    access_expires_at: account.access_expires_at ?? now + accessLife,
    refresh_expires_at: account.refresh_expires_at ?? now + refreshLife,
    customer_codes: [...account.customer_codes],
    callback_url: account.callback_url ?? null,
    callbacks: { ...account.callbacks },
  })),
});

export const createAccounts = (
  inputs: readonly ApplicationInput[],
  realNow: () => number,
): Accounts => {
  const applications = new Map<string, Application>();
  const changed = new Set<string>();
  const codes = new Map<string, { appKey: string; sellerId: string; expiresAt: number }>();
  const owner = (appKey: string, sellerId: string): Account | undefined =>
    applications.get(appKey)?.accounts.find((account) => account.seller_id === sellerId);
  const add = (input: ApplicationInput): Application => {
    const application = withDefaults(input, realNow());
    applications.set(application.app_key, application);
    return application;
  };
  for (const input of inputs) add(input);
  return {
    add,
    application: (appKey) => applications.get(appKey),
    all: () => [...applications.values()],
    changed: () =>
      [...applications.values()].filter((application) => changed.has(application.app_key)),
    markChanged: (appKey) => {
      changed.add(appKey);
      return applications.get(appKey);
    },
    byToken: (application, token) =>
      application.accounts.find((account) => account.access_token === token),
    owner,
    callbackOf: (order) => {
      const account = owner(order.app_key, order.seller_id);
      return account?.callbacks[order.customer_code] ?? account?.callback_url ?? null;
    },
    issueCode: (appKey, sellerId) => {
      const code = randomBytes(8).toString('hex');
      codes.set(code, { appKey, sellerId, expiresAt: realNow() + 600_000 });
      return code;
    },
    consumeCodeOrFail: (appKey, code) => {
      const found = codes.get(code);
      codes.delete(code);
      if (found === undefined || found.appKey !== appKey || found.expiresAt < realNow())
        return undefined;
      return owner(appKey, found.sellerId);
    },
    renew: (account, fresh) => {
      if (fresh) {
        account.access_token = randomBytes(16).toString('hex');
        account.refresh_token = randomBytes(16).toString('hex');
      }
      account.access_expires_at = realNow() + accessLife;
      account.refresh_expires_at = realNow() + refreshLife;
    },
  };
};

/** The fields of the token response. Its times are local times of China. */
export const tokenFields = (appKey: string, account: Account): Record<string, unknown> => ({
  accessToken: account.access_token,
  accessExpire: wallClock(account.access_expires_at),
  refreshToken: account.refresh_token,
  refreshExpire: wallClock(account.refresh_expires_at),
  clientId: appKey,
  sellerId: account.seller_id,
});
