import { useParams } from 'react-router'
import { BOARD_NAMES, type Board, findClassByCode } from '#contract/game.ts'
import { formatManilaMinute, formatMonth } from '#contract/manila.ts'
import { formatCount } from '#contract/numbers.ts'
import { readId } from '#web/api/page.ts'
import { usePageQuery } from '#web/api/queries.ts'
import { getTournamentPath } from '#web/paths.ts'
import { PARENT_PAGES, PageHead } from '#web/shell/page-head.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { ShareButton } from '#web/ui/share-button.tsx'
import { NewBadge } from '#web/ui/states.tsx'
import text from '#web/ui/text.module.css'
import { Value } from '#web/ui/value.tsx'
import { ComparePanel } from './character-compare.tsx'
import { MonthCurve } from './character-curve.tsx'
import { BestPlaces, CharacterHero } from './character-hero.tsx'
import styles from './character-page.module.css'
import { type Character, formatAmount, getCharacterQuery } from './character-view.ts'
import { getRankingBoardPath } from './rankings-view.ts'
import { formatSeasonMonths, getSeasonPath, STATE_LABELS } from './span-view.ts'
import { TitleRow } from './title-row.tsx'

/** A character's page: its values in the game, and its ranks in months, seasons and of all time (RANK-15). */
export default function CharacterPage() {
  const { data: character } = usePageQuery(getCharacterQuery(readId(useParams().number)))
  if (character === undefined) return null
  const [currentMonth, ...closedMonths] = character.months
  const cls = findClassByCode(character.ChaClass)
  const hasAverages = currentMonth?.open === true && currentMonth.places.length > 0 && character.averages.length > 0
  return (
    <>
      <PageHead
        parents={[PARENT_PAGES.rankings]}
        crumb={character.ChaName}
        title={character.ChaName}
        actions={<ShareButton name={character.ChaName} />}
      />
      <div className={layout.panels}>
        <CharacterHero character={character} />
        {currentMonth !== undefined && (
          <Panel
            title={currentMonth.open ? 'This month' : formatMonth(currentMonth.period)}
            actions={hasAverages && <span className={styles.legend}>average {cls}</span>}
          >
            <PlaceTiles
              places={currentMonth.places}
              averages={hasAverages ? character.averages : []}
              getPath={(board) => getRankingBoardPath('/rankings', { board, ...NO_FILTERS })}
              emptyText="Not on a board this month yet."
            />
          </Panel>
        )}
        {character.titles.length > 0 && (
          <Panel
            title="Titles"
            actions={
              <ButtonLink tone="quiet" to="/titles">
                All titles
              </ButtonLink>
            }
          >
            <ul className={layout.rows}>
              {character.titles.map((title) => (
                <TitleRow key={`${title.kind} ${title.name} ${title.board} ${title.id} ${title.level}`} title={title} />
              ))}
            </ul>
          </Panel>
        )}
        <SpanStrip seasons={character.seasons} months={closedMonths} />
        {character.days.length > 1 && <MonthCurve days={character.days} />}
        <BestPlaces character={character} />
        <ComparePanel character={character} />
        {character.tournaments.length > 0 && <Tournaments tournaments={character.tournaments} />}
        <Panel title="All time">
          <PlaceTiles
            places={character.total}
            getPath={(board) => getRankingBoardPath('/rankings/total', { board, ...NO_FILTERS })}
            emptyText="Not on a board yet."
          />
        </Panel>
      </div>
    </>
  )
}

const NO_FILTERS = { school: null, cls: null } as const

type RankMove = number | 'new' | null
type Place = { board: Board; rank: number | null; value: number; moved?: RankMove; division?: string }

type PlaceTilesProps = {
  places: readonly Place[]
  /** The averages that the bars show next to the amounts. */
  averages?: Character['averages']
  getPath: (board: Board) => string
  emptyText: string
}

