import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { BOARD_NAMES, BOARDS, type Board, findClassByCode } from '#contract/game.ts'
import { formatCount } from '#contract/numbers.ts'
import { getSearch, isSearchable, normalizeQuery, SEARCH_TEXTS } from '#contract/search.ts'
import { getUser } from '#contract/session.ts'
import { call, getAlertText, isSessionExpired } from '#web/api/call.ts'
import { useHydrated, usePageSearch } from '#web/api/page.ts'
import { useCall, usePageQuery } from '#web/api/queries.ts'
import { useSession } from '#web/api/session.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/states.tsx'
import { Value } from '#web/ui/value.tsx'
import styles from './character-compare.module.css'
import { type Character, compareSearch, getCharacterQuery } from './character-view.ts'
import { getCharacterPath } from './rankings-view.ts'

/** The id of the element that gets the focus after a character is chosen (SHELL-12). */
const LIST_ID = 'compare'

const getComparePath = (base: number, other: number) => `${getCharacterPath(base)}?with=${other}`

/**
 * Compares a character with the average of its class, or with another character that the visitor chooses. The address
 * contains the choice, so it can be shared.
 */
export function ComparePanel({ character }: { character: Character }) {
  const isReady = useHydrated()
  const otherChaNum = usePageSearch(compareSearch).with
  const isComparing = isReady && otherChaNum > 0 && otherChaNum !== character.ChaNum
  const { data, isError } = usePageQuery(getCharacterQuery(otherChaNum), { enabled: isComparing, retry: false })
  const characterValues = { name: character.ChaName, values: getComparedValues(character) }
  return (
    <Panel
      id={LIST_ID}
      title="Compare"
      actions={
        isComparing ? (
          <Link to={getCharacterPath(character.ChaNum)} list={LIST_ID}>
            With the average
          </Link>
        ) : undefined
      }
    >
      {!isComparing ? (
        <>
          {character.averages.length > 0 && <CompareTable base={characterValues} other={getAverage(character)} />}
          <CharacterChooser comparedTo={character.ChaNum} />
        </>
      ) : data !== undefined ? (
        <CompareTable
          base={characterValues}
          other={{ name: data.ChaName, path: getCharacterPath(data.ChaNum), values: getComparedValues(data) }}
        />
      ) : isError ? (
        <CharacterChooser comparedTo={character.ChaNum} error="This character is not in the rankings." />
      ) : (
        <div className={layout.padded}>
          <Skeleton width="100%" height={240} />
        </div>
      )}
    </Panel>
  )
}

const MY_CHARACTERS_SHOWN = 3

