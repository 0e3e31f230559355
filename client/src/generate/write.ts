// Writes the generated client to standard output. `npm run generate` stores it in
// client/waystation.ts (generated.test.ts).
import { readFileSync } from 'node:fs';
import { format } from 'oxfmt';
import type { FormatConfig } from 'oxfmt';
import { publicOperations } from './operations.ts';
import type { PublicOperation } from './operations.ts';
import { comment, isObjectText, typeText } from './types.ts';
import type { JsonSchema, NamedTypes } from './types.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

/**
 * The types of the client that have a name, each with a field of that type. Small types come first,
 * because larger types contain them.
 */
const names: readonly (readonly [name: string, place: string])[] = [
  ['Reason', 'getExpress.output.state_reason'],
  ['StateCode', 'getExpress.output.state_code'],
  ['Provider', 'getExpress.output.provider'],
  ['WeightReason', 'getExpress.output.weight_reason'],
  ['PriceLine', 'quoteExpress.output.quotes.lines'],
  ['Price', 'priceExpress.output.pricings.price'],
  ['Quote', 'quoteExpress.output.quotes'],
  ['Parcel', 'getExpress.output'],
  ['ParcelRow', 'listExpresses.output.items'],
  ['TraceEvent', 'traceExpress.output.items'],
  ['StatementType', 'listStatements.output.items.type'],
  ['Statement', 'listStatements.output.items'],
  ['Station', 'getStation.output'],
  ['WebhookKind', 'listWebhooks.output.items.events'],
  ['Webhook', 'listWebhooks.output.items'],
  ['WebhookDelivery', 'testWebhook.output'],
];

/**
 * Returns the schema of a field. Of a nullable field, this is the schema without null; of a list,
 * the schema of its items.
 */
const schemaAt = (operations: readonly PublicOperation[], place: string): JsonSchema => {
  const [name, side, ...path] = place.split('.');
  const found = operations.find(({ contractName }) => contractName === name)!;
  const inner = (schema: JsonSchema): JsonSchema => {
    const forms = schema.anyOf?.filter(({ type }) => type !== 'null');
    if (forms?.length === 1) return inner(forms[0]!);
    return schema.items ? inner(schema.items) : schema;
  };
  return path.reduce(
    (schema, part) => inner(inner(schema).properties![part]!),
    found[side as 'input' | 'output'],
  );
};

const typeDeclaration = (name: string, text: string, words: string): string =>
  isObjectText(text)
    ? `${comment(words)}export interface ${name} ${text}\n`
    : `${comment(words)}export type ${name} = ${text};\n`;

const upper = (name: string): string => name[0]!.toUpperCase() + name.slice(1);

const wordsOf = ({ endpoint }: PublicOperation): string =>
  `${endpoint.summary} Opened by the scope \`${endpoint.key}\`.`;

const methodsOf = (operation: PublicOperation, output: string): string => {
  const { name, endpoint, input } = operation;
  const { method, path, idempotency, answers = 'json' } = endpoint;
  const isOptional = (input.required ?? []).length === 0 && !input.anyOf;
  const given = `input: ${upper(name)}Input${isOptional ? ' = {}' : ''}`;
  const settings =
    idempotency === 'required' ? 'options: IdempotentCallOptions' : 'options: CallOptions = {}';
  const call = `${comment(wordsOf(operation))}${name}(${given}, ${settings}): Promise<${output}> {
    return this.call({ method: '${method}', path: '${path}', answers: '${answers}' }, input, options);
  }\n\n`;
  if (!input.properties?.['cursor']) return call;
  const item = `${output}['items'][number]`;
  return `${call}${comment(`Every item of \`${name}\`, page by page.`)}${name.replace(/^list/, 'iterate')}(${given}, ${settings}): AsyncGenerator<${item}, void, undefined> {
    return this.items(
      (cursor) => this.${name}({ page_size: 200, ...input, ...(cursor !== undefined && { cursor }) }, options),
      input.cursor,
    );
  }\n\n`;
};

const runtime = (file: string): string =>
  read(`../runtime/${file}`)
    .replaceAll(/^import .*\n/gm, '')
    .replaceAll(/^export class Connection/gm, 'class Connection')
    .replaceAll(/^\/\*\*.*\nexport interface NamedReason[^}]*}\n/gm, '')
    .replaceAll('NamedReason', 'Reason');

const clientText = (operations: readonly PublicOperation[]): string => {
  const named: NamedTypes = new Map();
  const types: string[] = [];
  const declare = (name: string, text: string, words: string): string => {
    if (named.has(text)) return named.get(text)!;
    named.set(text, name);
    types.push(typeDeclaration(name, text, words));
    return name;
  };
  for (const [name, place] of names) {
    const schema = schemaAt(operations, place);
    declare(name, typeText(schema, named), schema.description ?? '');
  }
  const methods = operations.map((operation) => {
    const { name, endpoint } = operation;
    const input = typeText(operation.input, named);
    types.push(typeDeclaration(`${upper(name)}Input`, input, `Input of \`${name}\`.`));
    if (endpoint.answers === 'file') return methodsOf(operation, 'WaystationFile');
    const output = typeText(operation.output, named);
    if ([...named.values()].includes(output)) return methodsOf(operation, output);
    return methodsOf(operation, declare(`${upper(name)}Output`, output, `Answer of \`${name}\`.`));
  });
  return `// Written by \`npm run generate\` from contract/ and client/src; docs/api.md says how to use it.
// Waystation's public API, version 1: one file without dependencies for Node 20 or newer, Deno, Bun
// and browsers. Money is whole fen, weight whole grams, rates basis points, times ISO 8601.

${runtime('connection.ts')}
${types.join('\n')}
/** The public API, called with an API key. Each method is one operation. */
export class Waystation extends Connection {
${methods.join('')}}

${runtime('webhook.ts')}`;
};

const style = JSON.parse(read('../../../.oxfmtrc.json')) as FormatConfig;
const { code } = await format('waystation.ts', clientText(await publicOperations()), style);
process.stdout.write(code);
