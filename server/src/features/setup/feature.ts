import { calls as aboutCalls } from '@waystation/contract/shell/about.schema.ts';
import { calls as cargoCalls } from '@waystation/contract/parcels/cargo.schema.ts';
import { calls } from '@waystation/contract/shell/setting-calls.schema.ts';
import { feature } from '#feature.ts';
import { route } from '#platform/http/route.ts';
import { noPayload, task } from '#platform/jobs/task.ts';
import { describe } from './about.ts';
import { backupTasks } from './backups.ts';
import * as cargoImport from './cargo-import.ts';
import { putInOrder } from './cargo-order.ts';
import * as resources from './resources.ts';
import * as settings from './settings.ts';
import { applyTierPlans } from './tier-plans.ts';
import { walTasks } from './wal-archive.ts';

export const setup = feature(...Object.values(resources), {
  routes: [
    route(aboutCalls.about, describe),
    route(cargoCalls.orderCargos, putInOrder),
    route(cargoCalls.readCargoSheet, cargoImport.readSheet),
    route(cargoCalls.importCargos, cargoImport.importRows),
    route(calls.listSettings, settings.list),
    route(calls.moneyLimits, settings.limits),
    route(calls.paymentAccount, settings.paymentAccount),
    route(calls.editSetting, settings.edit),
    route(calls.confirmRaise, settings.confirm),
    route(calls.cancelRaise, settings.cancel),
  ],
  tasks: [
    ...backupTasks,
    ...walTasks,
    task('apply_raises', noPayload, { attempts: 3, every: '* * * * *' }).runs(settings.applyRaises),
    task('apply_tier_plans', noPayload, { attempts: 3, every: '* * * * *' }).runs(applyTierPlans),
  ],
});
