import type { ComponentProps } from 'react'
import { CLASS_NAMES, findClassByCode, findSchool } from '#contract/game.ts'
import { R_COIN_SECTION } from '#contract/limits.ts'
import { formatMoney } from '#contract/numbers.ts'
import type { SearchHit, TextPart } from '#contract/search.ts'
import { Crest } from '#web/art/crest.tsx'
import { Emblem } from '#web/art/emblem.tsx'
import { CoinMark, MilleageMark } from '#web/art/marks.tsx'
import { useCurrencyNames } from '#web/ui/currency-names.ts'
import { Icon } from '#web/ui/icon.tsx'
import { Link } from '#web/ui/link.tsx'
import { Value } from '#web/ui/value.tsx'
import { formatDayParts, listHitFacts } from './hit-text.ts'
import styles from './hits.module.css'

type HitLinkProps = Omit<ComponentProps<'a'>, 'href' | 'children'> & { hit: SearchHit }

/** A link to a hit, with the hit's picture, title and facts, and an excerpt if there is room. */
export function HitLink({ hit, ...rest }: HitLinkProps) {
  return (
    <Link {...rest} to={hit.path}>
      <HitContent hit={hit} />
    </Link>
  )
}

function HitContent({ hit }: { hit: SearchHit }) {
  return (
    <>
      <HitTile hit={hit} />
      <span className={styles.text}>
        <span className={styles.title}>
          <HighlightedText parts={hit.title} />
        </span>{' '}
        <span className={styles.facts}>
          {hit.item !== null && <Price {...hit.item} />}
          {listHitFacts(hit).map((fact) => (
            <span key={fact}>{fact} </span>
          ))}
        </span>{' '}
        {hit.excerpt.length > 0 && (
          <span className={styles.excerpt} data-excerpt>
            <HighlightedText parts={hit.excerpt} />
          </span>
        )}
      </span>
    </>
  )
}

/** Shows a text with the query's words highlighted. */
function HighlightedText({ parts }: { parts: readonly TextPart[] }) {
  return parts.map(({ text, hit }, index) => {
    const key = `${index}-${text}`
    return hit ? <mark key={key}>{text}</mark> : <span key={key}>{text}</span>
  })
}

function Price({ price, section }: { price: number; section: number }) {
  const isCoin = section === R_COIN_SECTION
  const names = useCurrencyNames()
  return (
    <span className={styles.price}>
      {isCoin ? <CoinMark size={18} /> : <MilleageMark size={18} />}
      <Value>{formatMoney(price)}</Value>
      <span className="visually-hidden"> {isCoin ? names.rCoin : names.milleage}</span>
    </span>
  )
}

const GUIDE_TYPE = 1

/** The small picture before a hit: an item's icon, a class emblem, a letter, a day or a book. */
function HitTile({ hit: { item, character, news, post, path } }: { hit: SearchHit }) {
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
    const cls = findClassByCode(character.ChaClass)
    const school = findSchool(character.ChaSchool)
    return (
      <span className={styles.field} data-school={school?.key} aria-hidden="true">
        {cls === undefined ? <Icon name="person" size={24} /> : <Emblem name={cls} size={30} isOn />}
        {school !== undefined && <Crest school={school.code} size={20} />}
      </span>
    )
  }
  if (post !== null)
    return (
      <span className={styles.tile} aria-hidden="true">
        <Icon name="letter" size={24} />
      </span>
    )
  const date = news === null || news.type === GUIDE_TYPE ? null : formatDayParts(news.created_at)
  if (date === null) {
    const guideClass = CLASS_NAMES.find((name) => path === `/characters?class=${name}`)
    return (
      <span className={styles.tile} aria-hidden="true">
        {guideClass === undefined ? <Icon name="book" size={24} /> : <Emblem name={guideClass} size={30} isOn />}
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
