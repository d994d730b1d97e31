import { CLASS_NAMES, classOfCode, schoolOfCode } from '#contract/game.ts'
import type { SearchHit } from '#contract/search.ts'
import { Crest } from '#web/art/crest.tsx'
import { Emblem } from '#web/art/emblem.tsx'
import { Icon } from '#web/ui/icon.tsx'
import styles from './hit-tile.module.css'
import { dayOf } from './hit-words.ts'

const GUIDE_TYPE = 1

type HitTileProps = { hit: Pick<SearchHit, 'item' | 'character' | 'news' | 'path'> }

/** The small picture before a hit: an item's icon, a class (of a character on its school's field), a day, or a book. */
export function HitTile({ hit: { item, character, news, path } }: HitTileProps) {
  if (item !== null) {
    const picture = item.icon === null ? item.image_url : `/art/${item.icon}`
    return (
      <span className={styles.tile} aria-hidden="true">
        {picture === null ? (
          <Icon name="store" size={24} />
        ) : (
          <img className={styles.picture} src={picture} alt="" width="96" height="48" loading="lazy" />
        )}
      </span>
    )
  }
  if (character !== null) {
    const cls = classOfCode(character.ChaClass)
    const school = schoolOfCode(character.ChaSchool)
    return (
      <span className={styles.field} data-school={school?.key} aria-hidden="true">
        {cls === undefined ? <Icon name="person" size={24} /> : <Emblem name={cls} size={30} on />}
        {school !== undefined && <Crest school={school.code} size={20} />}
      </span>
    )
  }
  const date = news === null || news.type === GUIDE_TYPE ? null : dayOf(news.created_at)
  if (date === null) {
    const guided = CLASS_NAMES.find((name) => path === `/characters?class=${name}`)
    return (
      <span className={styles.tile} aria-hidden="true">
        {guided === undefined ? <Icon name="book" size={24} /> : <Emblem name={guided} size={30} on />}
      </span>
    )
  }
  return (
    <span className={styles.day} aria-hidden="true">
      <b>{date.day}</b>
      {date.month}
    </span>
  )
}
