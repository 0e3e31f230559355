import { writeSync } from 'node:fs';

/** An expected error whose message explains in one sentence what to do next. */
export class UserError extends Error {}

const isTerminal = process.stdout.isTTY === true && process.env.TERM !== 'dumb';
const everyLine = 10_000;

// If the program that reads the output ends first (`npm start | head`), this process must not end.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

export const say = (text) => {
  process.stdout.write(`${text}\n`);
};

/**
 * Writes synchronously, because text written to a pipe would otherwise be lost if the process ends
 * immediately afterwards.
 */
export const complain = (text) => {
  try {
    writeSync(2, `${text}\n`);
  } catch {
    // The reader of the output has already gone.
  }
};

export const seconds = (since) => `${Math.round((performance.now() - since) / 1000)} s`;

const wording = (text) => text.replaceAll(/\d/g, '');

/**
 * Shows for how long a step has been running: in a terminal as one changing line, elsewhere as a
 * new line from time to time. `turnTo` continues with another text. Outside a terminal a text is
 * not printed if it differs from the last text only in its numbers.
 */
export const progress = (first) => {
  const since = performance.now();
  let text = first;
  const line = () => `${text} … ${seconds(since)}`.slice(0, (process.stdout.columns || 80) - 1);
  // The cursor returns to the start of the line, so that a line that one of our programs prints
  // replaces this line.
  const show = () => (isTerminal ? process.stdout.write(`\x1b[K${line()}\r`) : say(line()));
  if (isTerminal) show();
  else say(`${text} …`);
  const timer = setInterval(show, isTerminal ? 250 : everyLine);
  const end = (last) => {
    clearInterval(timer);
    if (isTerminal) process.stdout.write('\x1b[K');
    if (last) say(last);
  };
  return {
    turnTo: (next) => {
      const news = wording(next) !== wording(text);
      text = next;
      if (!isTerminal && news) say(`${text} …`);
    },
    done: (what) => end(`${what} in ${seconds(since)}.`),
    end: () => end(''),
  };
};
