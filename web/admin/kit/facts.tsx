import { type ReactNode, useEffect, useState } from 'react'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import { getClockParts } from '#contract/manila.ts'
import { formatCount } from '#contract/numbers.ts'
import { CoinMark, MilleageMark } from '#web/art/marks.tsx'
import { useCurrencyNames, useCurrencyText } from '#web/ui/currency-names.ts'
import { Link } from '#web/ui/link.tsx'
import { getServerNow } from './clock.ts'
import deskLayout from './desk-layout.module.css'
import styles from './facts.module.css'

type MoneyProps = {
  /** The amount, a whole number. */
  amount: number
  /** The currency whose mark is shown; without it only the number is shown. */
  currency?: 'rCoin' | 'milleage' | undefined
  /** Shows a plus before increases, for changes of a balance. */
  hasSign?: boolean
}

/** Shows an amount with thousands separators, in digits of equal width. */
export function Money({ amount, currency, hasSign = false }: MoneyProps) {
  const sign = amount < 0 ? '−' : hasSign && amount > 0 ? '+' : ''
  const names = useCurrencyNames()
  const Mark = currency === 'rCoin' ? CoinMark : MilleageMark
  return (
    <span className={styles.money} data-sign={hasSign ? Math.sign(amount) : undefined}>
      {currency !== undefined && <Mark size={16} />}
      {sign}
      {formatCount(Math.abs(amount))}
      {currency !== undefined && <span className="visually-hidden"> {names[currency]}</span>}
    </span>
  )
}

const sizeFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

/** Formats a size in bytes: '3.4 MB'. */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return `${sizeFormat.format(bytes / 1000 ** power)} ${units[power]}`
}

const relativeFormat = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** Formats a time relative to now: '3 hours ago', 'in 2 days'. Returns null beyond 30 days. */
function formatRelativeTime(at: number, now: number): string | null {
  const distance = at - now
  const size = Math.abs(distance)
  if (size < MINUTE_MS) return 'just now'
  if (size < HOUR_MS) return relativeFormat.format(Math.trunc(distance / MINUTE_MS), 'minute')
  if (size < DAY_MS) return relativeFormat.format(Math.trunc(distance / HOUR_MS), 'hour')
  return size <= 30 * DAY_MS ? relativeFormat.format(Math.trunc(distance / DAY_MS), 'day') : null
}

/** Formats a time in Manila: 'Sun 22 Nov 2026, 14:05'. */
export function formatManilaTime(at: number | Date): string {
  const { date, minutes } = getClockParts(at)
  return `${date}, ${minutes}`
}

type WhenProps = {
  /** An ISO date; a missing one is shown as a dash. */
  at: string | null | undefined
  /**
   * `short` shows the time relative to now, with the date as its tooltip; `date` shows the date, for use after 'from'
   * or 'until'; `both` shows both.
   */
  show?: 'both' | 'date' | 'short'
  /** The name of the person who acted at that time. */
  by?: string | null
}

