interface MarkProps {
  /** Side of the square in px. */
  readonly size: number
}

/** The R-Coin token. Decorative: the word or the amount beside it names the currency. */
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
