/**
 * Loaded before the program (`--import`). Replaces the code of the defect whose name is in
 * `WAYSTATION_DEFECT`. Only this process is changed; the files stay unchanged.
 */
import { registerHooks } from 'node:module';
import { defects } from './defects.ts';

const name = process.env['WAYSTATION_DEFECT'];
const defect = defects.find((one) => one.name === name);
if (defect === undefined) throw new Error(`There is no defect ${name}.`);
const { file, before, after } = defect;

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    if (!url.endsWith(`/server/src/domain/express/${file}`)) return loaded;
    return { ...loaded, source: String(loaded.source).replace(before, () => after) };
  },
});
