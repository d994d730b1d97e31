import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' }
import { NOT_IN_ISO_3166 } from '#contract/account-fields.ts'

/** Whether a code is a country's of ISO 3166-1 alpha-2. */
export function isCountry(code: string): boolean {
  return code !== NOT_IN_ISO_3166 && Object.hasOwn(english.countries, code)
}
