import * as calls from '#contract/role-offers.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { acceptRole, declineRole, selectRoleOffers } from './role-offers.ts'

/** The calls of players about roles that they were offered. */
export const roleOfferCalls: MountedCall[] = [
  mount(calls.getRoleOffers, async (_, { deps, session }) => ({
    offers: await selectRoleOffers(deps.db, session.userNum),
  })),

  mount(calls.acceptRole, (input, { deps, session, caller }) => acceptRole(deps, session, input, caller)),

  mount(calls.declineRole, async ({ role }, { deps, session, caller }) => ({
    message: await declineRole(deps, session, role, caller),
  })),
]
