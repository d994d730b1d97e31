import * as calls from '#contract/activity.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { readActivity } from './queries.ts'

/** The call of the feed of activity (ACTIVITY-1). */
export const activityCalls: MountedCall[] = [
  mount(calls.listActivity, (input, { deps }) => readActivity({ ...deps, db: deps.browseDb }, input)),
]
