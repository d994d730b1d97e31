import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form'

/** What is wrong with which field, in words for people. */
export type FormErrors<Values> = Partial<Record<keyof Values & string, string>>

/** Lets react-hook-form run a plain rule function: from values to the text under each wrong field. */
export function resolverOf<Values extends FieldValues>(
  check: (values: Values) => FormErrors<Values>,
): Resolver<Values> {
  return (values) => {
    const found = Object.entries(check(values)) as [string, string | undefined][]
    const errors = Object.fromEntries(
      found.filter(([, message]) => message !== undefined).map(([name, message]) => [name, { type: 'rule', message }]),
    )
    return found.length === 0 ? { values, errors: {} } : { values: {}, errors: errors as FieldErrors<Values> }
  }
}
