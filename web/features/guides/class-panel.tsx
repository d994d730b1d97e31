import type { CSSProperties, ReactNode } from 'react'
import { CLASS_TRAITS, type DocumentContent } from '#contract/documents.ts'
import { FoldedText } from '#web/ui/folded.tsx'
import { HtmlText } from '#web/ui/html-text.tsx'
import { Link } from '#web/ui/link.tsx'
import text from '#web/ui/text.module.css'
import styles from './class-guide.module.css'
import type { GuideClass } from './classes.ts'

type ClassText = DocumentContent<'classes'>['classes'][GuideClass]

/** The names of classes in the rankings that differ from their names in the guide (GUIDE-1). */
const RANKING_NAMES: { readonly [Key in GuideClass]?: string } = { swordsman: 'swordsman', gunner: 'gunner' }

type ClassPanelProps = { name: GuideClass; title: string; guide: ClassText; emblem: ReactNode }

/** The guide to one class. */
export function ClassPanel({ name, title, guide, emblem }: ClassPanelProps) {
  const isAnnounced = name === 'conductor'
  return (
    <div className={styles.panel} style={{ '--tint': guide.tint } as CSSProperties}>
      <div className={styles.top}>
        {guide.picture !== null && (
          <img
            className={styles.poster}
            src={guide.picture}
            alt={guide.picture_text}
            width={400}
            height={500}
            loading="lazy"
            decoding="async"
          />
        )}
        <div className={styles.text}>
          <div className={styles.head}>
            {emblem}
            <div>
              <h3 className={styles.name}>{title}</h3>
              <p className={styles.role}>{guide.role}</p>
            </div>
          </div>
          <HtmlText className={styles.blurb} html={guide.text} />
        </div>
        <div className={styles.data}>
          <dl className={styles.facts}>
            <div>
              <dt>Weapon</dt>
              <dd>{guide.weapon}</dd>
            </div>
            <div>
              <dt>Main stats</dt>
              <dd>{[guide.first_stat, guide.second_stat].filter(Boolean).join(', then ')}</dd>
            </div>
            <div>
              <dt>In the rankings</dt>
              <dd>
                {isAnnounced ? (
                  'Once it opens'
                ) : (
                  <Link to={`/rankings?class=${name}`} className={styles.rankingLink}>
                    {name in RANKING_NAMES ? `Listed as ${RANKING_NAMES[name]}` : 'Top 100 of this class'}
                  </Link>
                )}
              </dd>
            </div>
          </dl>
          <Traits guide={guide} />
        </div>
      </div>
      {guide.strengths.length + guide.weaknesses.length > 0 && (
        <div className={styles.sides}>
          <TraitLines title="Strengths" bullet="+" lines={guide.strengths} />
          <TraitLines title="Weaknesses" bullet="−" lines={guide.weaknesses} />
        </div>
      )}
      {guide.skills.length > 0 && <Skills name={name} title={title} guide={guide} />}
      {guide.tip !== '' && (
        <div className={styles.tip} data-surface="paper">
          <h4 className={styles.tipTitle}>{isAnnounced ? 'Until then' : 'A beginner’s build'}</h4>
          <HtmlText html={guide.tip} />
        </div>
      )}
    </div>
  )
}

const SCORES = [1, 2, 3, 4, 5]
const TRAIT_NAMES = Object.keys(CLASS_TRAITS) as (keyof typeof CLASS_TRAITS)[]

/** Six traits as bars of five blocks, which screen readers read as '4 of 5'. */
function Traits({ guide }: { guide: ClassText }) {
  return (
    <dl className={styles.traits}>
      {TRAIT_NAMES.map((trait) => (
        <div key={trait} className={styles.trait}>
          <dt>{CLASS_TRAITS[trait]}</dt>
          <dd>
            <span className={styles.bar} aria-hidden="true">
              {SCORES.map((score) => (
                <i key={score} data-full={score <= guide[trait] || undefined} />
              ))}
            </span>
            <span className="visually-hidden">{guide[trait]} of 5</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function TraitLines({ title, bullet, lines }: { title: string; bullet: string; lines: readonly { line: string }[] }) {
  return (
    <div className={styles.side}>
      <h4 className={text.size24}>{title}</h4>
      <ul>
        {lines.map(({ line }) => (
          <li key={line} className={styles.line}>
            <span aria-hidden="true">{bullet}</span>
            {line}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The number of skills that a phone shows unfolded. */
const UNFOLDED_SKILLS = 4

/** The skills of a class with the suggested keys. The icons of a class share one file. */
function Skills({ name, title, guide: { picture, skills } }: Omit<ClassPanelProps, 'emblem'>) {
  // The icons match only the default skills. Replaced posters are taken as a sign of replaced skills.
  const hasIcons = picture?.startsWith('/art/')
  return (
    <div className={styles.skills}>
      <h4 className={text.size24}>Skills and their keys</h4>
      <FoldedText title={`the skills of ${title}`} isLong={skills.length > UNFOLDED_SKILLS}>
        <ul className={styles.skillList}>
          {skills.map((skill, index) => (
            <li key={skill.name} className={styles.skill}>
              <span className={styles.slot}>
                {hasIcons && (
                  <svg width="48" height="48" aria-hidden="true" focusable="false">
                    <use href={`/art/class-${name}-skills.svg#s${index + 1}`} />
                  </svg>
                )}
              </span>
              <span className={styles.skillHead}>
                <kbd className={skill.key === 'Always' ? styles.passiveSkill : styles.key}>{skill.key}</kbd>
                <span className={text.size20Loose}>{skill.name}</span>
              </span>
              <span className={styles.skillLine}>{skill.line}</span>
            </li>
          ))}
        </ul>
      </FoldedText>
    </div>
  )
}
