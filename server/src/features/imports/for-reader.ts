import type { Import } from '@waystation/contract/imports/import.ts';
import { maskTexts, showsPhones } from '#domain/imports/imports.ts';
import type { ReadImport } from '#domain/imports/imports.ts';
import type { Actor } from '#platform/auth/actor.ts';

/** The fields of an import that decide who owns it. */
type Owner = Pick<ReadImport, 'station_id' | 'user_id'>;

/** Masks the phones in a response about an import, unless the actor may see them. */
export const forReader = <Answer>(actor: Actor, owner: Owner, answer: Answer): Answer =>
  showsPhones(actor, owner) ? answer : (maskTexts(answer) as Answer);

export const importFor = (actor: Actor, found: ReadImport): Import =>
  forReader(actor, found, { ...found, phones_shown: showsPhones(actor, found) ? 1 : 0 });
