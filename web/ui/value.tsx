import { formatCount, formatPlural } from '#contract/numbers.ts'

type ValueProps = {
  children: string | number
  /** For a date or time, in ISO 8601: the element is then a `time`. */
  dateTime?: string | undefined
  title?: string | undefined
  className?: string | undefined
}

/**
 * An amount, a number or a time. Browsers that translate a page replace its text nodes, and React then updates nodes that
 * are no longer in the page. React replaces the only text of an element, so a value is an element with one text child;
 * `translate="no"` also prevents its translation.
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

/** A number with its noun, such as '3 items'. Number and noun are elements of their own, and the noun can be translated. */
export function Count({ of: count, unit, units, className }: CountProps) {
  const number = formatCount(count)
  return (
    <span className={className}>
      <Value>{number}</Value> <span>{formatPlural(count, unit, units).slice(number.length + 1)}</span>
    </span>
  )
}
