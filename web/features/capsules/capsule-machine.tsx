import type { getCapsule, Rarity } from '#contract/capsules.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { ItemPicture } from '#web/features/shop/item-parts.tsx'
import { useThemePicture } from '#web/shell/shell-data.ts'
import styles from './capsule-machine.module.css'

export type Capsule = CallOutput<typeof getCapsule>['data']

/** The number of different drawings of machines. */
const MACHINES = 3

/** A capsule's machine with its rarest item in the window. An uploaded picture replaces the machine. */
export function CapsuleMachine({ capsule }: { capsule: Capsule }) {
  const themePicture = useThemePicture('capsule')
  const picture = capsule.picture ?? themePicture
  // The prizes are sorted, rarest first.
  const [rarestPrize] = capsule.prizes
  if (picture !== undefined && picture !== null)
    return <img className={styles.uploadedPicture} src={picture} alt="" width="220" height="192" />
  return (
    <span className={styles.machine}>
      <img src={`/art/capsule-machine-${((capsule.capsule - 1) % MACHINES) + 1}.svg`} alt="" width="220" height="320" />
      {rarestPrize !== undefined && (
        <span className={styles.window}>
          <ItemPicture item={rarestPrize} />
        </span>
      )}
    </span>
  )
}

/** The label of a rarity in its color. */
export function RarityMark({ rarity }: { rarity: Rarity }) {
  return (
    <span className={styles.rarity} data-rarity={rarity}>
      {rarity}
    </span>
  )
}

type CapsuleDropProps = { rarity: Rarity; onSkip: () => void }

/** The animation of a capsule that drops and cracks open. A click skips it. */
export function CapsuleDrop({ rarity, onSkip }: CapsuleDropProps) {
  return (
    <button type="button" className={styles.drop} data-rarity={rarity} onClick={onSkip}>
      <svg viewBox="-60 -60 120 120" width="180" height="180" aria-hidden="true">
        <circle className={styles.burst} r="46" />
        <g className={styles.ball}>
          <g className={styles.upper}>
            <path d="M-42 0a42 42 0 0 1 84 0z" />
            <path className={styles.shine} d="M-24-16a28 28 0 0 1 16-13" />
          </g>
          <path className={styles.lower} d="M-42 0a42 42 0 0 0 84 0z" />
        </g>
      </svg>
      <span className="visually-hidden">Skip</span>
    </button>
  )
}
