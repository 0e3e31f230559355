import { componentPort, startPrintComponent } from './print-component.ts';

// The stand-in as a program: `node carrier-sim/src/print-component/main.ts`, at the port of the real one.
try {
  const component = await startPrintComponent({ ms: 300 });
  process.stdout.write(`print component (simulated) at ${component.url}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void component.close().then(() => process.exit(0)));
} catch (error) {
  const { code } = error as { code?: string };
  process.stderr.write(
    code === 'EADDRINUSE'
      ? `port ${componentPort} is taken: a print component runs already\n`
      : `print component: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exit(1);
}
