import type { ForumPost } from '#contract/forum.ts'
import { findClassByCode, findSchool } from '#contract/game.ts'
import { Crest } from '#web/art/crest.tsx'
import { Emblem } from '#web/art/emblem.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Link } from '#web/ui/link.tsx'
import text from '#web/ui/text.module.css'
import { Count } from '#web/ui/value.tsx'
import styles from './author-card.module.css'

type Author = ForumPost['author']

/** The class emblem of an author, on the color of the author's school. */
export function AuthorMark({ author, size }: { author: Author; size: number }) {
  const school = author.ChaSchool === null ? undefined : findSchool(author.ChaSchool)
  const cls = author.ChaClass === null ? undefined : findClassByCode(author.ChaClass)
  return (
    <span className={styles.mark} data-school={school?.key} style={{ width: size, height: size }} aria-hidden="true">
      {cls === undefined ? <Icon name="person" size={size * 0.6} /> : <Emblem name={cls} size={size * 0.66} isOn />}
      {school !== undefined && (
        <span className={styles.crest}>
          <Crest school={school.code} size={Math.round(size * 0.42)} />
        </span>
      )}
    </span>
  )
}

/** Shows a post's author: main character, class, school and level. */
export function AuthorCard({ author }: { author: Author }) {
  const school = author.ChaSchool === null ? undefined : findSchool(author.ChaSchool)
  const cls = author.ChaClass === null ? undefined : findClassByCode(author.ChaClass)
  const facts = [
    author.ChaLevel !== null && `Level ${author.ChaLevel}`,
    cls !== undefined && cls.charAt(0).toUpperCase() + cls.slice(1),
  ].filter((fact) => fact !== false)
  return (
    <div className={styles.card}>
      <AuthorMark author={author} size={56} />
      <div className={styles.text}>
        <p className={styles.name}>
          {author.ChaNum === null || author.is_staff ? (
            author.name
          ) : (
            <Link to={`/character/${author.ChaNum}`}>{author.name}</Link>
          )}
        </p>
        {author.is_staff && <p className={text.flag}>Staff</p>}
        <p className={styles.facts}>{facts.join(' · ')}</p>
        <p className={styles.facts}>{school?.name}</p>
        <p className={styles.posts}>
          <Count of={author.posts} unit="post" />
        </p>
      </div>
    </div>
  )
}
