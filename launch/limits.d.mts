export declare const slowness: number;
export declare const limits: {
  testTimeout: number;
  hookTimeout: number;
  teardownTimeout: number;
  expect: { poll: { timeout: number } };
};
