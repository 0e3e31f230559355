import { demoRates, quietRates } from './settings.ts';
import { fastest, slowest } from './sim-clock.ts';
import { exampleApplication } from './jdl/accounts.ts';
import { examplePartner } from './sf/sf-world.ts';
import type { SettingsChange } from './settings.ts';
import type { SimulatorOptions } from './simulator.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns a first waybill number that is above all numbers of earlier runs. It grows by a hundred
 * each second, also while the program does not run.
 */
const numberFromTime = (): number => Math.floor((Date.now() - Date.UTC(2020, 0, 1)) / 10);

const readers = (environment: Environment, wrong: string[]) => {
  const raw = (name: string): string | undefined =>
    environment[name] === '' ? undefined : environment[name];
  const whole = (name: string, least: number, most: number): number | undefined => {
    const text = raw(name);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (/^\d{1,15}$/.test(text) && value >= least && value <= most) return value;
    wrong.push(`${name} must be a whole number from ${least} to ${most}, not "${text}"`);
    return undefined;
  };
  const choice = <T extends string>(name: string, allowed: readonly T[]): T | undefined => {
    const text = raw(name);
    if (text === undefined) return undefined;
    const found = allowed.find((one) => one === text);
    if (found === undefined)
      wrong.push(`${name} must be one of ${allowed.join(', ')}, not "${text}"`);
    return found;
  };
  const instant = (name: string): number | undefined => {
    const text = raw(name);
    if (text === undefined) return undefined;
    const value = Date.parse(text);
    if (!Number.isNaN(value)) return value;
    wrong.push(`${name} must be an ISO 8601 time, not "${text}"`);
    return undefined;
  };
  const address = (name: string): string | undefined => {
    const text = raw(name);
    if (text === undefined || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)))
      return text;
    wrong.push(`${name} must be an http address, not "${text}"`);
    return undefined;
  };
  return { raw, whole, choice, instant, address };
};

const settingsFrom = (read: ReturnType<typeof readers>): SettingsChange => {
  const repeatMode = read.choice('SIM_REPEAT_MODE', ['existing', 'error']);
  const envelope = read.choice('SIM_ENVELOPE', ['plain', 'wrapped']);
  const contractRate = read.whole('SIM_CONTRACT_RATE', 0, 100_000);
  const quiet = read.choice('SIM_RATES', ['demo', 'none']) === 'none';
  return {
    rates: quiet ? quietRates : demoRates,
    push: quiet ? {} : { repeat_rate: 0.03, shuffle_rate: 0.02 },
    sf: quiet ? {} : { push_copies: 4 },
    ...(repeatMode === undefined ? {} : { repeat_mode: repeatMode }),
    ...(envelope === undefined ? {} : { envelope }),
    ...(contractRate === undefined ? {} : { contract_rate: contractRate }),
  };
};

/**
 * Reads the options of the program from its environment. Throws one error with every invalid
 * variable.
 */
export const configFrom = (
  environment: Environment,
): SimulatorOptions & { exitWithParent: boolean } => {
  const wrong: string[] = [];
  const read = readers(environment, wrong);
  const [example] = exampleApplication.accounts;
  const codes = read
    .raw('SIM_CUSTOMER_CODES')
    ?.split(',')
    .map((code) => code.trim());
  if (codes?.some((code) => code === '' || code.length > 32) === true)
    wrong.push('SIM_CUSTOMER_CODES must be codes of at most 32 characters between commas');
  const data = read.raw('SIM_DATA');
  const speed = read.whole('SIM_SPEED', slowest, fastest);
  const options = {
    port: read.whole('SIM_PORT', 0, 65_535) ?? 8090,
    mailPort: read.whole('SIM_MAIL_PORT', 0, 65_535) ?? null,
    host: read.raw('SIM_HOST') ?? '127.0.0.1',
    data,
    ...(speed === undefined ? {} : { speed }),
    paused: read.choice('SIM_PAUSED', ['0', '1']) === '1',
    now: read.instant('SIM_NOW'),
    seed: read.raw('SIM_SEED') ?? 'waystation',
    firstNumber:
      read.whole('SIM_FIRST_NUMBER', 1, 99_999_999_999) ??
      (data === undefined ? numberFromTime() : 1),
    applications: [
      {
        app_key: read.raw('SIM_APP_KEY') ?? exampleApplication.app_key,
        app_secret: read.raw('SIM_APP_SECRET') ?? exampleApplication.app_secret,
        accounts: [
          {
            seller_id: 'demoseller',
            access_token: read.raw('SIM_ACCESS_TOKEN') ?? example?.access_token ?? '',
            refresh_token: read.raw('SIM_REFRESH_TOKEN') ?? example?.refresh_token ?? '',
            customer_codes: codes ?? example?.customer_codes ?? [],
          },
        ],
      },
    ],
    partners: [
      {
        ...examplePartner,
        partner_id: read.raw('SIM_SF_PARTNER_ID') ?? examplePartner.partner_id,
        check_word: read.raw('SIM_SF_CHECK_WORD') ?? examplePartner.check_word,
        cards: [read.raw('SIM_SF_MONTHLY_CARD') ?? examplePartner.cards[0] ?? ''],
      },
    ],
    callbackUrl: read.address('SIM_CALLBACK_URL'),
    controlToken: read.raw('SIM_CONTROL_TOKEN'),
    settings: settingsFrom(read),
    exitWithParent: read.choice('SIM_EXIT_WITH_PARENT', ['0', '1']) === '1',
  };
  if (wrong.length > 0) throw new Error(wrong.join('; '));
  return options;
};

/** Reads the options of this process; no other code reads its environment variables. */
export const config = (): SimulatorOptions & { exitWithParent: boolean } => configFrom(process.env);
