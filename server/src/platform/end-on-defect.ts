import { errorText } from './error-line.ts';

/**
 * Ends the process if an error was not caught, as Node does. Unlike Node, it does not print the
 * database rows that an error quotes.
 */
export const endOnDefect = (): void => {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error: unknown) => {
      console.error(errorText(error));
      process.exit(1);
    });
};
