import * as calls from '#contract/wars.ts'
import { type Mounted, mount } from '#server/http/mount.ts'
import { readWars } from './queries.ts'

/** The calls of the pages about wars (WAR-1). */
export const warCalls: Mounted[] = [mount(calls.getWars, (_, { deps }) => readWars(deps))]
