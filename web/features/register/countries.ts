import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' }

type Country = { code: string; name: string }

/** The country most players live in stands first. */
const FIRST = 'PH'

/** Every country of ISO 3166-1 by its English name: the Philippines, then the others from A to Z. */
export function listCountries(): Country[] {
  const all = Object.entries(english.countries as Record<string, string | string[]>).map(([code, names]) => ({
    code,
    name: (Array.isArray(names) ? names[0] : names) ?? code,
  }))
  const byName = new Intl.Collator('en')
  return all.sort((a, b) => Number(b.code === FIRST) - Number(a.code === FIRST) || byName.compare(a.name, b.name))
}
