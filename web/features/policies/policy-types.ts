/** A paragraph; a list; or a table. Texts may hold links as `[words](address)`. */
export type PolicyBlock =
  | string
  | { list: readonly string[] }
  | { table: { columns: readonly string[]; rows: readonly (readonly string[])[] } }

export type PolicySection = {
  /** The anchor; once published it stays, since others link to it. */
  id: string
  title: string
  blocks: readonly PolicyBlock[]
}

export type Policy = {
  title: string
  path: string
  /** One sentence for the head of the page and for search results. */
  about: string
  /** What to remember of it, in a few lines. */
  inShort: readonly string[]
  sections: readonly PolicySection[]
}

/** What the texts take from the operator's settings. */
export type PolicyNames = {
  app: string
  operator: string
  /** Where to write to, as a link in a sentence: 'write to …'. */
  contact: string
}

/** The day from which all three texts hold. */
export const IN_FORCE_SINCE = '20 November 2026'

/** The names in the texts, from the site's settings. */
export function policyNames(site: {
  app_name: string
  operator_name: string
  operator_email: string | null
}): PolicyNames {
  const { app_name: app, operator_name: operator, operator_email: email } = site
  return {
    app,
    operator,
    contact: email === null ? '[our support desk](/ticket)' : `[${email}](mailto:${email})`,
  }
}

/** A name at the start of a sentence. */
export function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
