import { Link } from '#web/ui/link.tsx'
import { HitLink } from './hit-link.tsx'
import type { SearchAnswer } from './queries.ts'
import { countText } from './results-words.ts'
import styles from './search-dialog.module.css'
import { KIND_NAMES, searchPath } from './search-view.ts'

type BoxHitsProps = {
  id: string
  answer: SearchAnswer
  words: string
  /** The place of the chosen option, counted through all groups. */
  chosen: number
  /** Whether these are still the results of the words before. */
  isOld: boolean
  onChoose: (place: number) => void
  onLeave: () => void
}

/** The results as one list box in groups; the last option leads to the page with all of them. */
export function BoxHits({
  id,
  answer: { data, total, counts },
  words,
  chosen,
  isOld,
  onChoose,
  onLeave,
}: BoxHitsProps) {
  const kinds = [...new Set(data.map(({ kind }) => kind))]
  const optionProps = (place: number) => ({
    id: `${id}-${place}`,
    role: 'option',
    tabIndex: -1,
    'aria-selected': place === chosen,
    onMouseMove: () => onChoose(place),
    onClick: onLeave,
  })
  return (
    <div id={id} role="listbox" aria-label="Results" data-old={isOld || undefined} className={styles.list}>
      {kinds.map((kind) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options is no field set
        <div className={styles.group} key={kind} role="group" aria-label={KIND_NAMES[kind]}>
          <div className={styles.heading} aria-hidden="true">
            {KIND_NAMES[kind]} <span>{countText(counts[kind])}</span>
          </div>
          {data.map(
            (hit, place) =>
              hit.kind === kind && (
                <HitLink
                  className={styles.hit}
                  key={`${hit.path} ${hit.title.map(({ text }) => text).join('')}`}
                  hit={hit}
                  {...optionProps(place)}
                />
              ),
          )}
        </div>
      ))}
      <Link className={styles.all} to={searchPath(words)} {...optionProps(data.length)}>
        All results for “{words}” <b>{countText(total)}</b>
      </Link>
    </div>
  )
}
