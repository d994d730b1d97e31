import type { ComponentType } from 'react'
import { use } from 'react'
import type { DocumentContent, SYSTEM_FIGURES } from '#contract/documents.ts'
import { SCHOOLS } from '#contract/game.ts'
import { CLUB_TEXTS } from '#contract/messages.ts'
import { Crest } from '#web/art/crest.tsx'
import { Emblem } from '#web/art/emblem.tsx'
import { CoinMark, MilleageMark } from '#web/art/marks.tsx'
import { useCurrencyNames } from '#web/ui/currency-names.ts'
import layout from '#web/ui/layout.module.css'
import { ThemeArt, useArt } from '#web/ui/theme-art.ts'
import styles from './system-figures.module.css'

/** The operators' values, which the drawing shows. */
type FigureProps = { rows: DocumentContent<'game-systems'>['sections'][number]['rows'] }

const readNumber = (text: string) => Math.max(0, Number.parseFloat(text) || 0)
/** Returns a value as a fraction of the largest one, from 0 to 1. */
const getShare = (value: string, values: readonly string[]) =>
  readNumber(value) / Math.max(1, ...values.map(readNumber))

/** Shows how long each level takes, and where to reach it. */
function LevelsFigure({ rows }: FigureProps) {
  const values = rows.map(({ value }) => value)
  return (
    <dl className={styles.levels}>
      {rows.map(({ name, value, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other key
        <div key={index} className={styles.level}>
          <dt>{name}</dt>
          <dd>
            <i style={{ width: `${getShare(value, values) * 100}%` }} aria-hidden="true" />
            <span>{text}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Shows the chance of each refinement as descending steps; a table below has the numbers. */
function RefiningFigure({ rows }: FigureProps) {
  return (
    <div className={styles.stair} aria-hidden="true">
      {rows.map(({ name, value }, index) => {
        const chance = Math.min(100, readNumber(value))
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other key
          <span key={index} data-safe={chance === 100 || undefined} style={{ height: `${24 + chance}px` }}>
            {name}
          </span>
        )
      })}
    </div>
  )
}

/** Shows the channels in rows by opening hours. The first row is open all day. */
function ChannelsFigure({ rows }: FigureProps) {
  const channels = rows.flatMap(({ name }, row) => name.split(' ').map((channel) => ({ channel, opensLater: row > 0 })))
  return (
    <div className={layout.stack8}>
      <ol className={styles.channels} aria-label="Channels">
        {channels.map(({ channel, opensLater }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other key
          <li key={index} data-night={opensLater || undefined}>
            {channel}
          </li>
        ))}
      </ol>
      <p className={styles.hours}>
        {rows.map(({ text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other key
          <span key={index}>{text}</span>
        ))}
      </p>
    </div>
  )
}

/** Shows the three club areas with the drawings of the home page's table. */
function AreasFigure({ rows }: FigureProps) {
  const artOverrides = use(ThemeArt)
  return (
    <ul className={styles.cards}>
      {rows.slice(0, 3).map(({ name, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other key
        <li key={index} className={styles.area}>
          <img
            src={artOverrides[`/art/club-${index + 1}.svg`] ?? `/art/club-${index + 1}.svg`}
            alt=""
            width={180}
            height={60}
            loading="lazy"
            decoding="async"
          />
          <span className={styles.cardName}>{name}</span>
          <span className={styles.cardLine}>{text}</span>
          <span className={styles.tax}>Without an owner: {CLUB_TEXTS.noClub}, 0% tax</span>
        </li>
      ))}
    </ul>
  )
}

/** Shows the sources and uses of the three currencies. */
function PursesFigure() {
  const names = useCurrencyNames()
  return (
    <ul className={styles.cards}>
      <li className={styles.purse}>
        <svg width="56" height="56" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
          <path d="M4 8c0-2.2 3.6-4 8-4s8 1.8 8 4v8c0 2.2-3.6 4-8 4s-8-1.8-8-4z" fill="#C99A1A" />
          <path d="M12 4c4.4 0 8 1.8 8 4s-3.6 4-8 4-8-1.8-8-4 3.6-4 8-4z" fill="#FFE08A" />
          <path d="M4 11.5c0 2.2 3.6 4 8 4s8-1.8 8-4M4 15c0 2.2 3.6 4 8 4s8-1.8 8-4" fill="none" stroke="#6B4E0C" />
        </svg>
        <span className={styles.cardName}>Gold</span>
        <span className={styles.cardLine}>Dropped by monsters, spent in the game</span>
      </li>
      <li className={styles.purse}>
        <CoinMark size={56} />
        <span className={styles.cardName}>{names.rCoin}</span>
        <span className={styles.cardLine}>From a code, spent in the item shop</span>
      </li>
      <li className={styles.purse}>
        <MilleageMark size={56} />
        <span className={styles.cardName}>{names.milleage}</span>
        <span className={styles.cardLine}>From playing, spent in the item shop</span>
      </li>
    </ul>
  )
}

const PARCEL_STAGES = ['Bought', 'Queued', 'Delivered', 'Claimed']

/** Shows the stages of a purchase from the shop to the player. */
function ParcelFigure() {
  return (
    <ol className={styles.parcel}>
      {PARCEL_STAGES.map((stage) => (
        <li key={stage}>{stage}</li>
      ))}
    </ol>
  )
}

const DAYS = Array.from({ length: 30 }, (_, day) => day + 1)

/** Shows thirty days as ticks, with a tall one for each week. It is decorative. */
function MonthFigure() {
  return (
    <div className={styles.month} data-surface="paper" aria-hidden="true">
      <span className={styles.days}>
        {DAYS.map((day) => (
          <i key={day} data-tall={day % 7 === 1 || undefined} data-last={day === DAYS.length || undefined} />
        ))}
      </span>
      <span className={styles.dayLabels}>
        <span>First day, 00:00</span>
        <span>Last night, 11:59 PM</span>
      </span>
    </div>
  )
}

/** The three schools side by side. */
function SchoolsFigure({ rows }: FigureProps) {
  return (
    <ul className={styles.cards}>
      {SCHOOLS.map(({ code, key, name }) => (
        <li key={key} className={styles.school} data-school={key}>
          <Crest school={code} size={76} />
          <span className={styles.cardName}>{name}</span>
          <span className={styles.cardLine}>{rows[code]?.text}</span>
        </li>
      ))}
    </ul>
  )
}

function FightFigure() {
  return <WideDrawing src="/art/system-fight.svg" alt="An assassin and a brawler face each other under the lamps." />
}

function WideDrawing({ src, alt }: { src: string; alt: string }) {
  return (
    <img
      className={styles.strip}
      src={useArt(src)}
      alt={alt}
      width={720}
      height={220}
      loading="lazy"
      decoding="async"
    />
  )
}

const HEALERS = ['shaman', 'extreme'] as const

/** Shows the two classes that can resurrect, and how fast. */
function ResuFigure({ rows }: FigureProps) {
  return (
    <>
      <WideDrawing
        src="/art/system-resu.svg"
        alt="A shaman raises a staff over a fallen player; an extreme comes running."
      />
      <ul className={styles.cards}>
        {HEALERS.map((key, index) => (
          <li key={key} className={styles.healer}>
            <Emblem name={key} size={56} isOn />
            <span className={styles.seconds}>{rows[index]?.value}</span>
            <span className={styles.cardName}>{rows[index]?.name}</span>
            <span className={styles.cardLine}>{rows[index]?.text}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Shows the effects of a lost or won duel, as bars to both sides. */
function MmrFigure({ rows }: FigureProps) {
  const points = rows.flatMap(({ value, second }) => [value, second])
  /** Leaves room for the number next to the longest bar. */
  const getBarStyle = (value: string) => ({ width: `calc((100% - 44px) * ${getShare(value, points)})` })
  return (
    <dl className={styles.duels}>
      {rows.map(({ name, value, second }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other key
        <div key={index} className={styles.duel}>
          <dt>{name}</dt>
          <dd className={styles.lostBar}>
            <span className="visually-hidden">if you lose </span>
            <b>−{second}</b>
            <i style={getBarStyle(second)} aria-hidden="true" />
          </dd>
          <dd className={styles.wonBar}>
            <i style={getBarStyle(value)} aria-hidden="true" />
            <span className="visually-hidden">if you win </span>
            <b>+{value}</b>
          </dd>
        </div>
      ))}
    </dl>
  )
}

const FIGURES: Readonly<Record<keyof typeof SYSTEM_FIGURES, ComponentType<FigureProps>>> = {
  levels: LevelsFigure,
  fight: FightFigure,
  areas: AreasFigure,
  schools: SchoolsFigure,
  resu: ResuFigure,
  mmr: MmrFigure,
  channels: ChannelsFigure,
  purses: PursesFigure,
  parcel: ParcelFigure,
  refining: RefiningFigure,
  month: MonthFigure,
}

/** The drawing of a section. */
export function SystemFigure({ name, rows }: { name: keyof typeof FIGURES } & FigureProps) {
  const Figure = FIGURES[name]
  return <Figure rows={rows} />
}
