import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { BOARD_NAMES, BOARDS, type Board, findClassByCode } from '#contract/game.ts'
import { formatCount } from '#contract/numbers.ts'
import { getSearch, isSearchable, normalizeQuery, SEARCH_TEXTS } from '#contract/search.ts'
import { getUser } from '#contract/session.ts'
import { alertText, call, isExpired } from '#web/api/call.ts'
import { useHydrated, usePageSearch } from '#web/api/page.ts'
import { useCall, useLoaded } from '#web/api/queries.ts'
import { useSession } from '#web/api/session.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/states.tsx'
import { Value } from '#web/ui/value.tsx'
import styles from './character-compare.module.css'
import { type Character, characterQuery, compareSearch } from './character-view.ts'
import { characterPath } from './rankings-view.ts'

/** The id of the element that gets the focus after a character is chosen (SHELL-12). */
const LIST = 'compare'

const comparePath = (one: number, other: number) => `${characterPath(one)}?with=${other}`

/**
 * Compares a character with the average of its class, or with another character that the visitor chooses. The address
 * contains the choice, so it can be shared.
 */
export function Compare({ character }: { character: Character }) {
  const isReady = useHydrated()
  const other = usePageSearch(compareSearch).with
  const isComparing = isReady && other > 0 && other !== character.ChaNum
  const { data, isError } = useLoaded(characterQuery(other), { enabled: isComparing, retry: false })
  const characterValues = { name: character.ChaName, values: getComparedValues(character) }
  return (
    <Panel
      id={LIST}
      title="Compare"
      actions={
        isComparing ? (
          <Link to={characterPath(character.ChaNum)} list={LIST}>
            With the average
          </Link>
        ) : undefined
      }
    >
      {!isComparing ? (
        <>
          {character.averages.length > 0 && <Table one={characterValues} other={getAverage(character)} />}
          <Choose than={character.ChaNum} />
        </>
      ) : data !== undefined ? (
        <Table
          one={characterValues}
          other={{ name: data.ChaName, path: characterPath(data.ChaNum), values: getComparedValues(data) }}
        />
      ) : isError ? (
        <Choose than={character.ChaNum} error="This character is not in the rankings." />
      ) : (
        <div className={layout.padded}>
          <Skeleton width="100%" height={240} />
        </div>
      )}
    </Panel>
  )
}

const OWN_SHOWN = 3

/** A form that finds a character by name, with buttons for the player's characters. */
function Choose({ than, error }: { than: number; error?: string }) {
  const navigate = useNavigate()
  const isIn = useSession() !== null
  const myCharacters =
    useCall(getUser, {}, { enabled: isIn, retry: false, staleTime: 60_000 }).data?.data.characters ?? []
  const [wrong, setWrong] = useState(error)
  const [busy, setBusy] = useState(false)
  const [hits, setHits] = useState<readonly { number: number; name: string }[]>([])
  const find = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = normalizeQuery(String(new FormData(event.currentTarget).get('name') ?? ''))
    if (name.length < 2) return setWrong('Type at least two letters of a name.')
    if (!isSearchable(name)) return setWrong(SEARCH_TEXTS.lengthRule)
    setBusy(true)
    setWrong(undefined)
    try {
      const { data } = await call(getSearch, { q: name, kind: 'characters' }, { shellShows: 'ended-session' })
      const found = data
        .map(({ path, title }) => ({
          number: Number(path.split('/').at(-1)),
          name: title.map(({ text }) => text).join(''),
        }))
        .filter(({ number }) => number !== than)
      const exact = found.find((hit) => hit.name.toLowerCase() === name)
      if (exact !== undefined) {
        const options = { preventScrollReset: true, state: { list: LIST } }
        return void navigate(comparePath(than, exact.number), options)
      }
      setHits(found.slice(0, 8))
      if (found.length === 0) setWrong('No ranked character has this name.')
    } catch (failure) {
      if (!isExpired(failure)) setWrong(alertText(failure))
    } finally {
      setBusy(false)
    }
  }
  const mine = myCharacters.filter(({ ChaNum }) => ChaNum !== than).slice(0, OWN_SHOWN)
  const offered = hits.length > 0 ? hits : mine.map(({ ChaNum, ChaName }) => ({ number: ChaNum, name: ChaName }))
  return (
    <div className={`${layout.padded} ${layout.stack}`}>
      <form className={styles.findForm} onSubmit={(event) => void find(event)} noValidate>
        <TextField label="Another character" name="name" autoComplete="off" spellCheck={false} error={wrong} />
        <Button type="submit" tone="secondary" busy={busy}>
          Compare
        </Button>
      </form>
      {offered.length > 0 && (
        <ul className={styles.choices} aria-label={hits.length > 0 ? 'Found' : 'Your characters'}>
          {offered.map(({ number, name }) => (
            <li key={number}>
              <Link to={comparePath(than, number)} list={LIST}>
                {name}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

type Values = Record<string, number | null>
type Compared = { name: string; path?: string; values: Values }

/** Returns the values to compare. More is better, so a rank is negative. */
function getComparedValues({ ChaLevel, months, tournaments }: Character): Values {
  const places = months.find(({ open }) => open)?.places ?? []
  const on = (board: Board) => places.find((place) => place.board === board)
  const rank = on('level')?.rank ?? null
  return {
    Level: ChaLevel,
    'Place by level': rank === null ? null : -rank,
    ...toBoardValues((board) => on(board)?.value),
    'Tournaments won': tournaments.filter(({ state, place }) => state === 'finalised' && place === 1).length,
  }
}

/** Returns the averages of a character's class, which has no rank and no tournament. */
function getAverage({ ChaClass, averages }: Character): Compared {
  const on = (board: Board) => averages.find((average) => average.board === board)?.value
  return {
    name: `average ${findClassByCode(ChaClass) ?? ''}`,
    values: { Level: on('level') ?? null, ...toBoardValues(on) },
  }
}

const toBoardValues = (read: (board: Board) => number | undefined): Values =>
  Object.fromEntries(
    BOARDS.filter((board) => board !== 'level').map((board) => [BOARD_NAMES[board], read(board) ?? null]),
  )

function Table({ one, other }: { one: Compared; other: Compared }) {
  const [left, right] = [one.values, other.values]
  const isShown = (name: string) => name in right && ((left[name] ?? null) !== null || right[name] !== null)
  const shown = Object.keys(left).filter(isShown)
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">
        {one.name} and {other.name} this month
      </caption>
      <thead>
        <tr>
          <td />
          <th scope="col">{one.name}</th>
          <th scope="col">{other.path === undefined ? other.name : <Link to={other.path}>{other.name}</Link>}</th>
        </tr>
      </thead>
      <tbody>
        {shown.map((name) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <ComparedValue value={left[name] ?? null} than={right[name] ?? null} />
            <ComparedValue value={right[name] ?? null} than={left[name] ?? null} />
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A value, marked if it is the better one. */
function ComparedValue({ value, than }: { value: number | null; than: number | null }) {
  const isBetter = value !== null && (than === null || value > than)
  return (
    <td data-better={isBetter || undefined}>
      <Value>{value === null ? '–' : value < 0 ? `#${formatCount(-value)}` : formatCount(value)}</Value>
      {isBetter && <span className="visually-hidden"> (better)</span>}
    </td>
  )
}
