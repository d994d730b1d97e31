import type { School } from '#contract/theme-shapes.ts'

interface CrestProps {
  readonly school: School
  /** Height in px; the width follows the 64×76 grid. */
  readonly size: number
  /** The school's name. Set it if no text next to the crest names the school. */
  readonly label?: string
}

/** A school's crest. Needs `ArtSprite` on the page. */
export function Crest({ school, size, label }: CrestProps) {
  const width = Math.round((size * 64) / 76)
  const picture = <use href={`#crest-${school}`} />
  if (label === undefined) {
    return (
      <svg aria-hidden="true" width={width} height={size} focusable="false">
        {picture}
      </svg>
    )
  }
  return (
    <svg role="img" aria-label={label} width={width} height={size} focusable="false">
      {picture}
    </svg>
  )
}
