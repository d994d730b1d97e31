import * as calls from '#contract/services.ts'
import { refuse, refuseByCode } from '#server/errors.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { readSettings } from '#server/settings.ts'
import { selectCharacters, selectService } from './queries.ts'

/** The problems of a choice. The list of characters omits them, because the player chooses after selecting the character. */
const CHOICE_PROBLEMS: readonly (string | null)[] = ['badName', 'nameTaken', 'badChoice', 'sameChoice']

/** The calls before the purchase of a service (SERVICE-2). */
export const serviceCalls: MountedCall[] = [
  mount(calls.getService, async ({ productnum }, { deps, session: { userNum } }) => {
    const now = deps.now()
    const soldService = await selectService(deps.db, productnum, now)
    if (soldService === undefined) throw refuse(calls.getService, 'itemNotFound')
    const { service, choices, price, section, pause_hours } = soldService
    const characters = await selectCharacters(deps.db, userNum, { product: productnum, choice: '', now })
    const { service_wait_hours } = await readSettings(deps)
    return {
      ProductNum: productnum,
      service,
      asks: calls.findServiceQuestion(service, choices),
      choices: calls.listServiceChoices(service, choices),
      price,
      section,
      pause_hours,
      wait_hours: service_wait_hours,
      characters: characters.map((character) => ({
        ...character,
        problem:
          character.problem === null || CHOICE_PROBLEMS.includes(character.problem)
            ? null
            : refuseByCode({ errors: calls.serviceRefusals }, character.problem).message,
      })),
    }
  }),

  mount(calls.checkService, async ({ productnum, character, choice }, { deps, session: { userNum } }) => {
    const now = deps.now()
    const soldService = await selectService(deps.db, productnum, now)
    if (soldService === undefined) throw refuse(calls.checkService, 'itemNotFound')
    const characters = await selectCharacters(deps.db, userNum, { product: productnum, choice, now })
    const foundCharacter = characters.find(({ ChaNum }) => ChaNum === character)
    if (foundCharacter === undefined) throw refuse(calls.checkService, 'characterNotFound')
    if (foundCharacter.problem !== null) throw refuseByCode(calls.checkService, foundCharacter.problem)
    const { price, section, service } = soldService
    return { price, section, ...calls.describeService(service, foundCharacter, choice) }
  }),
]
