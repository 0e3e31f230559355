import type { Import } from '@waystation/contract/import.ts';
import { maskTexts, showsPhones } from '#domain/imports/imports.ts';
import type { ReadImport } from '#domain/imports/imports.ts';
import type { Actor } from '#platform/auth/actor.ts';

/** Who an import belongs to, and for whom it is read. */
type Owner = Pick<ReadImport, 'station_id' | 'user_id'>;

/** Any answer about an import, its phones masked unless they are the reader's own. */
export const forReader = <Answer>(actor: Actor, owner: Owner, answer: Answer): Answer => (showsPhones(actor, owner) ? answer : (maskTexts(answer) as Answer));

export const importFor = (actor: Actor, found: ReadImport): Import => forReader(actor, found, { ...found, phones_shown: showsPhones(actor, found) ? 1 : 0 });
