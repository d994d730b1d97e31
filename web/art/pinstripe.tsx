import styles from './pinstripe.module.css'

/**
 * The jeepney's side stripe, 12 px high, at full width. Nested `<svg>`s place each joint at a percentage of the width,
 * while its slope of 28 px (20 px in the lowest band) stays undistorted.
 *
 * @param isSlim whether a phone shows only the widest band, 5 px high
 */
export function Pinstripe({ isSlim = false }: { isSlim?: boolean }) {
  return (
    <div className={isSlim ? `${styles.stripe} ${styles.slim}` : styles.stripe}>
      <svg aria-hidden="true" width="100%" height="12" focusable="false">
        <rect width="100%" height="2" fill="var(--paper,#f5f1e6)" />
        <rect y="4" width="100%" height="4" fill="var(--board,var(--gate-a,#2b50e8))" />
        <Band from="42%" y={4} height={4} slant={28} fill="var(--signal,#ffd21f)" />
        <Band from="63%" y={4} height={4} slant={28} fill="var(--peak-a,#0a7f60)" />
        <rect y="9" width="29.1%" height="3" fill="var(--paper,#f5f1e6)" />
        <Band from="29%" y={9} height={3} slant={20} fill="var(--phoenix-a,#c92c0e)" />
        <Band from="74%" y={9} height={3} slant={20} fill="var(--signal,#ffd21f)" />
      </svg>
    </div>
  )
}

interface BandProps {
  readonly from: string
  readonly y: number
  readonly height: number
  readonly slant: number
  readonly fill: string
}

/**
 * A band from `from` to the right edge with a slanted left end. It overlaps the previous band, which prevents a visible
 * gap.
 */
function Band({ from, y, height, slant, fill }: BandProps) {
  return (
    <svg aria-hidden="true" x={from} y={y} height={height} width="100%" focusable="false">
      <path d={`M${slant} 0H9999V${height}H0Z`} fill={fill} />
    </svg>
  )
}
