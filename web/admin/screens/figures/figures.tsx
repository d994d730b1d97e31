import { useLocation, useParams } from 'react-router'
import { DAY_MS } from '#contract/durations.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { type Figure, getFigures } from '#contract/figures.ts'
import { getStartOfDay, toManilaDay } from '#contract/manila.ts'
import { formatCount, formatPlural } from '#contract/numbers.ts'
import { useCall } from '#web/api/queries.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { useCurrencyText } from '#web/ui/currency-names.ts'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { FilterLinks, TabLinks } from '#web/ui/tabs.tsx'
import { serverNow } from '../../kit/clock.ts'
import { When } from '../../kit/facts.tsx'
import { ListFilters } from '../../kit/list-filters.tsx'
import { useListSearch } from '../../kit/list-search.ts'
import { Loaded, ScreenHead } from '../../kit/screen.tsx'
import { SmallChart } from '../../kit/small-chart.tsx'
import { ScreenNotFound } from '../../notices.tsx'
import styles from './figures.module.css'
import { isPart, PARTS, RANGE_FILTERS } from './parts.tsx'

type Figures = CallOutput<typeof getFigures>

/** The site's statistics: a range of days compared with the range before it, and a list behind each chart. */
export function Screen() {
  const { part } = useParams()
  const { search } = useLocation()
  if (part !== undefined && !isPart(part)) return <ScreenNotFound />
  const tabs = [{ key: '', label: 'Overview' }, ...Object.entries(PARTS).map(([key, { label }]) => ({ key, label }))]
  const query = new URLSearchParams(search)
  for (const name of ['after', 'sort']) query.delete(name)
  const rest = query.size === 0 ? '' : `?${query}`
  return (
    <>
      <ScreenHead title="Figures" line="The site counts whole days in Manila. No figure describes a single visitor.">
        <div className={styles.tabs}>
          <TabLinks
            label="Parts of Figures"
            tabs={tabs.map(({ key, label }) => ({ key, label, to: `/admin/figures${key && `/${key}`}${rest}` }))}
            current={part ?? ''}
          />
        </div>
        <QuickRanges />
      </ScreenHead>
      {part === undefined ? <Overview rest={rest} /> : PARTS[part].list()}
    </>
  )
}

const QUICK = [7, 30, 90]

/** Links to the most useful ranges: today so far, and ranges that end yesterday. */
function QuickRanges() {
  const range = useListSearch(RANGE_FILTERS)
  const yesterday = serverNow() - DAY_MS
  const until = toManilaDay(yesterday)
  const today = toManilaDay(serverNow())
  const options = [
    { key: today, label: 'Today', to: `?from=${today}&until=${today}` },
    ...QUICK.map((days) => {
      const from = toManilaDay(yesterday - (days - 1) * DAY_MS)
      return { key: from, label: `${days} days`, to: `?from=${from}&until=${until}` }
    }),
  ]
  const isDefault = range.getValue('from') === '' && range.getValue('until') === ''
  const isQuick = range.getValue('until') === until || range.getValue('from') === today
  const chosen = isDefault ? options[2]?.key : isQuick ? range.getValue('from') : ''
  return (
    <div className={styles.quick}>
      <FilterLinks label="Days" options={options} current={chosen ?? ''} />
    </div>
  )
}

function Overview({ rest }: { rest: string }) {
  const search = useListSearch(RANGE_FILTERS)
  const figures = useCall(getFigures, { from: search.getValue('from'), until: search.getValue('until') })
  return (
    <>
      <ListFilters filters={RANGE_FILTERS} search={search} columns={[]}>
        {null}
      </ListFilters>
      <Loaded of={figures} height={900}>
        {(value) => <Charts figures={value} rest={rest} />}
      </Loaded>
    </>
  )
}

const dayName = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const formatDayName = (day: string) => dayName.format(new Date(day))

function listDays({ from, until }: { from: string; until: string }): string[] {
  const count = Math.round((getStartOfDay(until).getTime() - getStartOfDay(from).getTime()) / DAY_MS) + 1
  return Array.from({ length: count }, (_, nth) => toManilaDay(getStartOfDay(from).getTime() + nth * DAY_MS))
}

/** Formats the value of the previous range and the change since then. */
function beforeText(now: number, before: number): string {
  const change =
    before === 0 ? '' : ` (${now >= before ? '+' : '−'}${Math.abs(Math.round((now / before - 1) * 100))} %)`
  return `before: ${formatCount(before)}${change}`
}

type DayFigure = Exclude<keyof Figures['days'][number], 'day'>

