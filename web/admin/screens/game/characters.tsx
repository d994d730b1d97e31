import type { CharacterMeasure } from '#contract/bridge-characters.ts'
import type { getGame } from '#contract/desk-game.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { getClockParts } from '#contract/manila.ts'
import { formatCount, formatPlural } from '#contract/numbers.ts'
import { ONLINE_POINT_PERIOD_MS, type Online } from '#contract/players-online.ts'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { Facts, When } from '../../kit/facts.tsx'
import { SmallChart } from '../../kit/small-chart.tsx'
import styles from './game.module.css'

type Sync = NonNullable<CallOutput<typeof getGame>['sync']>

/** Shows the number of players online, now and over the last 24 hours. */
export function PlayersOnline({ players, counted_at, old, most, from, points }: Online) {
  const start = Date.parse(from)
  return (
    <Panel title="Players online">
      <div className={deskLayout.facts}>
        <SmallChart
          title="The last 24 hours, Manila time"
          total={formatCount(players)}
          points={points.map((value, index) => ({
            label: getClockParts(start + index * ONLINE_POINT_PERIOD_MS).minutes,
            value,
          }))}
        />
        <p className={styles.advice}>
          {old ? (
            <>
              Counted <When at={counted_at} show="both" />. The bridge has reported nothing since.
            </>
          ) : (
            'Counted every minute.'
          )}{' '}
          Peak: {formatCount(most)} at once. Players see this on the <Link to="/serverinfo">Server Information</Link>{' '}
          page.
        </p>
      </div>
    </Panel>
  )
}

const MEASURES: Record<CharacterMeasure, string> = {
  mmr: 'MMR',
  resu: 'resu',
  kills: 'kills',
  deaths: 'deaths',
  level_up: 'the time of the last level',
  money: 'money',
}

/** The reasons why characters are hidden from players, with their labels. */
const HIDDEN_REASONS = [
  ['staff', 'of the game’s staff'],
  ['blocked', 'of blocked accounts'],
  ['deleted', 'deleted in the game'],
  ['missing', 'no longer there'],
] as const

const IRREGULARITIES = [
  ['odd_class', 'Unknown class', 'shown without an emblem'],
  ['odd_school', 'Unknown school', 'shown without a crest'],
  ['odd_name', 'Unsupported characters in the name', 'shown without them'],
] as const

/** Shows the sync of characters from the game, and irregular characters. */
export function Characters({ sync }: { sync: Sync }) {
  const { values_at, running, took_ms, sent_bytes, changed, lacks, counts, problem } = sync
  const hiddenTexts = HIDDEN_REASONS.flatMap(([name, label]) =>
    counts === null || counts[name] === 0 ? [] : [`${formatCount(counts[name])} ${label}`],
  )
  return (
    <Panel title="Characters of the game">
      <div className={deskLayout.facts}>
        <Facts
          facts={{
            'Last read':
              values_at !== null ? (
                <When at={values_at} show="both" />
              ) : running ? (
                'Being read for the first time …'
              ) : (
                'Not yet'
              ),
            ...(counts !== null && {
              'Shown on the site': formatCount(counts.shown),
              'Of players with an account here': counts.linked === 0 ? 'None' : formatCount(counts.linked),
              Hidden: hiddenTexts.length === 0 ? 'None' : hiddenTexts.join(', '),
              ...Object.fromEntries(
                IRREGULARITIES.map(([name, title, consequence]) => [
                  title,
                  counts[name] === 0 ? 'None' : `${formatCount(counts[name])}, ${consequence}`,
                ]),
              ),
              'Last sync': `${(took_ms / 1000).toFixed(1)} s; ${changed === 0 ? 'nothing' : formatPlural(changed, 'character')} had changed, ${formatCount(Math.ceil(sent_bytes / 1000))} kB sent`,
            }),
          }}
        />
      </div>
      {problem !== '' && (
        <p className={styles.problem} role="alert">
          The characters could not be read: {problem}
        </p>
      )}
      {lacks.length > 0 && (
        <p className={styles.problem}>
          The game has no column for {new Intl.ListFormat('en').format(lacks.map((measure) => MEASURES[measure]))}, so
          those boards are empty. If your server uses another column name, add it to <code>names</code> in the bridge’s
          configuration.
        </p>
      )}
    </Panel>
  )
}
