import type { CSSProperties, ReactNode } from 'react'
import { type ClassGuide, TRAITS } from '#content/classes.ts'
import { Link } from '#web/ui/link.tsx'
import styles from './class-guide.module.css'

/** Everything the guide says about one class. */
export function ClassPanel({ guide, emblem }: { guide: ClassGuide; emblem: ReactNode }) {
  const announced = guide.key === 'conductor'
  return (
    <div className={styles.panel} style={{ '--tint': guide.tint } as CSSProperties}>
      <div className={styles.top}>
        <img
          className={styles.poster}
          src={`/art/class-${guide.key}.svg`}
          alt={guide.picture}
          width={400}
          height={500}
          loading="lazy"
          decoding="async"
        />
        <div className={styles.words}>
          <div className={styles.head}>
            {emblem}
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
          <Traits traits={guide.traits} />
        </div>
      </div>
      <div className={styles.sides}>
        <Side title="Strengths" sign="+" lines={guide.strengths} />
        <Side title="Weaknesses" sign="−" lines={guide.weaknesses} />
      </div>
      <Skills guide={guide} />
      <div className={styles.tip} data-surface="paper">
        <h4 className={styles.tipTitle}>{announced ? 'Until then' : 'A beginner’s build'}</h4>
        <p>{guide.tip}</p>
      </div>
    </div>
  )
}

const SCORES = [1, 2, 3, 4, 5]

/** Six traits as bars of five blocks; a screen reader hears '4 of 5'. */
function Traits({ traits }: Pick<ClassGuide, 'traits'>) {
  return (
    <dl className={styles.traits}>
      {TRAITS.map((trait) => (
        <div key={trait} className={styles.trait}>
          <dt>{trait}</dt>
          <dd>
            <span className={styles.bar} aria-hidden="true">
              {SCORES.map((score) => (
                <i key={score} data-full={score <= traits[trait] || undefined} />
              ))}
            </span>
            <span className="visually-hidden">{traits[trait]} of 5</span>
          </dd>
        </div>
      ))}
    </dl>
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

/** The skills of a class with the keys that the guide suggests. The icons of a class share one file. */
function Skills({ guide }: { guide: ClassGuide }) {
  return (
    <div className={styles.skills}>
      <h4 className={styles.sideTitle}>Skills and their keys</h4>
      <ul className={styles.skillList}>
        {guide.skills.map((skill, index) => (
          <li key={skill.name} className={styles.skill}>
            <span className={styles.slot}>
              <svg width="48" height="48" aria-hidden="true" focusable="false">
                <use href={`/art/class-${guide.key}-skills.svg#s${index + 1}`} />
              </svg>
            </span>
            <span className={styles.skillHead}>
              <kbd className={skill.key === 'Always' ? styles.always : styles.key}>{skill.key}</kbd>
              <span className={styles.skillName}>{skill.name}</span>
            </span>
            <span className={styles.skillLine}>{skill.line}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
