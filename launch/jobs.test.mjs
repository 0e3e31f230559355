import { describe, expect, it } from 'vitest';
import { runJobs } from './jobs.mjs';

/** Jobs that record their names when they begin, and that end when the test tells them to. */
const started = (names) => {
  const begun = [];
  const ends = {};
  const jobs = names.map((name) => ({
    long: name.startsWith('long'),
    run: async (write) => {
      begun.push(name);
      write(`${name} begins\n`);
      await new Promise((end) => (ends[name] = end));
      write(`${name} ends\n`);
      return name;
    },
  }));
  return {
    jobs,
    begun,
    end: async (name) => (ends[name](), new Promise((later) => setImmediate(later))),
  };
};

describe('jobs beside each other', () => {
  it('no more than the given number of jobs run simultaneously, and the long jobs begin first', async () => {
    const { jobs, begun, end } = started(['a', 'b', 'long']);
    const answers = runJobs(jobs, 2, () => {});
    expect(begun).toEqual(['long', 'a']);
    await end('a');
    expect(begun).toEqual(['long', 'a', 'b']);
    await end('b');
    await end('long');
    expect(await answers).toEqual(['a', 'b', 'long']);
  });

  it('parallel jobs do not mix their outputs: the output of one job is printed as it arrives, and the next job’s output after it', async () => {
    const { jobs, end } = started(['a', 'b', 'c', 'long']);
    let printed = '';
    const answers = runJobs(jobs, 4, (text) => (printed += text));
    expect(printed).toBe('a begins\n');
    await end('b');
    await end('long');
    expect(printed).toBe('a begins\n');
    await end('a');
    expect(printed).toBe('a begins\na ends\nb begins\nb ends\nc begins\n');
    await end('c');
    await answers;
    expect(printed).toBe(
      'a begins\na ends\nb begins\nb ends\nc begins\nc ends\nlong begins\nlong ends\n',
    );
  });

  it('running several jobs throws the error of a job that fails', async () => {
    await expect(
      runJobs(
        [{ run: async () => 1 }, { run: () => Promise.reject(new Error('broken')) }],
        2,
        () => {},
      ),
    ).rejects.toThrow('broken');
  });
});
