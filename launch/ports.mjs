import { createServer } from 'node:net';
import { UserError } from './say.mjs';

const tryPort = (port, host) =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error) => resolve(error.code));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(null)));
  });

/**
 * Throws a UserError if the port is in use. The error contains the port and the variable with which
 * another port can be set.
 */
export const mustBeFree = async ({ port, host, variable, what, example }) => {
  const problem = await tryPort(port, host);
  if (problem === 'EADDRINUSE')
    throw new UserError(
      `Port ${port}, meant for ${what}, is taken by another program (perhaps by another Waystation): stop that one, or choose another port with ${variable}, as in "${example} npm start".`,
    );
  if (problem === 'EACCES')
    throw new UserError(
      `Port ${port}, meant for ${what}, may only be opened by root: choose one above 1023 with ${variable}, as in "${example} npm start".`,
    );
  if (problem === 'EADDRNOTAVAIL' || problem === 'ENOTFOUND')
    throw new UserError(
      `This machine has no address ${host}: correct WAYSTATION_HOST, and start again.`,
    );
};
