import { expect, test } from 'vitest';
import { configFrom } from './config.ts';

test('a simulator without configuration listens only on 127.0.0.1 and has the application of the published example', () => {
  expect(configFrom({})).toMatchObject({
    port: 8090,
    host: '127.0.0.1',
    applications: [
      {
        app_key: 'demoappkey0000000000000000000001',
        accounts: [{ customer_codes: ['010K000001'] }],
      },
    ],
    settings: { rates: { refused: 0.012 } },
  });
});

test('a simulated carrier without a data directory starts its numbers so high that no earlier run used them', () => {
  const { firstNumber } = configFrom({});
  expect(firstNumber).toBeGreaterThan(20_000_000_000);
  expect(firstNumber).toBeLessThan(99_999_999_999);
  expect(configFrom({ SIM_DATA: '/tmp/x' }).firstNumber).toBe(1);
});

test('the simulator reads each of its environment variables into its options', () => {
  const options = configFrom({
    SIM_PORT: '0',
    SIM_HOST: '::1',
    SIM_DATA: '/tmp/x',
    SIM_SEED: 's',
    SIM_SPEED: '600',
    SIM_PAUSED: '1',
    SIM_NOW: '2026-01-02T00:00:00Z',
    SIM_FIRST_NUMBER: '77',
    SIM_APP_KEY: 'k',
    SIM_APP_SECRET: 'x',
    SIM_ACCESS_TOKEN: 't',
    SIM_REFRESH_TOKEN: 'r',
    SIM_CUSTOMER_CODES: '1, 2',
    SIM_CALLBACK_URL: 'http://127.0.0.1:8080/push/x',
    SIM_CONTROL_TOKEN: 'c',
    SIM_RATES: 'none',
    SIM_REPEAT_MODE: 'error',
    SIM_ENVELOPE: 'wrapped',
    SIM_CONTRACT_RATE: '8000',
    SIM_EXIT_WITH_PARENT: '1',
  });
  expect(options).toMatchObject({
    port: 0,
    host: '::1',
    data: '/tmp/x',
    seed: 's',
    speed: 600,
    paused: true,
    now: Date.parse('2026-01-02T00:00:00Z'),
    firstNumber: 77,
    applications: [
      {
        app_key: 'k',
        app_secret: 'x',
        accounts: [{ access_token: 't', refresh_token: 'r', customer_codes: ['1', '2'] }],
      },
    ],
    callbackUrl: 'http://127.0.0.1:8080/push/x',
    controlToken: 'c',
    settings: {
      rates: { refused: 0 },
      repeat_mode: 'error',
      envelope: 'wrapped',
      contract_rate: 8000,
    },
    exitWithParent: true,
  });
});

test('the simulator’s error message lists all invalid environment variables', () => {
  const wrong = {
    SIM_PORT: '99999',
    SIM_SPEED: 'fast',
    SIM_NOW: 'today',
    SIM_CALLBACK_URL: 'ftp://x',
    SIM_RATES: 'some',
    SIM_CUSTOMER_CODES: 'a,,b',
  };
  let message = '';
  try {
    configFrom(wrong);
  } catch (error) {
    message = (error as Error).message;
  }
  for (const name of Object.keys(wrong)) expect(message).toContain(name);
});
