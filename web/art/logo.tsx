interface LogoMarkProps {
  /** Height in px; the plate is 48×44. */
  readonly size: number
}

/** The waiting shed on its yellow plate. The word Tambayan stands beside it as text. */
export function LogoMark({ size }: LogoMarkProps) {
  return (
    <svg aria-hidden="true" width={Math.round((size * 48) / 44)} height={size} focusable="false">
      <use href="#logo" />
    </svg>
  )
}
