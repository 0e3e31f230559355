import { afterEach, expect, it } from 'vitest';
import { useIdle, whenIdle } from './idle.ts';

afterEach(() => useIdle.setState({ idle: false }));

it('a task for the idle browser waits until the browser is idle and runs once; if it was idle before, a new task runs immediately', () => {
  const ran: string[] = [];
  whenIdle(() => ran.push('early'));
  expect(ran).toEqual([]);
  useIdle.setState({ idle: true });
  useIdle.setState({ idle: false });
  useIdle.setState({ idle: true });
  expect(ran).toEqual(['early']);
  whenIdle(() => ran.push('late'));
  expect(ran).toEqual(['early', 'late']);
});
