import { getCharacter } from '#contract/characters.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { type Board, findClassByCode, findSchool } from '#contract/game.ts'
import { formatCount } from '#contract/numbers.ts'
import { DEFAULT_PICTURE } from '#contract/sharing.ts'
import { type Head, readId } from '#web/api/page.ts'
import { toCallQuery } from '#web/api/queries.ts'
import { getCharacterPath } from './rankings-view.ts'

export type Character = CallOutput<typeof getCharacter>

/** Returns the query of a character with its months and seasons. @throws the 404 of the call if it has no page */
export const getCharacterQuery = (chaNum: number) => toCallQuery(getCharacter, { cha_num: chaNum })

/**
 * The search parameter with the character to compare. Only the browser reads it, so one document serves every address.
 */
export const compareSearch = {
  names: ['with'],
  read: (query: URLSearchParams) => ({ with: readId(query.get('with') ?? undefined) }),
}

/** Returns the head of a character's page. */
export function createCharacterHead({
  ChaNum,
  ChaName,
  ChaLevel,
  ChaClass,
  ChaSchool,
  picture,
}: Character): Partial<Head> {
  const about = [findClassByCode(ChaClass), findSchool(ChaSchool) && `of ${findSchool(ChaSchool)?.name}`]
  const summary = about.filter((part) => part !== undefined).join(' ')
  return {
    crumb: ChaName,
    description: `${ChaName}, level ${ChaLevel}${summary === '' ? '' : `, ${summary}`}: months and seasons in the rankings.`,
    path: getCharacterPath(ChaNum),
    // Without a picture of the character, the theme provides one.
    picture: picture === DEFAULT_PICTURE ? undefined : picture,
  }
}

const UNITS: Record<Board, string> = { resu: 'Resu', mmr: 'MMR', level: '', richest: 'gold', killer: 'kills' }

/** Formats an amount of a board with its unit, such as 'level 148' or '219 Resu'. */
export const formatAmount = (board: Board, value: number): string =>
  board === 'level' ? `level ${formatCount(value)}` : `${formatCount(value)} ${UNITS[board]}`
