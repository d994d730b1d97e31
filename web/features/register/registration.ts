import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' }
import { NOT_IN_ISO_3166 } from '#contract/limits.ts'
import type { Draft } from '#web/forms/draft.ts'

/** The part of a registration that the tab saves, without the passwords and the secret answer. */
export const REGISTER_DRAFT: Draft = {
  name: 'REGISTER',
  fields: ['userId', 'userEmail', 'userFirstName', 'userLastName', 'gender', 'secretQuestion', 'country', 'agreeTerms'],
  owner: 0,
}

/** Returns the alert of a refused registration, with '*' before each line (REG-7). */
export function formatErrorAlert(errors: Record<string, string[]>): string {
  return Object.values(errors)
    .flat()
    .map((line) => `*${line}`)
    .join('\n')
}

type Country = { code: string; name: string }

/** The country listed first, in which most players live. */
const FIRST_COUNTRY = 'PH'

/** Returns a name for sorting, without accents and capitals. The browser's collation is slow to load. */
const toSortKey = (name: string) => name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Returns every country of ISO 3166-1 by its English name: the Philippines first, then the others from A to Z. */
export function listCountries(): Country[] {
  return Object.entries(english.countries as Record<string, string | string[]>)
    .filter(([code]) => code !== NOT_IN_ISO_3166)
    .map(([code, names]) => ({ code, name: (Array.isArray(names) ? names[0] : names) ?? code }))
    .map((country) => ({ country, key: country.code === FIRST_COUNTRY ? '' : toSortKey(country.name) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ country }) => country)
}
