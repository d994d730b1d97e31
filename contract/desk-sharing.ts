import { z } from 'zod'
import { declareDeskCalls } from './desk.ts'
import { POSTED_KINDS } from './sharing.ts'

const desk = declareDeskCalls('sharing', { read: 'staff' })

export const preparePost = desk.write('/admin/posts', {
  title: 'Prepare post',
  summary:
    'Prepare a post for social media about a published page: its text, its pictures, and a short link that counts visits',
  input: {
    body: z.object({
      kind: z.enum(POSTED_KINDS, 'Choose news, event, month or league.'),
      page: z
        .string('Choose a page.')
        .regex(/^(\d{1,9}|20\d\d-(0[1-9]|1[0-2]))$/, 'Choose a page.')
        .meta({ description: 'The number of the news item, event or league, or a month such as 2026-10' }),
    }),
  },
  output: z.object({
    text: z.string(),
    link: z.string(),
    pictures: z
      .object({ wide: z.string(), square: z.string() })
      .meta({ description: 'The addresses of the picture in 1200×630 and in 1080×1080' }),
  }),
  errors: {
    pageNotFound: { status: 404, message: 'Publish it first: players can’t see this page.' },
    notFinal: { status: 409, message: 'Make the league final first.' },
  },
})
