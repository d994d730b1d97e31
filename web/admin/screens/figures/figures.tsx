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
import { getServerNow } from '../../kit/clock.ts'
import { When } from '../../kit/facts.tsx'
import { ListFilters } from '../../kit/list-filters.tsx'
import { useListSearch } from '../../kit/list-search.ts'
import { Loaded, ScreenHead } from '../../kit/screen.tsx'
import { SmallChart } from '../../kit/small-chart.tsx'
import { ScreenNotFound } from '../../notices.tsx'
import styles from './figures.module.css'
import { FIGURE_LISTS, isFigureList, RANGE_FILTERS } from './parts.tsx'

type Figures = CallOutput<typeof getFigures>

/** The site's statistics: a range of days compared with the range before it, and a list behind each chart. */
export function Screen() {
  const { part } = useParams()
  const { search } = useLocation()
  if (part !== undefined && !isFigureList(part)) return <ScreenNotFound />
  const tabs = [
    { key: '', label: 'Overview' },
    ...Object.entries(FIGURE_LISTS).map(([key, { label }]) => ({ key, label })),
  ]
  const query = new URLSearchParams(search)
  for (const name of ['after', 'sort']) query.delete(name)
  const rangeQuery = query.size === 0 ? '' : `?${query}`
  return (
    <>
      <ScreenHead title="Figures" line="The site counts whole days in Manila. No figure describes a single visitor.">
        <div className={styles.tabs}>
          <TabLinks
            label="Parts of Figures"
            tabs={tabs.map(({ key, label }) => ({ key, label, to: `/admin/figures${key && `/${key}`}${rangeQuery}` }))}
            current={part ?? ''}
          />
        </div>
        <QuickRanges />
      </ScreenHead>
      {part === undefined ? <Overview rangeQuery={rangeQuery} /> : FIGURE_LISTS[part].list()}
    </>
  )
}

const QUICK_DAYS = [7, 30, 90]

/** Links to the most useful ranges: today so far, and ranges that end yesterday. */
function QuickRanges() {
  const rangeSearch = useListSearch(RANGE_FILTERS)
  const yesterday = getServerNow() - DAY_MS
  const until = toManilaDay(yesterday)
  const today = toManilaDay(getServerNow())
  const options = [
    { key: today, label: 'Today', to: `?from=${today}&until=${today}` },
    ...QUICK_DAYS.map((days) => {
      const from = toManilaDay(yesterday - (days - 1) * DAY_MS)
      return { key: from, label: `${days} days`, to: `?from=${from}&until=${until}` }
    }),
  ]
  const isDefault = rangeSearch.getValue('from') === '' && rangeSearch.getValue('until') === ''
  const isQuick = rangeSearch.getValue('until') === until || rangeSearch.getValue('from') === today
  const currentOption = isDefault ? options[2]?.key : isQuick ? rangeSearch.getValue('from') : ''
  return (
    <div className={styles.quickRanges}>
      <FilterLinks label="Days" options={options} current={currentOption ?? ''} />
    </div>
  )
}

