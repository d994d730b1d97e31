import styles from './skeleton.module.css'

type SkeletonProps = { width: number | string; height: number | string }

/** A block of the size of what is still loading. */
export function Skeleton({ width, height }: SkeletonProps) {
  return <span className={styles.block} style={{ width, height }} aria-hidden="true" />
}
