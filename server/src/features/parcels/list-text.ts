import type { OutputOf } from '@waystation/contract/endpoint.ts';
import type { listExpresses } from '@waystation/contract/express-calls.ts';
import { expressList, expressRow } from '@waystation/contract/express.schema.ts';
import { maskPhone } from '@waystation/contract/phone.ts';
import * as z from 'zod/mini';
import { choosableClaims, waitingReason } from '#domain/express/express-reads.ts';
import type { ExpressRow, OnHoldNeeds } from '#domain/express/express-reads.ts';
import type { Actor } from '#platform/auth/actor.ts';
import type { Texts } from '#platform/db/db.ts';
import { answerText, primitiveTypes } from '#platform/http/answer-text.ts';
import { isListedTime } from './list-columns.ts';
import { isOffice, isoOf, seesPhones } from './view.ts';

type Row = Texts['rows'][number];
type Rest = Omit<OutputOf<typeof listExpresses>, 'items'>;
type Field = keyof typeof expressRow.shape;

/** The JSON of one property of a parcel; undefined where this actor's answer lacks it. */
type Property = (row: Row, actor: Actor, phonesShown: boolean) => string | undefined;

const oids = { 20: 'integer', 21: 'integer', 23: 'integer', 25: 'string', 1043: 'string', 114: 'json', 3802: 'json' } as const;

/** Digits beyond which a number may not be exact. */
const safeDigits = 15;

const wholeText = (digits: string): string => {
  if (digits.length > safeDigits && !Number.isSafeInteger(Number(digits))) throw new Error(`bigint ${digits} is beyond a safe integer`);
  return digits;
};

/** Longer texts are looked through faster by the engine. */
const longest = 40;

/** Whether a text is its own JSON but for the quotes: a loop costs a third of a call for the short texts that most columns hold. */
const isPlain = (text: string): boolean => {
  if (text.length > longest) return false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code === 0x22 || code === 0x5c || (code >= 0xd800 && code <= 0xdfff)) return false;
  }
  return true;
};

const quoted = (text: string): string => (isPlain(text) ? `"${text}"` : JSON.stringify(text));

type Kind = 'integer' | 'string' | 'json' | 'time';

/** How a column that is answered as it is, is written: by the type that PostgreSQL has of it, which has to be the contract's. */
const kindOf = (field: Field, dataTypeID: number): Kind => {
  const kind = oids[dataTypeID as keyof typeof oids];
  if (kind === 'json') return kind;
  if (!primitiveTypes(expressRow.shape[field])?.includes(kind)) throw new Error(`a parcel's ${field} has another type than declared`);
  return isListedTime(field) ? 'time' : kind;
};

const plainOf = (field: Field, index: number, kind: Kind): Property => {
  if (kind === 'integer') return (row) => (row[index] === null ? 'null' : wholeText(row[index]!));
  if (kind === 'string') return (row) => (row[index] === null ? 'null' : quoted(row[index]!));
  if (kind === 'time') return (row) => (row[index] === null ? 'null' : `"${isoOf(row[index]!)}"`);
  const write = answerText(expressRow.shape[field]);
  return (row) => (row[index] === null ? 'null' : write(JSON.parse(row[index]!)));
};

/** Where the columns of a page are. */
type IndexOf = (column: string) => number;

const jsonOf = <Name extends keyof ExpressRow>(text: string | null): ExpressRow[Name] => JSON.parse(text ?? 'null') as ExpressRow[Name];

/** Properties that follow from several columns or from who asks, as `viewOf` has them. */
const derivedOf = (at: IndexOf, plain: (field: Field) => Property): { [F in Field]?: Property } => {
  const [state, remark, reason, down, needs, claims, requested] = [
    at('state_code'),
    at('state_remark'),
    at('state_reason'),
    at('carrier_down_since'),
    at('on_hold_needs'),
    at('waybill_claims'),
    at('cancel_requested_at'),
  ];
  const waiting = (row: Row): ReturnType<typeof waitingReason> =>
    row[needs] === null && (row[down] === null || row[reason] !== null)
      ? {}
      : waitingReason({
          state_code: Number(row[state]) as ExpressRow['state_code'],
          state_remark: row[remark]!,
          state_reason: jsonOf<'state_reason'>(row[reason]!),
          carrier_down_since: row[down] === null ? null : new Date(isoOf(row[down]!)),
          on_hold_needs: JSON.parse(row[needs] ?? 'null') as OnHoldNeeds | null,
        });
  const phone =
    (index: number): Property =>
    (row, _, shown) =>
      quoted(shown ? row[index]! : maskPhone(row[index]!));
  const forOffice =
    (property: Property): Property =>
    (row, actor, shown) =>
      isOffice(actor) ? property(row, actor, shown) : undefined;
  const [writeReason, writeClaims] = [answerText(expressRow.shape.state_reason), answerText(expressRow.shape.waybill_claims)];
  return {
    sender_phone: phone(at('sender_phone')),
    receive_phone: phone(at('receive_phone')),
    phones_shown: (_row, _actor, shown) => (shown ? '1' : '0'),
    canceling: (row) => (row[requested] === null ? '0' : '1'),
    state_remark: (row) => quoted(waiting(row).state_remark ?? row[remark]!),
    state_reason: (row) => {
      const calculated = waiting(row).state_reason;
      const shown = calculated === undefined ? jsonOf<'state_reason'>(row[reason]!) : calculated;
      return shown === null ? 'null' : writeReason(shown);
    },
    jd_amount: forOffice(plain('jd_amount')),
    customer_code: forOffice(plain('customer_code')),
    waybill_claims: forOffice((row) => {
      // As nearly every parcel has them.
      if (row[claims] === '[]') return '[]';
      return writeClaims(
        choosableClaims({ state_code: Number(row[state]) as ExpressRow['state_code'], waybill_claims: jsonOf<'waybill_claims'>(row[claims]!) }),
      );
    }),
  };
};

