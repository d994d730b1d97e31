import type { CSSProperties } from 'react'
import { Link } from '#web/ui/link.tsx'
import { ClassEmblem } from './class-emblem.tsx'
import styles from './class-panel.module.css'
import { ClassSkills } from './class-skills.tsx'
import { ClassTraits } from './class-traits.tsx'
import { posterOf } from './classes/class-guides.ts'
import type { ClassGuide } from './classes/class-types.ts'

/** Everything the guide says about one class. */
export function ClassPanel({ guide }: { guide: ClassGuide }) {
  const announced = guide.key === 'conductor'
  return (
    <div className={styles.panel} style={{ '--tint': guide.tint } as CSSProperties}>
      <div className={styles.top}>
        <img
          className={styles.poster}
          src={posterOf(guide.key)}
          alt={guide.picture}
          width={400}
          height={500}
          loading="lazy"
          decoding="async"
        />
        <div className={styles.words}>
          <div className={styles.head}>
            <ClassEmblem name={guide.key} size={64} on />
            <div>
              <h3 className={styles.name}>{guide.name}</h3>
              <p className={styles.role}>{guide.role}</p>
            </div>
          </div>
          <p className={styles.blurb}>{guide.blurb}</p>
        </div>
        <div className={styles.data}>
          <dl className={styles.facts}>
            <div>
              <dt>Weapon</dt>
              <dd>{guide.weapon}</dd>
            </div>
            <div>
              <dt>Main stats</dt>
              <dd>{guide.stats.join(', then ')}</dd>
            </div>
            <div>
              <dt>In the rankings</dt>
              <dd>
                {announced ? (
                  'Once it opens'
                ) : (
                  <Link to={`/rankings?class=${guide.key}`} className={styles.ranked}>
                    {guide.alsoCalled === undefined ? 'Top 100 of this class' : `Listed as ${guide.alsoCalled}`}
                  </Link>
                )}
              </dd>
            </div>
          </dl>
          <ClassTraits traits={guide.traits} />
        </div>
      </div>
      <div className={styles.sides}>
        <Side title="Strengths" sign="+" lines={guide.strengths} />
        <Side title="Weaknesses" sign="−" lines={guide.weaknesses} />
      </div>
      <ClassSkills guide={guide} />
      <div className={styles.tip} data-surface="paper">
        <h4 className={styles.tipTitle}>{announced ? 'Until then' : 'A beginner’s build'}</h4>
        <p>{guide.tip}</p>
      </div>
    </div>
  )
}

function Side({ title, sign, lines }: { title: string; sign: string; lines: readonly string[] }) {
  return (
    <div className={styles.side}>
      <h4 className={styles.sideTitle}>{title}</h4>
      <ul>
        {lines.map((line) => (
          <li key={line} className={styles.line}>
            <span aria-hidden="true">{sign}</span>
            {line}
          </li>
        ))}
      </ul>
    </div>
  )
}
