import styles from './class-skills.module.css'
import { skillsOf } from './classes/class-guides.ts'
import type { ClassGuide } from './classes/class-types.ts'

/** The skills of a class, on the keys that the quick slot guide advises. */
export function ClassSkills({ guide }: { guide: ClassGuide }) {
  return (
    <div className={styles.skills}>
      <h4 className={styles.title}>Skills and their keys</h4>
      <ul className={styles.list}>
        {guide.skills.map((skill, index) => (
          <li key={skill.name} className={styles.skill}>
            <span className={styles.slot}>
              <svg width="48" height="48" aria-hidden="true" focusable="false">
                <use href={`${skillsOf(guide.key)}#s${index + 1}`} />
              </svg>
            </span>
            <span className={styles.head}>
              <kbd className={skill.key === 'Always' ? styles.always : styles.key}>{skill.key}</kbd>
              <span className={styles.name}>{skill.name}</span>
            </span>
            <span className={styles.line}>{skill.line}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
