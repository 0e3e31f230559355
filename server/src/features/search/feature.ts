import { calls } from '@waystation/contract/shell/global-search.schema.ts';
import { feature } from '#feature.ts';
import { route } from '#platform/http/route.ts';
import { noPayload, task } from '#platform/jobs/task.ts';
import { fillPinyin } from './fill-pinyin.ts';
import { search as searchAll } from './search.ts';

export const search = feature({
  // Searching writes a row, because searches for a phone are counted.
  routes: (all) => [route(calls.searchEverything, searchAll(all))],
  tasks: [task('fill_pinyin', noPayload, { attempts: 3, every: '* * * * *' }).runs(fillPinyin)],
});
