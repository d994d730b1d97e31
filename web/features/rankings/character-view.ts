import { getCharacter } from '#contract/characters.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { type Board, findClassByCode, findSchool } from '#contract/game.ts'
import { formatCount } from '#contract/numbers.ts'
import { DEFAULT_PICTURE } from '#contract/sharing.ts'
import { type Head, numberIn } from '#web/api/page.ts'
import { callQuery } from '#web/api/queries.ts'
import { characterPath } from './rankings-view.ts'

export type Character = CallOutput<typeof getCharacter>

/** Returns the query of a character with its months and seasons. @throws the 404 of the call if it has no page */
export const characterQuery = (chaNum: number) => callQuery(getCharacter, { cha_num: chaNum })

/**
 * The search parameter with the character to compare. Only the browser reads it, so one document serves every address.
 */
export const compareSearch = {
  names: ['with'],
  read: (query: URLSearchParams) => ({ with: numberIn(query.get('with') ?? undefined) }),
}

/** Returns the head of a character's page. */
export function characterHead({ ChaNum, ChaName, ChaLevel, ChaClass, ChaSchool, picture }: Character): Partial<Head> {
  const about = [findClassByCode(ChaClass), findSchool(ChaSchool) && `of ${findSchool(ChaSchool)?.name}`]
  const summary = about.filter((word) => word !== undefined).join(' ')
  return {
    crumb: ChaName,
    description: `${ChaName}, level ${ChaLevel}${summary === '' ? '' : `, ${summary}`}: months and seasons in the rankings.`,
    path: characterPath(ChaNum),
    // Without a picture of the character, the theme provides one.
    picture: picture === DEFAULT_PICTURE ? undefined : picture,
  }
}

const UNITS: Record<Board, string> = { resu: 'Resu', mmr: 'MMR', level: '', richest: 'gold', killer: 'kills' }

/** Formats an amount of a board with its unit, such as 'level 148' or '219 Resu'. */
export const formatAmount = (board: Board, value: number): string =>
  board === 'level' ? `level ${formatCount(value)}` : `${formatCount(value)} ${UNITS[board]}`
