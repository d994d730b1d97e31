import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' }

/** Whether a code is a country's of ISO 3166-1 alpha-2. */
export function isCountry(code: string): boolean {
  return Object.hasOwn(english.countries, code)
}