function Overview({ rangeQuery }: { rangeQuery: string }) {
  const search = useListSearch(RANGE_FILTERS)
  const figures = useCall(getFigures, { from: search.getValue('from'), until: search.getValue('until') })
  return (
    <>
      <ListFilters filters={RANGE_FILTERS} search={search} columns={[]}>
        {null}
      </ListFilters>
      <Loaded result={figures} height={900}>
        {(value) => <Charts figures={value} rangeQuery={rangeQuery} />}
      </Loaded>
    </>
  )
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const formatDay = (day: string) => dayFormat.format(new Date(day))

function listDays({ from, until }: { from: string; until: string }): string[] {
  const count = Math.round((getStartOfDay(until).getTime() - getStartOfDay(from).getTime()) / DAY_MS) + 1
  return Array.from({ length: count }, (_, index) => toManilaDay(getStartOfDay(from).getTime() + index * DAY_MS))
}

/** Formats the value of the previous range and the change since then. */
function formatComparison(now: number, before: number): string {
  const change =
    before === 0 ? '' : ` (${now >= before ? '+' : '−'}${Math.abs(Math.round((now / before - 1) * 100))} %)`
  return `before: ${formatCount(before)}${change}`
}

type DayFigure = Exclude<keyof Figures['days'][number], 'day'>

function Charts({ figures, rangeQuery }: { figures: Figures; rangeQuery: string }) {
  const renameCurrencies = useCurrencyText()
  const { from, until, before, days, sums, sums_before, hours, counted_at } = figures
  const byDay = new Map(days.map((row) => [row.day, row]))
  const allDays = listDays({ from, until })
  const getPoints = (name: DayFigure) =>
    allDays.map((day) => ({ label: formatDay(day), value: byDay.get(day)?.[name] ?? null }))
  const daysPath = `/admin/figures/days${rangeQuery}`
  const renderChart = (title: string, name: Figure, to = daysPath) => (
    <SmallChart title={title} points={getPoints(name)} note={formatComparison(sums[name], sums_before[name])} to={to} />
  )
  const averagePerDay = (sum: number) => Math.round(sum / allDays.length)
  const uncountedDays = allDays.filter((day) => !byDay.has(day)).length
  const isToday = until === toManilaDay(getServerNow())
  const currencies = [
    ['R-Coin', 'r_coin', 'most-r-coin'],
    ['Milleage', 'milleage', 'most-milleage'],
  ] as const
  return (
    <div className={layout.panels}>
      <p className={styles.range}>
        {formatDay(from)} to {formatDay(until)}, compared with {formatDay(before.from)} to {formatDay(before.until)}.
        {uncountedDays > 0 && ` Not counted: ${formatPlural(uncountedDays, 'day')}.`}
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
              <ButtonLink
                to={`/admin/figures?from=${toManilaDay(getServerNow())}&until=${toManilaDay(getServerNow())}`}
              >
                Show today
              </ButtonLink>
            )
          }
        />
      )}
      <Panel title="Players">
        <div className={styles.charts}>
          {renderChart('New', 'registrations')}
          {renderChart('Returning', 'returning_players')}
          {renderChart('Lost', 'lost_players')}
          <SmallChart
            title="Active a day"
            points={getPoints('active_players')}
            total={formatCount(averagePerDay(sums.active_players))}
            note={formatComparison(averagePerDay(sums.active_players), averagePerDay(sums_before.active_players))}
            to={daysPath}
          />
          <SmallChart
            title="Logins by hour"
            points={hours.map((value, hour) => ({ label: `${String(hour).padStart(2, '0')}:00`, value }))}
            note={formatComparison(sums.logins, sums_before.logins)}
            to={`/admin/figures/hours${rangeQuery}`}
            marksLast={false}
          />
        </div>
        <p className={styles.note}>
          Returning players logged in after 30 days or more without a login; a player is lost on the 30th day without
          one. Active players logged in, bought something or redeemed a code that day.
        </p>
      </Panel>
      {currencies.map(([label, name, listState]) => (
        <Panel key={name} title={renameCurrencies(label)}>
          <div className={styles.charts}>
            {renderChart('Spent', `${name}_spent`, `/admin/figures/categories${rangeQuery}`)}
            {renderChart('Redeemed', `${name}_redeemed`, `/admin/figures/campaigns${rangeQuery}`)}
            {renderChart('Refunded', `${name}_refunded`)}
            <SmallChart
              title="Outstanding"
              points={getPoints(`${name}_outstanding`)}
              total={formatCount(days.at(-1)?.[`${name}_outstanding`] ?? 0)}
              note="the sum of all balances"
              to={`/admin/players?state=${listState}`}
            />
          </div>
        </Panel>
      ))}
      <div className={styles.pair}>
        <Panel title="Tickets">
          <div className={styles.charts}>
            {renderChart('Opened', 'tickets')}
            <AnswerTimes sums={sums} before={sums_before} to={daysPath} />
          </div>
        </Panel>
        <Panel title="Forum">
          <div className={styles.charts}>
            {renderChart('Topics', 'forum_topics')}
            {renderChart('Posts', 'forum_posts')}
          </div>
        </Panel>
      </div>
    </div>
  )
}

const ANSWER_TIMES: readonly (readonly [Figure, string])[] = [
  ['answered_1h', '1 hour'],
  ['answered_4h', '4 hours'],
  ['answered_1d', '1 day'],
  ['answered_3d', '3 days'],
  ['answered_later', 'longer'],
]

/** Shows how long tickets waited for their first answer. */
function AnswerTimes({ sums, before, to }: { sums: Figures['sums']; before: Figures['sums']; to: string }) {
  const formatShare = (counts: Figures['sums']) => {
    const total = ANSWER_TIMES.reduce((sum, [name]) => sum + counts[name], 0)
    const withinDay = counts.answered_1h + counts.answered_4h + counts.answered_1d
    return total === 0 ? '—' : `${Math.round((withinDay / total) * 100)} %`
  }
  return (
    <SmallChart
      title="First answer within a day"
      points={ANSWER_TIMES.map(([name, label]) => ({ label, value: sums[name] }))}
      total={formatShare(sums)}
      note={`before: ${formatShare(before)}`}
      to={to}
      marksLast={false}
    />
  )
}
