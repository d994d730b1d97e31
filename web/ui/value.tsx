import { formatCount, formatPlural } from '#contract/numbers.ts'

type ValueProps = {
  children: string | number
  /** The date or time in ISO 8601; it makes the element a `time`. */
  dateTime?: string | undefined
  title?: string | undefined
  className?: string | undefined
}

/**
 * Renders an amount, a number or a time as an element with a single text child (DOC-8). When a browser translates a page, it
 * replaces text nodes that React later tries to update. If an element has a single text, React sets the whole text of
 * the element instead. `translate="no"` also prevents the translation.
 */
export function Value({ children, dateTime, title, className }: ValueProps) {
  const attributes = { translate: 'no', title, className } as const
  return dateTime === undefined ? (
    <span {...attributes}>{children}</span>
  ) : (
    <time {...attributes} dateTime={dateTime}>
      {children}
    </time>
  )
}

type CountProps = { of: number; unit: string; units?: string; className?: string | undefined }

/** A number with its noun, such as '3 items'. They are separate elements, so browsers can translate the noun. */
export function Count({ of: count, unit, units, className }: CountProps) {
  const number = formatCount(count)
  return (
    <span className={className}>
      <Value>{number}</Value> <span>{formatPlural(count, unit, units).slice(number.length + 1)}</span>
    </span>
  )
}
