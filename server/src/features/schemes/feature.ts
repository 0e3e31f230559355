import { calls } from '@waystation/contract/network/project.schema.ts';
import { feature } from '#feature.ts';
import { route } from '#platform/http/route.ts';
import * as stations from './project-stations.ts';
import { projects } from './projects.ts';

export const schemes = feature(projects, {
  routes: [
    route(calls.schemeStations, stations.stations),
    route(calls.previewProject, stations.preview),
    route(calls.assignProject, stations.assign),
    route(calls.splitProject, stations.split),
  ],
});
