import { CLUBS } from '#contract/messages.ts'
import { CoinMark, MilleageMark } from '#web/art/marks.tsx'
import styles from './figures.module.css'

const LEVELS = [
  { level: 20, hours: 3, place: 'yard, hallway, library basement' },
  { level: 40, hours: 20, place: 'flooded quad' },
  { level: 60, hours: 55, place: 'boiler room' },
  { level: 80, hours: 110, place: 'rooftop at night' },
] as const

const MOST_HOURS = 110

/** How long a level takes, and where. */
export function LevelsFigure() {
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

/** Ten refinements as a stair that gets lower; the table below says the same in numbers. */
export function RefiningFigure() {
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
export function ChannelsFigure() {
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

/** The three areas as the club table draws them. */
export function AreasFigure() {
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

/** Gold falls, R-Coin is redeemed, Milleage is earned. */
export function PursesFigure() {
  return (
    <ul className={styles.cards}>
      <li className={styles.purse}>
        <svg width="56" height="56" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
          <path d="M4 8c0-2.2 3.6-4 8-4s8 1.8 8 4v8c0 2.2-3.6 4-8 4s-8-1.8-8-4z" fill="#C99A1A" />
          <path d="M12 4c4.4 0 8 1.8 8 4s-3.6 4-8 4-8-1.8-8-4 3.6-4 8-4z" fill="#FFE08A" />
          <path d="M4 11.5c0 2.2 3.6 4 8 4s8-1.8 8-4M4 15c0 2.2 3.6 4 8 4s8-1.8 8-4" fill="none" stroke="#6B4E0C" />
        </svg>
        <span className={styles.cardName}>Gold</span>
        <span className={styles.cardLine}>Falls from monsters, spent in the game</span>
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

/** A parcel's way from the shop into a pair of hands. */
export function ParcelFigure() {
  return (
    <ol className={styles.parcel}>
      {STOPS.map((stop) => (
        <li key={stop}>{stop}</li>
      ))}
    </ol>
  )
}

const DAYS = Array.from({ length: 30 }, (_, day) => day + 1)

/** Thirty days as ticks, the tall one first: a drawing only. */
export function MonthFigure() {
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