/** Shows a time: relative to now, as a date in Manila, or both. */
export function When({ at, show = 'short', by }: WhenProps) {
  const [now, setNow] = useState(getServerNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(getServerNow()), MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  if (at === null || at === undefined) return <span className={deskLayout.muted}>—</span>
  const timeMs = new Date(at).getTime()
  const fullText = formatManilaTime(timeMs)
  const relativeTime = formatRelativeTime(timeMs, now)
  return (
    <>
      <time dateTime={at} title={show === 'short' ? `${fullText} in Manila` : undefined} className={styles.when}>
        {show === 'date' ? fullText : (relativeTime ?? fullText)}
        {show === 'both' && relativeTime !== null && <span> · {fullText}</span>}
      </time>
      {by !== undefined && ` by ${by}`}
    </>
  )
}

type PlayerLinkProps = { userNum: number; userId: string | null; className?: string }

/** Links a player's user ID to the player's page. */
export function PlayerLink({ userNum, userId, className }: PlayerLinkProps) {
  return (
    <Link to={`/admin/players/${userNum}`} className={[styles.ref, className].filter(Boolean).join(' ')}>
      {userId ?? `No. ${userNum}`}
    </Link>
  )
}

/** The label and the desk's page of each kind of target in the audit log. */
const TARGETS: Record<string, { name: string; to?: (id: string) => string }> = {
  player: { name: 'Player', to: (id) => `/admin/players/${id}` },
  staff: { name: 'Staff member', to: () => '/admin/staff' },
  role: { name: 'Role', to: (id) => `/admin/staff/roles/${id}` },
  approval: { name: 'Request', to: () => '/admin/approvals' },
  item: { name: 'Item', to: (id) => `/admin/items/${id}` },
  category: { name: 'Category', to: () => '/admin/items/categories' },
  season: { name: 'Season', to: (id) => `/admin/rankings/seasons/${id}` },
  order: { name: 'Order', to: (id) => `/admin/orders/${id}` },
  campaign: { name: 'Campaign', to: (id) => `/admin/vouchers/${id}` },
  streamer: { name: 'Streamer', to: () => '/admin/vouchers/streamers' },
  document: { name: 'Page', to: (id) => `/admin/pages/${id}` },
  news: { name: 'News item', to: (id) => `/admin/news/${id}` },
  'vote site': { name: 'Vote list', to: (id) => `/admin/rewards/votes/${id}` },
  rewards: { name: 'Rewards', to: () => '/admin/rewards' },
  event: { name: 'Event', to: (id) => `/admin/events/${id}` },
  ticket: { name: 'Ticket', to: (id) => `/admin/tickets/${id}` },
  'forum post': { name: 'Post', to: (id) => `/admin/forum/posts/${id}` },
  'forum topic': { name: 'Topic', to: (id) => `/admin/forum/topics/${id}` },
  'forum board': { name: 'Board', to: () => '/admin/forum/boards' },
  'watched word': { name: 'Watched word', to: () => '/admin/forum/words' },
  character: { name: 'Character', to: (id) => `/admin/rankings#q=${id}` },
  club: { name: 'Club', to: () => '/admin/rankings/marks' },
  period: { name: 'Month' },
  league: { name: 'League', to: (id) => `/admin/leagues/${id}` },
  tournament: { name: 'Tournament', to: (id) => `/admin/tournaments/${id}` },
  setting: { name: 'Setting', to: () => '/admin/settings' },
  bridge: { name: 'Bridge', to: () => '/admin/game' },
  game: { name: 'Game', to: () => '/admin/game' },
  backup: { name: 'Backup', to: () => '/admin/backups' },
  mail: { name: 'Mail', to: () => '/admin/mail' },
  view: { name: 'Saved view' },
  file: { name: 'Picture' },
  list: { name: 'List' },
}

/** Shows a target of the audit log by its kind and id: 'Item 17', linked if it has a page. */
export function TargetLink({ kind, id, className }: { kind: string; id: string | number; className?: string }) {
  const target = TARGETS[kind]
  const name = target?.name ?? kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('_', ' ')
  const text = `${name} ${id}`
  if (target?.to === undefined) return <span>{text}</span>
  return (
    <Link to={target.to(String(id))} className={[styles.ref, className].filter(Boolean).join(' ')}>
      {text}
    </Link>
  )
}

export type Tone = 'calm' | 'attention' | 'good' | 'bad' | 'off'

/** Shows a state in one or two words. The tone `attention` calls for an action; `off` means finished. */
export function StateBadge({ tone = 'calm', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={styles.badge} data-tone={tone}>
      {children}
    </span>
  )
}

/** The label and the tone of each state. */
export type States<Name extends string> = Readonly<Record<Name, readonly [label: string, tone: Tone]>>

/** Shows one of several states as a badge. */
export function State<Name extends string>({ states, state }: { states: States<Name>; state: Name }) {
  const [text, tone] = states[state]
  return <StateBadge tone={tone}>{text}</StateBadge>
}

/** Returns states as options for a filter. */
export const toStateOptions = (states: States<string>) =>
  Object.entries(states).map(([name, [text]]) => [name, text] as const)

/** Values by label. `Facts` omits false, null and undefined. */
export type FactList = Readonly<Record<string, ReactNode>>

type FactsProps = {
  facts: FactList
  /** Replaces the layout in columns. */
  className?: string | undefined
}

/** Shows the labels and values of a record, in columns if there is room. */
export function Facts({ facts, className = styles.facts }: FactsProps) {
  const renameCurrencies = useCurrencyText()
  return (
    <dl className={className}>
      {Object.entries(facts)
        .filter(([, value]) => value !== false && value !== null && value !== undefined)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{renameCurrencies(name)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