/** A form that finds a character by name, with buttons for the player's characters. */
function CharacterChooser({ comparedTo, error }: { comparedTo: number; error?: string }) {
  const navigate = useNavigate()
  const isLoggedIn = useSession() !== null
  const myCharacters =
    useCall(getUser, {}, { enabled: isLoggedIn, retry: false, staleTime: 60_000 }).data?.data.characters ?? []
  const [errorText, setErrorText] = useState(error)
  const [busy, setBusy] = useState(false)
  const [hits, setHits] = useState<readonly { number: number; name: string }[]>([])
  const findCharacter = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = normalizeQuery(String(new FormData(event.currentTarget).get('name') ?? ''))
    if (name.length < 2) return setErrorText('Type at least two letters of a name.')
    if (!isSearchable(name)) return setErrorText(SEARCH_TEXTS.lengthRule)
    setBusy(true)
    setErrorText(undefined)
    try {
      const { data } = await call(getSearch, { q: name, kind: 'characters' }, { shellFailures: 'ended-session' })
      const matches = data
        .map(({ path, title }) => ({
          number: Number(path.split('/').at(-1)),
          name: title.map(({ text }) => text).join(''),
        }))
        .filter(({ number }) => number !== comparedTo)
      const exactMatch = matches.find((hit) => hit.name.toLowerCase() === name)
      if (exactMatch !== undefined) {
        const options = { preventScrollReset: true, state: { list: LIST_ID } }
        return void navigate(getComparePath(comparedTo, exactMatch.number), options)
      }
      setHits(matches.slice(0, 8))
      if (matches.length === 0) setErrorText('No ranked character has this name.')
    } catch (failure) {
      if (!isSessionExpired(failure)) setErrorText(getAlertText(failure))
    } finally {
      setBusy(false)
    }
  }
  const otherCharacters = myCharacters.filter(({ ChaNum }) => ChaNum !== comparedTo).slice(0, MY_CHARACTERS_SHOWN)
  const choices =
    hits.length > 0 ? hits : otherCharacters.map(({ ChaNum, ChaName }) => ({ number: ChaNum, name: ChaName }))
  return (
    <div className={`${layout.padded} ${layout.stack}`}>
      <form className={styles.findForm} onSubmit={(event) => void findCharacter(event)} noValidate>
        <TextField label="Another character" name="name" autoComplete="off" spellCheck={false} error={errorText} />
        <Button type="submit" tone="secondary" busy={busy}>
          Compare
        </Button>
      </form>
      {choices.length > 0 && (
        <ul className={styles.choices} aria-label={hits.length > 0 ? 'Found' : 'Your characters'}>
          {choices.map(({ number, name }) => (
            <li key={number}>
              <Link to={getComparePath(comparedTo, number)} list={LIST_ID}>
                {name}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

type ComparedValues = Record<string, number | null>
type ComparedCharacter = { name: string; path?: string; values: ComparedValues }

/** Returns the values to compare. More is better, so a rank is negative. */
function getComparedValues({ ChaLevel, months, tournaments }: Character): ComparedValues {
  const places = months.find(({ open }) => open)?.places ?? []
  const findOnBoard = (board: Board) => places.find((place) => place.board === board)
  const rank = findOnBoard('level')?.rank ?? null
  return {
    Level: ChaLevel,
    'Place by level': rank === null ? null : -rank,
    ...toBoardValues((board) => findOnBoard(board)?.value),
    'Tournaments won': tournaments.filter(({ state, place }) => state === 'finalised' && place === 1).length,
  }
}

/** Returns the averages of a character's class, which has no rank and no tournament. */
function getAverage({ ChaClass, averages }: Character): ComparedCharacter {
  const findOnBoard = (board: Board) => averages.find((average) => average.board === board)?.value
  return {
    name: `average ${findClassByCode(ChaClass) ?? ''}`,
    values: { Level: findOnBoard('level') ?? null, ...toBoardValues(findOnBoard) },
  }
}

const toBoardValues = (readValue: (board: Board) => number | undefined): ComparedValues =>
  Object.fromEntries(
    BOARDS.filter((board) => board !== 'level').map((board) => [BOARD_NAMES[board], readValue(board) ?? null]),
  )

function CompareTable({ base, other }: { base: ComparedCharacter; other: ComparedCharacter }) {
  const [left, right] = [base.values, other.values]
  const isShown = (name: string) => name in right && ((left[name] ?? null) !== null || right[name] !== null)
  const shownNames = Object.keys(left).filter(isShown)
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">
        {base.name} and {other.name} this month
      </caption>
      <thead>
        <tr>
          <td />
          <th scope="col">{base.name}</th>
          <th scope="col">{other.path === undefined ? other.name : <Link to={other.path}>{other.name}</Link>}</th>
        </tr>
      </thead>
      <tbody>
        {shownNames.map((name) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <ComparedValue value={left[name] ?? null} comparedTo={right[name] ?? null} />
            <ComparedValue value={right[name] ?? null} comparedTo={left[name] ?? null} />
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A value, marked if it is the better one. */
function ComparedValue({ value, comparedTo }: { value: number | null; comparedTo: number | null }) {
  const isBetter = value !== null && (comparedTo === null || value > comparedTo)
  return (
    <td data-better={isBetter || undefined}>
      <Value>{value === null ? '–' : value < 0 ? `#${formatCount(-value)}` : formatCount(value)}</Value>
      {isBetter && <span className="visually-hidden"> (better)</span>}
    </td>
  )
}
