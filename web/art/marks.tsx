interface MarkProps {
  /** Side of the square in px. */
  readonly size: number
}

/** The R-Coin token. Decorative: the text next to it names the currency. */
export function CoinMark({ size }: MarkProps) {
  return (
    <svg aria-hidden="true" width={size} height={size} focusable="false">
      <use href="#mark-rcoin" />
    </svg>
  )
}

/** The Milleage ticket. Decorative, as the token is. */
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

/** The waiting shed on its yellow plate. The name next to it is text. */
export function LogoMark({ size }: LogoMarkProps) {
  return (
    <svg aria-hidden="true" width={Math.round((size * 48) / 44)} height={size} focusable="false">
      <use href="#logo" />
    </svg>
  )
}
