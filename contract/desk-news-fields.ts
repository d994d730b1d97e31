/** The form of a draft. Browsers fetch this file on demand, so it is written with zod/mini. */
import * as z from 'zod/mini'
import { NEWS_AUTHOR_MAX, NEWS_CONTENT_MAX, NEWS_SUBJECT_MAX } from './limits.ts'

const line = (max: number) =>
  z
    .string('Use one line of text.')
    .check(
      z.trim(),
      z.maxLength(max, `Use at most ${max} characters.`),
      z.regex(/^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u, 'Use one line of text.'),
    )

/** What is written of an item; a draft may be unfinished. */
export const newsTextForm = z.object({
  subject: line(NEWS_SUBJECT_MAX),
  type: z.literal([0, 1, 2], 'Choose news, guide or event.'),
  author: line(NEWS_AUTHOR_MAX),
  content: z
    .string('Write a text.')
    .check(
      z.maxLength(NEWS_CONTENT_MAX, 'This text is too long. Write a second part.'),
      z.regex(/^\P{Cs}*$/u, 'This text has broken characters.'),
    ),
  picture: z.nullable(
    z
      .string('Choose a picture.')
      .check(
        z.maxLength(300, 'Choose a picture from this site.'),
        z.regex(/^\/([^/\\\p{Cc}][^\p{Cc}]*)?$/u, 'Choose a picture from this site.'),
      ),
  ),
  show_picture: z.boolean('Say whether the picture is shown.'),
})

export type NewsText = z.output<typeof newsTextForm>

export const draftForm = z.object({
  id: z.number('Load the page again.').check(z.int(), z.positive()),
  version: z.number('Load the page again.').check(z.int()),
  ...newsTextForm.shape,
  /** Keep the writer's text although somebody else has written; theirs becomes a revision. */
  replace: z._default(z.boolean(), false),
})