const writeRest = answerText(z.omit(expressList, { items: true }));

/** The texts of a page's rows and how they are written. */
export interface ListedPage {
  rows: readonly Row[];
  /** What the place of the next page follows from. */
  last(row: Row): Pick<ExpressRow, 'id' | 'cal_weight' | 'weight' | 'post_amount' | 'state_code'> & { created_at: string };
  write(actor: Actor, rows: readonly Row[], rest: Rest): string;
}

const numberAt = (row: Row, index: number): number => Number(row[index]);

/** Properties are the contract's: a column that it does not declare has none, and one that it requires and no column brings throws. */
const compile = (columns: Texts['columns']): Omit<ListedPage, 'rows'> => {
  const indexes = new Map(columns.map(({ name }, index) => [name, index]));
  const at: IndexOf = (column) => {
    const index = indexes.get(column);
    if (index === undefined) throw new Error(`a page of parcels is read without ${column}`);
    return index;
  };
  const kind = (field: Field): Kind => kindOf(field, columns[at(field)]!.dataTypeID);
  const plain = (field: Field): Property => plainOf(field, at(field), kind(field));
  const derived = derivedOf(at, plain);
  // Two loops in one: most columns are numbers and texts, and a call for each would cost more than writing it.
  const properties = (Object.keys(expressRow.shape) as Field[]).map((field, number) => {
    const own = derived[field];
    // What begins the row is never left out.
    if (own && number === 0) throw new Error(`a parcel begins with its ${field}, which some do not see`);
    const lead = `${number === 0 ? '{' : ','}"${field}":`;
    return { lead, nothing: `${lead}null`, index: own ? -1 : at(field), kind: own ? null : kind(field), write: own ?? plain(field) };
  });
  const [id, station, created, calWeight, weight, amount, state] = [
    at('id'),
    at('station_id'),
    at('created_at'),
    at('cal_weight'),
    at('weight'),
    at('post_amount'),
    at('state_code'),
  ];
  const writeRow = (actor: Actor, row: Row): string => {
    const shown = seesPhones(actor, numberAt(row, station));
    // Grows at its end alone: a text that is cut or joined is copied.
    let text = '';
    for (let number = 0; number < properties.length; number++) {
      const { lead, nothing, index, kind: ofColumn, write } = properties[number]!;
      const value = index < 0 ? undefined : row[index]!;
      if (value === null) text += nothing;
      else {
        const isWhole = ofColumn === 'integer';
        const written = isWhole ? wholeText(value!) : ofColumn === 'string' ? quoted(value!) : write(row, actor, shown);
        if (written === undefined) continue;
        text += lead;
        text += written;
      }
    }
    return `${text}}`;
  };
  return {
    last: (row) => ({
      id: numberAt(row, id),
      created_at: row[created]!,
      cal_weight: row[calWeight] === null ? null : numberAt(row, calWeight),
      weight: numberAt(row, weight),
      post_amount: numberAt(row, amount),
      state_code: numberAt(row, state) as ExpressRow['state_code'],
    }),
    write: (actor, rows, rest) => {
      let text = '{"items":[';
      for (const [index, row] of rows.entries()) text += (index === 0 ? '' : ',') + writeRow(actor, row);
      return `${text}],${writeRest(rest).slice(1)}`;
    },
  };
};

interface Compiled {
  columns: Texts['columns'];
  page: Omit<ListedPage, 'rows'>;
}

/** Of pages read packed and by columns; older ones are forgotten. */
const compiledPages: Compiled[] = [];
const mostCompiled = 2;

const isSame = (a: Texts['columns'], b: Texts['columns']): boolean =>
  a === b || (a.length === b.length && a.every(({ name, dataTypeID }, index) => name === b[index]!.name && dataTypeID === b[index]!.dataTypeID));

const compiledFor = (columns: Texts['columns']): Compiled => {
  const known = compiledPages.find((one) => isSame(one.columns, columns));
  if (known) return known;
  const added = { columns, page: compile(columns) };
  compiledPages.unshift(added);
  compiledPages.length = Math.min(compiledPages.length, mostCompiled);
  return added;
};

/** A page of parcels as PostgreSQL sends it. How its columns are written is found out once. */
export const listedPage = ({ columns, rows }: Texts): ListedPage => ({ rows, ...compiledFor(columns).page });
