import type { Block } from '../prose.ts'

/** What the texts take from the operator's settings. */
export type PolicyNames = {
  app: string
  operator: string
  /** Where to write to, as a link in a sentence: 'write to …'. */
  contact: string
}

export type PolicySection = {
  /** The anchor. It does not change once published, since others link to it. */
  id: string
  title: string
  blocks: readonly Block[]
}

export type Policy = {
  title: string
  path: string
  /** What the search shows of it, and further words that find it. */
  search: { summary: string; words: string }
  write: (names: PolicyNames) => {
    /** One sentence for the head of the page and for search engines. */
    about: string
    /** What to remember of it, in a few lines. */
    inShort: readonly string[]
    sections: readonly PolicySection[]
  }
}

/** A name at the start of a sentence. */
export function capitalise(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
