import styles from './class-traits.module.css'
import { TRAITS, type Trait, type TraitScore } from './classes/class-types.ts'

const BLOCKS: readonly TraitScore[] = [1, 2, 3, 4, 5]

/** Six traits as bars of five blocks; a screen reader hears '4 of 5'. */
export function ClassTraits({ traits }: { traits: Record<Trait, TraitScore> }) {
  return (
    <dl className={styles.traits}>
      {TRAITS.map((trait) => (
        <div key={trait} className={styles.trait}>
          <dt>{trait}</dt>
          <dd>
            <span className={styles.bar} aria-hidden="true">
              {BLOCKS.map((block) => (
                <i key={block} data-full={block <= traits[trait] || undefined} />
              ))}
            </span>
            <span className="visually-hidden">{traits[trait]} of 5</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}
