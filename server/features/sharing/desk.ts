import * as calls from '#contract/desk-sharing.ts'
import { getSharePicturePath } from '#contract/sharing.ts'
import { refuse } from '#server/errors.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { findLeague } from '../wars/leagues.ts'
import { readCard } from './cards.ts'
import { ensureShortLink } from './short-links.ts'

/** The desk's call that prepares a post about a page. */
export const sharingDeskCalls: MountedCall[] = [
  mount(calls.preparePost, async ({ kind, page }, { deps, record }) => {
    const card = await readCard(deps, kind, page)
    if (card === null) throw refuse(calls.preparePost, 'pageNotFound')
    if (kind === 'league' && (await findLeague(deps.db, Number(page)))?.state !== 'finalised')
      throw refuse(calls.preparePost, 'notFinal')
    const mark = await ensureShortLink(deps.db, { kind, page, title: card.title }, deps.now())
    const link = `${deps.publicUrl}/s/${mark}`
    const picture = getSharePicturePath(kind, page)
    record({ target: [kind === 'month' ? 'period' : kind, page], after: { link: `/s/${mark}` } })
    return {
      text: [card.title, ...card.lines, '', link].join('\n'),
      link,
      pictures: { wide: picture, square: `${picture}?shape=square` },
    }
  }),
]
