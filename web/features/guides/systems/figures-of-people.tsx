import { SCHOOLS } from '#contract/game.ts'
import { Crest } from '#web/art/crest.tsx'
import { Emblem } from '#web/art/emblem.tsx'
import styles from './figures.module.css'

const SCHOOL_LINES = [
  'Arches, blue tiles, morning bells. Short way to the Covered Court.',
  'Terraces, mist until nine, a deep library. Short way to the Sky Bridge.',
  'Burned twice, painted red twice. The Old Market is at its back door.',
]

/** The three schools side by side. */
export function SchoolsFigure() {
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

/** Two fighters before the lamps: a drawing only. */
export function FightFigure() {
  return <Strip src="/art/system-fight.svg" alt="An assassin and a brawler face each other under the lamps." />
}

function Strip({ src, alt }: { src: string; alt: string }) {
  return <img className={styles.strip} src={src} alt={alt} width={720} height={220} loading="lazy" decoding="async" />
}

const HEALERS = [
  { key: 'shaman', name: 'Shaman', seconds: '3.4', where: 'From far away. Stands behind everybody.' },
  { key: 'extreme', name: 'Extreme', seconds: '2.0', where: 'Beside the fallen. Stands in the middle of it.' },
] as const

/** The two classes that bring people back, and how fast. */
export function ResuFigure() {
  return (
    <>
      <Strip
        src="/art/system-resu.svg"
        alt="A shaman raises a staff over somebody who has fallen; an extreme comes running."
      />
      <ul className={styles.cards} data-two>
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

/** The longest bar leaves room for its number. */
const share = (points: number) => ({ width: `calc((100% - 44px) * ${points / 20})` })

/** What a duel moves, as bars to both sides of nothing. */
export function MmrFigure() {
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
