import { z } from 'zod'
import { content, parts, prose } from './files.ts'

/**
 * A policy. `{app}`, `{operator}` (`{Operator}` where a sentence begins) and `{contact}`, a link as in 'write to …', are
 * filled in on the page, from the operator's settings.
 */
const policyText = z
  .strictObject({
    title: z.string(),
    path: z.string(),
    /** One sentence for the head of the page and for search engines. */
    about: z.string(),
    body: parts,
  })
  .transform(({ body: [inShort, ...sections], ...policy }) => {
    const [lines] = prose().parse(inShort?.text)
    return {
      ...policy,
      /** What to remember of it, in a few lines. */
      inShort: typeof lines === 'object' && 'list' in lines ? lines.list : [],
      sections: sections.map(({ id, title, text }) => ({
        /** The anchor. It does not change once published, since others link to it. */
        id,
        title,
        blocks: prose().parse(text),
      })),
    }
  })

/** The three policies in the order in which they name each other. */
export const POLICIES = content.readTexts('policies/*.md', policyText)

/** The day from which all three apply. */
export const IN_FORCE_SINCE = '20 November 2026'
