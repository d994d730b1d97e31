import { useParams } from 'react-router'
import { BOARD_NAMES, BOARDS, type Board } from '#contract/game.ts'
import { manilaMinute, monthName } from '#contract/manila.ts'
import { formatCount } from '#contract/numbers.ts'
import { numberIn } from '#web/api/page.ts'
import { useLoaded } from '#web/api/queries.ts'
import { ABOVE, PageHead } from '#web/shell/page-head.tsx'
import { Button } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { NewBadge } from '#web/ui/states.tsx'
import { showToast } from '#web/ui/toast.ts'
import { Value } from '#web/ui/value.tsx'
import { Compare } from './character-compare.tsx'
import { MonthCurve } from './character-curve.tsx'
import { BestPlaces, CharacterHero } from './character-hero.tsx'
import styles from './character-page.module.css'
import { type Character, characterQuery } from './character-view.ts'
import { rankingBoardPath } from './rankings-view.ts'
import { STATE_WORDS, seasonMonths, seasonPath } from './span-view.ts'

/** A character: what the game says of it, and where it is in the months, the seasons and of all time. */
export default function CharacterPage() {
  const { data: character } = useLoaded(characterQuery(numberIn(useParams().number)))
  if (character === undefined) return null
  const [present, ...closed] = character.months
  return (
    <>
      <PageHead
        above={[ABOVE.rankings]}
        crumb={character.ChaName}
        title={character.ChaName}
        actions={<ShareButton name={character.ChaName} />}
      />
      <div className={layout.panels}>
        <CharacterHero character={character} />
        {present !== undefined && (
          <Panel title={present.open ? 'This month' : monthName(present.period)}>
            <Places
              places={present.places}
              getPath={(board) => rankingBoardPath('/rankings', { board, ...EVERYBODY })}
              empty="Not on a board this month yet."
            />
          </Panel>
        )}
        <BestPlaces character={character} />
        {character.days.length > 1 && <MonthCurve days={character.days} />}
        <Compare character={character} />
        {character.tournaments.length > 0 && <Tournaments tournaments={character.tournaments} />}
        {character.seasons.length > 0 && <Seasons seasons={character.seasons} />}
        <Panel title="All time">
          <Places
            places={character.total}
            getPath={(board) => rankingBoardPath('/rankings/total', { board, ...EVERYBODY })}
            empty="Not on a board yet."
          />
        </Panel>
        {closed.length > 0 && <Months months={closed} />}
      </div>
    </>
  )
}

const EVERYBODY = { school: null, cls: null } as const

type RankMove = number | 'new' | null
type Place = { board: Board; rank: number | null; value: number; moved?: RankMove; division?: string }

/** Shares the page where the browser can, and copies its address elsewhere. */
function ShareButton({ name }: { name: string }) {
  const share = async () => {
    const page = { title: name, url: location.origin + location.pathname }
    try {
      if (navigator.share) await navigator.share(page)
      else {
        await navigator.clipboard.writeText(page.url)
        await showToast('done', 'The address is copied.')
      }
    } catch (error) {
      // A visitor may close the browser's dialog.
      if ((error as Error).name !== 'AbortError') await showToast('error', 'We couldn’t copy the address.')
    }
  }
  return (
    <Button tone="secondary" className="needs-script" onClick={() => void share()}>
      Share
    </Button>
  )
}

/** What a board counts, after its amount. */
const UNITS: Record<Board, string> = { resu: 'Resu', mmr: 'MMR', level: '', richest: 'gold', killer: 'kills' }

/** An amount that says what it is, such as 'level 148' or '219 Resu'. */
const amountWords = (board: Board, value: number, isSeason: boolean): string =>
  isSeason
    ? `${formatCount(value)} points`
    : board === 'level'
      ? `level ${formatCount(value)}`
      : `${formatCount(value)} ${UNITS[board]}`

type PlacesProps = {
  places: readonly Place[]
  getPath: (board: Board) => string
  empty: string
  isSeason?: boolean
}

