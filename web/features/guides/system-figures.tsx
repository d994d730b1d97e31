import type { ComponentType } from 'react'
import type { SYSTEM_FIGURES } from '#contract/documents.ts'
import { SCHOOLS } from '#contract/game.ts'
import { CLUBS } from '#contract/messages.ts'
import { Crest } from '#web/art/crest.tsx'
import { Emblem } from '#web/art/emblem.tsx'
import { CoinMark, MilleageMark } from '#web/art/marks.tsx'
import styles from './system-figures.module.css'

const LEVELS = [
  { level: 20, hours: 3, place: 'yard, hallway, library basement' },
  { level: 40, hours: 20, place: 'flooded quad' },
  { level: 60, hours: 55, place: 'boiler room' },
  { level: 80, hours: 110, place: 'rooftop at night' },
] as const

const MOST_HOURS = 110

/** How long a level takes, and where. */
function LevelsFigure() {
  return (
    <dl className={styles.levels}>
      {LEVELS.map(({ level, hours, place }) => (
        <div key={level} className={styles.level}>
          <dt>
            Level <b>{level}</b>
          </dt>
          <dd>
            <i style={{ width: `${(hours / MOST_HOURS) * 100}%` }} aria-hidden="true" />
            <span>
              about {hours} hours · {place}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

const CHANCES = [100, 100, 100, 100, 70, 70, 45, 45, 20, 20]

/** The chance of each refinement as descending stairs; the table below has the numbers. */
function RefiningFigure() {
  return (
    <div className={styles.stair} aria-hidden="true">
      {CHANCES.map((chance, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: ten fixed steps
        <span key={index} data-safe={chance === 100 || undefined} style={{ height: `${24 + chance}px` }}>
          +{index + 1}
        </span>
      ))}
    </div>
  )
}

const CHANNELS = ['1', '2', '3', '4', '5', '6', '7', '8']
const NIGHT_FROM = 6

/** The eight channels: six all day, two at night. */
function ChannelsFigure() {
  return (
    <div className={styles.channelBox}>
      <ol className={styles.channels} aria-label="Channels">
        {CHANNELS.map((channel, index) => (
          <li key={channel} data-night={index >= NIGHT_FROM || undefined}>
            {channel}
          </li>
        ))}
      </ol>
      <p className={styles.hours}>
        <span>1 to 6: all day</span>
        <span>7 and 8: 9:00 PM to 2:00 AM, Friday and Saturday to 4:00 AM</span>
      </p>
    </div>
  )
}

const AREAS = [
  { picture: '/art/club-1.svg', name: 'Covered Court', line: 'Duels, loud spectators, good echo' },
  { picture: '/art/club-2.svg', name: 'Old Market', line: 'Most stalls, most gold changing hands' },
  { picture: '/art/club-3.svg', name: 'Sky Bridge', line: 'The shortest way between all three schools' },
] as const

/** The three club areas, with the drawings of the home page's club table. */
function AreasFigure() {
  return (
    <ul className={styles.cards}>
      {AREAS.map(({ picture, name, line }) => (
        <li key={name} className={styles.area}>
          <img src={picture} alt="" width={180} height={60} loading="lazy" decoding="async" />
          <span className={styles.cardName}>{name}</span>
          <span className={styles.cardLine}>{line}</span>
          <span className={styles.tax}>Without an owner: {CLUBS.noClub}, 0% tax</span>
        </li>
      ))}
    </ul>
  )
}

/** The three currencies: where each comes from and what it buys. */
function PursesFigure() {
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
        <span className={styles.cardName}>R-Coin</span>
        <span className={styles.cardLine}>From a code, spent in the item shop</span>
      </li>
      <li className={styles.purse}>
        <MilleageMark size={56} />
        <span className={styles.cardName}>Milleage</span>
        <span className={styles.cardLine}>From playing, spent in the item shop</span>
      </li>
    </ul>
  )
}

const STOPS = ['Bought', 'Queued', 'Delivered', 'Claimed']

/** The states of a parcel from the shop to the player. */
function ParcelFigure() {
  return (
    <ol className={styles.parcel}>
      {STOPS.map((stop) => (
        <li key={stop}>{stop}</li>
      ))}
    </ol>
  )
}

const DAYS = Array.from({ length: 30 }, (_, day) => day + 1)

/** Thirty days as ticks, a tall one for each week: decoration only. */
function MonthFigure() {
  return (
    <div className={styles.month} data-surface="paper" aria-hidden="true">
      <span className={styles.days}>
        {DAYS.map((day) => (
          <i key={day} data-tall={day % 7 === 1 || undefined} data-last={day === DAYS.length || undefined} />
        ))}
      </span>
      <span className={styles.dayWords}>
        <span>First day, 00:00</span>
        <span>Last night, 11:59 PM</span>
      </span>
    </div>
  )
}

const SCHOOL_LINES = [
  'Arches, blue tiles, morning bells. Short way to the Covered Court.',
  'Terraces, mist until nine, a deep library. Short way to the Sky Bridge.',
  'Burned twice, painted red twice. The Old Market is at its back door.',
]

/** The three schools side by side. */
function SchoolsFigure() {
  return (
    <ul className={styles.cards}>
      {SCHOOLS.map(({ code, key, name }) => (
        <li key={key} className={styles.school} data-school={key}>
          <Crest school={code} size={76} />
          <span className={styles.cardName}>{name}</span>
          <span className={styles.cardLine}>{SCHOOL_LINES[code]}</span>
        </li>
      ))}
    </ul>
  )
}

/** Two fighters under the lamps: decoration only. */
function FightFigure() {
  return <Strip src="/art/system-fight.svg" alt="An assassin and a brawler face each other under the lamps." />
}

function Strip({ src, alt }: { src: string; alt: string }) {
  return <img className={styles.strip} src={src} alt={alt} width={720} height={220} loading="lazy" decoding="async" />
}

const HEALERS = [
  { key: 'shaman', name: 'Shaman', seconds: '3.4', where: 'From far away. Stands behind everybody.' },
  { key: 'extreme', name: 'Extreme', seconds: '2.0', where: 'Beside the fallen. Stands in the middle of it.' },
] as const

/** The two classes that can resurrect, and how fast. */
function ResuFigure() {
  return (
    <>
      <Strip
        src="/art/system-resu.svg"
        alt="A shaman raises a staff over somebody who has fallen; an extreme comes running."
      />
      <ul className={styles.cards}>
        {HEALERS.map(({ key, name, seconds, where }) => (
          <li key={key} className={styles.healer}>
            <Emblem name={key} size={56} on />
            <span className={styles.seconds}>
              {seconds} <small>seconds</small>
            </span>
            <span className={styles.cardName}>{name}</span>
            <span className={styles.cardLine}>{where}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

const DUELS = [
  { meet: 'Someone 200 below you', win: 6, lose: 20 },
  { meet: 'Someone equal', win: 13, lose: 13 },
  { meet: 'Someone 200 above you', win: 20, lose: 6 },
] as const

/** The width of a bar. The longest one leaves room for its number. */
const share = (points: number) => ({ width: `calc((100% - 44px) * ${points / 20})` })

/** What a lost or won duel changes, as bars to both sides. */
function MmrFigure() {
  return (
    <dl className={styles.duels}>
      {DUELS.map(({ meet, win, lose }) => (
        <div key={meet} className={styles.duel}>
          <dt>{meet}</dt>
          <dd className={styles.lose}>
            <span className="visually-hidden">if you lose </span>
            <b>−{lose}</b>
            <i style={share(lose)} aria-hidden="true" />
          </dd>
          <dd className={styles.win}>
            <i style={share(win)} aria-hidden="true" />
            <span className="visually-hidden">if you win </span>
            <b>+{win}</b>
          </dd>
        </div>
      ))}
    </dl>
  )
}

const FIGURES: Readonly<Record<keyof typeof SYSTEM_FIGURES, ComponentType>> = {
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
export function SystemFigure({ name }: { name: keyof typeof FIGURES }) {
  const Figure = FIGURES[name]
  return <Figure />
}
