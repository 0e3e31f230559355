import { errorText } from './error-line.ts';

/**
 * Ends the process on an error that nothing caught, as Node does. Unlike Node it does not print
 * rows of the database that the error quotes.
 */
export const endOnDefect = (): void => {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error: unknown) => {
      console.error(errorText(error));
      process.exit(1);
    });
};
