import { componentPort, startPrintComponent } from './print-component.ts';

// The simulated print component as a program: `node carrier-sim/src/print-component/main.ts [port
// [ms]]`. The default port is that of the real component; 0 is any free port. `ms` is the time for
// printing one label. The parent process sends messages to read which labels were printed, and to
// make labels fail.
const [port = String(componentPort), ms = '300'] = process.argv.slice(2);
try {
  const component = await startPrintComponent({ port: Number(port), ms: Number(ms) });
  const stop = (): void => void component.close().then(() => process.exit(0));
  process.stdout.write(`print component (simulated) at ${component.url}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  process.on('message', (message: { fail?: string }) => {
    if (message.fail !== undefined) component.failNext('*', message.fail);
    process.send!({ printed: component.printed });
  });
  process.on('disconnect', stop);
  process.send?.({ url: component.url });
} catch (error) {
  const { code } = error as { code?: string };
  process.stderr.write(
    code === 'EADDRINUSE'
      ? `port ${port} is taken: a print component runs already\n`
      : `print component: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exit(1);
}
