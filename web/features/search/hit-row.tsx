import { R_COIN_SECTION } from '#contract/limits.ts'
import { SHELL } from '#contract/messages.ts'
import type { SearchHit } from '#contract/search.ts'
import { CoinMark, MilleageMark } from '#web/art/marks.tsx'
import { formatMoney } from '#web/ui/money.ts'
import styles from './hit-row.module.css'
import { HitTile } from './hit-tile.tsx'
import { factsOf } from './hit-words.ts'
import { Marked } from './marked.tsx'

/** What a hit shows, inside its link: picture, title, facts and, where there is room, the passage. */
export function HitRow({ hit }: { hit: SearchHit }) {
  return (
    <>
      <HitTile hit={hit} />
      <span className={styles.words}>
        <span className={styles.title}>
          <Marked parts={hit.title} />
        </span>{' '}
        <span className={styles.facts}>
          {hit.item !== null && <Price {...hit.item} />}
          {factsOf(hit).map((fact) => (
            <span key={fact}>{fact} </span>
          ))}
        </span>{' '}
        {hit.excerpt.length > 0 && (
          <span className={styles.excerpt}>
            <Marked parts={hit.excerpt} />
          </span>
        )}
      </span>
    </>
  )
}

function Price({ price, section }: { price: number; section: number }) {
  const isCoin = section === R_COIN_SECTION
  return (
    <span className={styles.price}>
      {isCoin ? <CoinMark size={18} /> : <MilleageMark size={18} />}
      {formatMoney(price)}
      <span className="visually-hidden"> {isCoin ? SHELL.rCoin : SHELL.milleage}</span>
    </span>
  )
}
