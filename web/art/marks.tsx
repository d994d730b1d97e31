interface MarkProps {
  /** Side of the square in px. */
  readonly size: number
}

/** The R-Coin token. It is decorative: the text next to it names the currency. */
export function CoinMark({ size }: MarkProps) {
  return (
    <svg aria-hidden="true" width={size} height={size} focusable="false">
      <use href="#mark-rcoin" />
    </svg>
  )
}

/** The Milleage ticket. It is decorative, like the token. */
export function MilleageMark({ size }: MarkProps) {
  return (
    <svg aria-hidden="true" width={size} height={size} focusable="false">
      <use href="#mark-milleage" />
    </svg>
  )
}

interface LogoMarkProps {
  /** Height in px; the plate is 48×44. */
  readonly size: number
}

/** The waiting shed on its yellow plate, without the name. */
export function LogoMark({ size }: LogoMarkProps) {
  return (
    <svg aria-hidden="true" width={Math.round((size * 48) / 44)} height={size} focusable="false">
      <use href="#logo" />
    </svg>
  )
}