function Charts({ figures, rest }: { figures: Figures; rest: string }) {
  const rename = useCurrencyText()
  const { from, until, before, days, sums, sums_before, hours, counted_at } = figures
  const byDay = new Map(days.map((row) => [row.day, row]))
  const all = listDays({ from, until })
  const points = (name: DayFigure) =>
    all.map((day) => ({ label: formatDayName(day), value: byDay.get(day)?.[name] ?? null }))
  const toDays = `/admin/figures/days${rest}`
  const chart = (title: string, name: Figure, to = toDays) => (
    <SmallChart title={title} points={points(name)} note={beforeText(sums[name], sums_before[name])} to={to} />
  )
  const perDay = (sum: number) => Math.round(sum / all.length)
  const missing = all.filter((day) => !byDay.has(day)).length
  const isToday = until === toManilaDay(serverNow())
  const currencies = [
    ['R-Coin', 'r_coin', 'most-r-coin'],
    ['Milleage', 'milleage', 'most-milleage'],
  ] as const
  return (
    <div className={layout.panels}>
      <p className={styles.range}>
        {formatDayName(from)} to {formatDayName(until)}, compared with {formatDayName(before.from)} to{' '}
        {formatDayName(before.until)}.{missing > 0 && ` Not counted: ${formatPlural(missing, 'day')}.`}
        {isToday && ' Today’s counts are updated every five minutes.'}
        {counted_at !== null && (
          <>
            {' '}
            Counted <When at={counted_at} />.
          </>
        )}
      </p>
      {Object.values(sums).every((sum) => sum === 0) && (
        <EmptyState
          title="Nothing happened in these days"
          line="Days are counted when they are over. Counts since midnight are under Today."
          action={
            !isToday && (
              <ButtonLink to={`/admin/figures?from=${toManilaDay(serverNow())}&until=${toManilaDay(serverNow())}`}>
                Show today
              </ButtonLink>
            )
          }
        />
      )}
      <Panel title="Players">
        <div className={styles.charts}>
          {chart('New', 'registrations')}
          {chart('Returning', 'returning_players')}
          {chart('Lost', 'lost_players')}
          <SmallChart
            title="Active a day"
            points={points('active_players')}
            total={formatCount(perDay(sums.active_players))}
            note={beforeText(perDay(sums.active_players), perDay(sums_before.active_players))}
            to={toDays}
          />
          <SmallChart
            title="Logins by hour"
            points={hours.map((value, hour) => ({ label: `${String(hour).padStart(2, '0')}:00`, value }))}
            note={beforeText(sums.logins, sums_before.logins)}
            to={`/admin/figures/hours${rest}`}
            marksLast={false}
          />
        </div>
        <p className={styles.note}>
          Returning players logged in after 30 days or more without a login; a player is lost on the 30th day without
          one. Active players logged in, bought something or redeemed a code that day.
        </p>
      </Panel>
      {currencies.map(([label, name, most]) => (
        <Panel key={name} title={rename(label)}>
          <div className={styles.charts}>
            {chart('Spent', `${name}_spent`, `/admin/figures/categories${rest}`)}
            {chart('Redeemed', `${name}_redeemed`, `/admin/figures/campaigns${rest}`)}
            {chart('Refunded', `${name}_refunded`)}
            <SmallChart
              title="Outstanding"
              points={points(`${name}_outstanding`)}
              total={formatCount(days.at(-1)?.[`${name}_outstanding`] ?? 0)}
              note="the sum of all balances"
              to={`/admin/players?state=${most}`}
            />
          </div>
        </Panel>
      ))}
      <div className={styles.pair}>
        <Panel title="Tickets">
          <div className={styles.charts}>
            {chart('Opened', 'tickets')}
            <Answers sums={sums} before={sums_before} to={toDays} />
          </div>
        </Panel>
        <Panel title="Forum">
          <div className={styles.charts}>
            {chart('Topics', 'forum_topics')}
            {chart('Posts', 'forum_posts')}
          </div>
        </Panel>
      </div>
    </div>
  )
}

const WAITS: readonly (readonly [Figure, string])[] = [
  ['answered_1h', '1 hour'],
  ['answered_4h', '4 hours'],
  ['answered_1d', '1 day'],
  ['answered_3d', '3 days'],
  ['answered_later', 'longer'],
]

/** Shows how long tickets waited for their first answer. */
function Answers({ sums, before, to }: { sums: Figures['sums']; before: Figures['sums']; to: string }) {
  const share = (of: Figures['sums']) => {
    const all = WAITS.reduce((sum, [name]) => sum + of[name], 0)
    const soon = of.answered_1h + of.answered_4h + of.answered_1d
    return all === 0 ? '—' : `${Math.round((soon / all) * 100)} %`
  }
  return (
    <SmallChart
      title="First answer within a day"
      points={WAITS.map(([name, label]) => ({ label, value: sums[name] }))}
      total={share(sums)}
      note={`before: ${share(before)}`}
      to={to}
      marksLast={false}
    />
  )
}