/** A tile for each board: the place, how it moved, and the amount with its unit. */
function Places({ places, getPath, empty, isSeason = false }: PlacesProps) {
  if (places.length === 0) return <p className={styles.empty}>{empty}</p>
  return (
    <ul className={styles.tiles}>
      {places.map(({ board, rank, value, moved, division }) => (
        <li key={board} className={styles.tile}>
          <Link className={styles.board} to={getPath(board)}>
            {BOARD_NAMES[board]}
          </Link>
          <span className={styles.place}>
            {rank === null ? (
              <span className={styles.behind}>over #1,000</span>
            ) : (
              <strong data-best={rank <= BEST || undefined}>
                <span className="visually-hidden">Place </span>
                <Value>{`#${formatCount(rank)}`}</Value>
              </strong>
            )}
            <Movement moved={moved ?? null} />
          </span>
          <Value className={styles.value}>{amountWords(board, value, isSeason)}</Value>
          {division !== undefined && division !== '' && <span className={styles.division}>{division}</span>}
        </li>
      ))}
    </ul>
  )
}

/** Up to this place it stands on paper. */
const BEST = 10

/** How a place changed against the one before. */
function Movement({ moved }: { moved: RankMove }) {
  if (moved === null) return null
  if (moved === 'new') return <NewBadge />
  if (moved === 0)
    return (
      <span className={styles.same}>
        <span aria-hidden="true">=</span>
        <span className="visually-hidden">, as before</span>
      </span>
    )
  const isUp = moved > 0
  return (
    <span className={isUp ? styles.up : styles.down}>
      <svg width="10" height="9" viewBox="0 0 10 9" aria-hidden="true">
        <path fill="currentColor" d={isUp ? 'M5 0 10 9H0Z' : 'M5 9 0 0H10Z'} />
      </svg>
      <span className="visually-hidden">{isUp ? ', up ' : ', down '}</span>
      <Value>{formatCount(Math.abs(moved))}</Value>
    </span>
  )
}

/** The tournaments, each with the place or its state. */
function Tournaments({ tournaments }: { tournaments: Character['tournaments'] }) {
  return (
    <Panel title="Tournaments">
      <ul className={`${layout.rows} ${styles.tournaments}`}>
        {tournaments.map(({ tournament, name, club, starts_at, state, place, entries }) => (
          <li key={tournament}>
            <Link className={styles.board} to={`/rankings/tournament/${tournament}`}>
              {name}
            </Link>
            <span className={styles.value}>
              {manilaMinute(new Date(starts_at))}
              {club !== null && `, leading ${club}`}
            </span>
            <strong className={styles.result}>
              {state === 'announced' ? 'Registered' : state === 'drawn' ? 'Running' : findRank(place, entries)}
            </strong>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const findRank = (place: number | null, entries: number) =>
  place === null ? 'No place' : `Place ${place} of ${entries}`

function Seasons({ seasons }: { seasons: Character['seasons'] }) {
  return (
    <Panel title="Seasons">
      {seasons.map(({ season, name, state, places, ...months }) => (
        <section key={season} className={styles.season} aria-labelledby={`season-${season}`}>
          <h3 className={styles.seasonName} id={`season-${season}`}>
            {name}
            <span className={styles.seasonTime}>
              {seasonMonths(months)}, {STATE_WORDS[state]}
            </span>
          </h3>
          <Places
            isSeason
            places={places}
            getPath={(board) => seasonPath({ board, ...EVERYBODY, season: state === 'running' ? null : season })}
            empty=""
          />
        </section>
      ))}
    </Panel>
  )
}

/** The closed months, each a row with a place for each board. */
function Months({ months }: { months: Character['months'] }) {
  return (
    <Panel title="Months before">
      <table className={styles.months}>
        <caption className="visually-hidden">Places in closed months</caption>
        <thead>
          <tr>
            <th scope="col">Month</th>
            {BOARDS.map((board) => (
              <th key={board} scope="col">
                {BOARD_NAMES[board]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {months.map(({ period, places }) => (
            <tr key={period}>
              <th scope="row">
                <Link to={rankingBoardPath('/rankings', { board: findBestBoard(places), ...EVERYBODY }, { period })}>
                  {monthName(period)}
                </Link>
              </th>
              {BOARDS.map((board) => {
                const place = places.find((one) => one.board === board)
                return (
                  <td key={board} data-head={BOARD_NAMES[board]}>
                    {place === undefined ? (
                      <span className={styles.same}>–</span>
                    ) : (
                      <span className={styles.cell}>
                        {place.rank} <Movement moved={place.moved} />
                      </span>
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

/** The board of a month on which the character was best. */
const findBestBoard = (places: readonly Place[]): Board =>
  [...places].sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))[0]?.board ?? 'level'
