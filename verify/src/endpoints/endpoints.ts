/**
 * Webhook endpoints in a separate process: `endpoints.ts PORT TLS_PORT`. The path of the URL
 * decides how an endpoint answers. The healthy endpoint reports the delay of each delivery to the
 * parent process.
 */
import { createServer } from 'node:http';
import { createServer as createConnections } from 'node:net';
import { bad } from './bad.ts';

const serve = (port: number, tlsPort: number): void => {
  createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (part: Buffer) => chunks.push(part));
    request.on('end', () => {
      const name = request.url!.slice(1);
      if (name !== 'healthy') return bad[name]!(response);
      const { timestamp } = JSON.parse(Buffer.concat(chunks).toString()) as { timestamp: string };
      process.send!(Date.now() - Date.parse(timestamp));
      response.writeHead(204).end();
    });
  }).listen(port, '127.0.0.1', () =>
    createConnections((socket) => {
      socket.on('error', () => {});
      socket.end('no TLS here\r\n');
    }).listen(tlsPort, '127.0.0.1', () => process.send!('ready')),
  );
};

const [port, tlsPort] = process.argv.slice(2).map(Number) as [number, number];
serve(port, tlsPort);
