/** The fields of the forum's forms. Browsers fetch this file on demand, so it is written with zod/mini. */
import * as z from 'zod/mini'
import {
  FORUM,
  FORUM_BODY_MAX,
  FORUM_OPTION_MAX,
  FORUM_OPTIONS_MAX,
  FORUM_REPORT_WORDS_MAX,
  FORUM_TITLE_MAX,
  FORUM_TITLE_MIN,
  REPORT_REASONS,
  type ReportReason,
} from './forum-messages.ts'

const reasons = Object.keys(REPORT_REASONS) as [ReportReason, ...ReportReason[]]

/** Something to see: a sign that is neither a space nor invisible. */
export const VISIBLE = /[^\p{Z}\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u
/** One line, without signs that turn the direction of what follows. */
const LINE = /^[^\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]*$/u

export const titleField = z
  .string(FORUM.titleRequired)
  .check(
    z.trim(),
    z.minLength(1, FORUM.titleRequired),
    z.minLength(FORUM_TITLE_MIN, FORUM.titleTooShort),
    z.maxLength(FORUM_TITLE_MAX, FORUM.titleTooLong),
    z.regex(LINE, FORUM.titleControl),
    z.regex(VISIBLE, FORUM.titleRequired),
  )

/** Markdown. Line breaks become \n; other control characters, and those of direction, are refused. */
export const bodyField = z.pipe(
  z.pipe(
    z.string(FORUM.bodyRequired),
    z.transform((text: string) => text.replace(/\r\n?/g, '\n').trim()),
  ),
  z
    .string()
    .check(
      z.minLength(1, FORUM.bodyRequired),
      z.maxLength(FORUM_BODY_MAX, FORUM.bodyTooLong),
      z.regex(/^[\P{Cc}\n\t]*$/u, FORUM.bodyControl),
      z.regex(/^[^\p{Cs}\p{Bidi_Control}]*$/u, FORUM.bodyControl),
      z.regex(VISIBLE, FORUM.bodyRequired),
    ),
)

const line = (most: number, rule: string) =>
  z.string(rule).check(z.trim(), z.maxLength(most, rule), z.regex(LINE, rule), z.regex(VISIBLE, rule))

const pollField = z
  .object({
    question: line(FORUM_TITLE_MAX, FORUM.questionRequired),
    options: z
      .array(line(FORUM_OPTION_MAX, FORUM.optionWrong))
      .check(z.minLength(2, FORUM.optionsFew), z.maxLength(FORUM_OPTIONS_MAX, FORUM.optionsMany)),
    choices_max: z.int(FORUM.choicesWrong).check(z.minimum(1, FORUM.choicesWrong)),
    /** In days; null for a poll that does not end. */
    days: z.nullable(z.int(FORUM.daysWrong).check(z.minimum(1, FORUM.daysWrong), z.maximum(90, FORUM.daysWrong))),
  })
  .check(
    z.refine(({ options, choices_max }) => choices_max <= options.length, FORUM.choicesWrong),
    z.refine(
      ({ options }) => new Set(options.map((words) => words.toLowerCase())).size === options.length,
      FORUM.optionsSame,
    ),
  )

/** How long the writer typed, in milliseconds. */
const typingField = z._default(z.int().check(z.minimum(0), z.maximum(86_400_000)), 0)

export const topicForm = z.object({
  title: titleField,
  body: bodyField,
  poll: z.optional(z.nullable(pollField)),
  typing_ms: typingField,
})

export const replyForm = z.object({ body: bodyField, typing_ms: typingField })

/** `title` is read only for a post that opens its topic. */
export const editForm = z.object({ body: bodyField, title: z.optional(titleField) })

export const reportForm = z.object({
  reason: z.enum(reasons, FORUM.reasonRequired),
  words: z._default(z.string().check(z.trim(), z.maxLength(FORUM_REPORT_WORDS_MAX, FORUM.reportTooLong)), ''),
})