/** A tile for each board: the rank, its change, and the amount with its unit or as a bar. */
function PlaceTiles({ places, averages = [], getPath, emptyText }: PlaceTilesProps) {
  if (places.length === 0) return <p className={`${layout.padded} ${text.quiet}`}>{emptyText}</p>
  return (
    <ul className={styles.tiles}>
      {places.map(({ board, rank, value, moved }) => (
        <li key={board} className={styles.tile}>
          <Link className={styles.board} to={getPath(board)}>
            {BOARD_NAMES[board]}
          </Link>
          <span className={styles.place}>
            {rank === null ? <span className={styles.beyondRanks}>over #1,000</span> : <Rank rank={rank} />}
            <Movement moved={moved ?? null} />
          </span>
          <Value className={styles.value}>{formatAmount(board, value)}</Value>
          <AverageBar value={value} average={averages.find((average) => average.board === board)?.value} />
        </li>
      ))}
    </ul>
  )
}

/** An amount as a bar, with a tick at the average. */
function AverageBar({ value, average }: { value: number; average: number | undefined }) {
  if (average === undefined || average <= 0) return null
  const scale = Math.max(value, average) * 1.1
  return (
    <span className={styles.bar} aria-hidden="true">
      <span style={{ width: `${(value / scale) * 100}%` }} data-above={value >= average || undefined} />
      <i style={{ left: `${(average / scale) * 100}%` }} />
    </span>
  )
}

/** A rank. A high rank has a paper background. */
function Rank({ rank }: { rank: number }) {
  return (
    <strong data-best={rank <= PAPER_RANK_MAX || undefined}>
      <span className="visually-hidden">Place </span>
      <Value>{`#${formatCount(rank)}`}</Value>
    </strong>
  )
}

/** Ranks up to this one have a paper background. */
const PAPER_RANK_MAX = 10

/** The change of a rank since the previous month or season. */
function Movement({ moved }: { moved: RankMove }) {
  if (moved === null) return null
  if (moved === 'new') return <NewBadge />
  if (moved === 0)
    return (
      <span className={styles.unchanged}>
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

/** Lists the tournaments with the rank or the state of each. */
function Tournaments({ tournaments }: { tournaments: Character['tournaments'] }) {
  return (
    <Panel title="Tournaments">
      <ul className={`${layout.rows} ${styles.tournaments}`}>
        {tournaments.map(({ tournament, name, club, starts_at, state, place, entries }) => (
          <li key={tournament}>
            <Link className={styles.board} to={getTournamentPath(tournament)}>
              {name}
            </Link>
            <span className={styles.value}>
              {formatManilaMinute(new Date(starts_at))}
              {club !== null && `, leading ${club}`}
            </span>
            <strong className={styles.result}>
              {state === 'announced'
                ? 'Registered'
                : state === 'drawn'
                  ? 'Running'
                  : formatTournamentRank(place, entries)}
            </strong>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const formatTournamentRank = (place: number | null, entries: number) =>
  place === null ? 'No place' : `Place ${place} of ${entries}`

type SpanCard = {
  key: string
  path: string
  name: string
  note: string
  places: readonly (Place & { points?: number })[]
}

/** The seasons and closed months in a row of cards that scrolls sideways: running seasons, months, older seasons. */
function SpanStrip({ seasons, months }: Pick<Character, 'seasons' | 'months'>) {
  const toSeasonCard = ({ season, name, state, places, ...span }: Character['seasons'][number]): SpanCard => ({
    key: `season ${season}`,
    path: getSeasonPath({ board: findBestBoard(places), ...NO_FILTERS, season: state === 'running' ? null : season }),
    name,
    note: `${formatSeasonMonths(span)}, ${STATE_LABELS[state]}`,
    places: places.map((place) => ({ ...place, points: place.value })),
  })
  const cards: SpanCard[] = [
    ...seasons.filter(({ state }) => state === 'running').map(toSeasonCard),
    ...months.map(({ period, places }) => ({
      key: period,
      path: getRankingBoardPath('/rankings', { board: findBestBoard(places), ...NO_FILTERS }, { period }),
      name: formatMonth(period),
      note: '',
      places,
    })),
    ...seasons.filter(({ state }) => state !== 'running').map(toSeasonCard),
  ]
  if (cards.length === 0) return null
  return (
    <Panel title="Seasons and months">
      <ul className={`${layout.fading} ${styles.strip}`}>
        {cards.map(({ key, path, name, note, places }) => (
          <li key={key}>
            <h3>
              <Link to={path}>{name}</Link>
            </h3>
            {note !== '' && <p>{note}</p>}
            <ul className={styles.spanPlaces}>
              {places.map(({ board, rank, moved, points, division }) => (
                <li key={board}>
                  <span>{BOARD_NAMES[board]}</span>
                  <span className={styles.place}>
                    {rank === null ? <span className={styles.beyondRanks}>over #1,000</span> : <Rank rank={rank} />}
                    <Movement moved={moved ?? null} />
                  </span>
                  {points !== undefined && (
                    <span className={styles.points}>
                      <Value>{`${formatCount(points)} points`}</Value>
                      {division !== undefined && division !== '' && <b>{division}</b>}
                    </span>
                  )}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** Returns the board of a month or a season with the character's best rank. */
const findBestBoard = (places: readonly Place[]): Board =>
  [...places].sort((a, b) => (a.rank ?? Number.POSITIVE_INFINITY) - (b.rank ?? Number.POSITIVE_INFINITY))[0]?.board ??
  'level'
