import { calls as alertCalls } from '@waystation/contract/shell/alert.schema.ts';
import { calls } from '@waystation/contract/shell/workplace.schema.ts';
import { feature } from '#feature.ts';
import { route } from '#platform/http/route.ts';
import * as alerts from './alerts.ts';
import * as boards from './boards.ts';
import { board } from './workplace.ts';

export const workplace = feature({
  routes: [
    route(calls.workplace, board),
    route(calls.moneyBoard, boards.money),
    route(calls.balanceBoard, boards.balances),
    route(calls.billBoard, boards.bills),
    route(calls.stationBoard, boards.stations),
    route(alertCalls.closeAlert, alerts.close),
  ],
});
