import * as calls from '#contract/forum.ts'
import { FORUM_PICTURE_PX, FORUM_SMALL_PICTURE_PX, FORUM_TEXTS } from '#contract/forum.ts'
import { SCREENSHOT_MAX_BYTES } from '#contract/limits.ts'
import { refuse } from '#server/errors.ts'
import { encodePicture } from '#server/features/files/pictures.ts'
import { storePictures } from '#server/features/files/store.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { ANY_BOARD, requireWriter, selectWriter } from './gate.ts'
import {
  listBoards,
  listUnreadBoards,
  readActivity,
  readBoard,
  readBookmarks,
  readHistory,
  readMyBoard,
  readMyTopic,
  readSource,
  readTopic,
} from './read.ts'
import {
  bookmarkTopic,
  likePost,
  markBoardRead,
  reportPost,
  visitTopic,
  votePoll,
  watchTopic,
} from './reader-actions.ts'
import { deletePost, editPost, renderText, writePost, writeTopic } from './write.ts'

/** The sizes of stored pictures: the full size, and the small copy for the grid of a gallery. */
const PICTURE_SIZES = [FORUM_PICTURE_PX, FORUM_SMALL_PICTURE_PX].map((side) => ({
  width: side,
  height: side,
  type: 'image/webp' as const,
}))

/** The calls of the forum that readers and players make. */
export const forumCalls: MountedCall[] = [
  mount(calls.getForum, async (_, { deps }) => ({ boards: await listBoards(deps) })),
  mount(calls.getActivity, (_, { deps }) => readActivity(deps)),
  mount(calls.getBoard, ({ category, page = 1, before }, { deps }) => readBoard(deps, { category, page, before })),
  mount(calls.getTopic, ({ topic, page = 1 }, { deps }) => readTopic(deps, { topic, page })),
  mount(calls.getPostHistory, async ({ post }, { deps }) => ({ revisions: await readHistory(deps, post) })),

  mount(calls.getMyBoards, async (_, { deps, session }) => ({ unread: await listUnreadBoards(deps, session.userNum) })),
  mount(calls.getMyBoard, ({ category, topics }, { deps, session: { userNum } }) =>
    readMyBoard(deps, { category, topics: topics === '' ? [] : topics.split(',').map(Number), userNum }),
  ),
  mount(calls.getMyTopic, ({ topic, page = 1 }, { deps, session: { userNum } }) =>
    readMyTopic(deps, { topic, page, userNum }),
  ),

  mount(calls.getBookmarks, async (_, { deps, session: { userNum } }) => ({
    topics: await readBookmarks(deps, userNum),
  })),

  mount(calls.writeTopic, (topic, { deps, session: { userNum } }) => writeTopic(deps, topic, userNum)),
  mount(calls.writePost, (post, { deps, session: { userNum } }) => writePost(deps, post, userNum)),
  mount(calls.getPostSource, ({ post }, { deps, session: { userNum } }) => readSource(deps, { post, userNum })),
  mount(calls.editPost, (post, { deps, session: { userNum } }) => editPost(deps, post, userNum)),
  mount(calls.deletePost, ({ post }, { deps, session: { userNum } }) => deletePost(deps, { post, userNum })),
  mount(calls.previewPost, async ({ body }, { deps, session: { userNum } }) => {
    requireWriter(await selectWriter(deps.db, userNum, deps.now()), ANY_BOARD)
    const { html } = await renderText(deps.db, deps, { body, author: userNum })
    return { html }
  }),

  mount(calls.uploadForumPicture, async ({ picture }, { deps, session: { userNum } }) => {
    const now = deps.now()
    const { hasVerifiedEmail, isStaff } = await selectWriter(deps.db, userNum, now)
    if (!hasVerifiedEmail && !isStaff) throw refuse(calls.uploadForumPicture, 'confirmEmail')
    if (picture.size === 0) throw refuse(calls.uploadForumPicture, 'empty')
    if (picture.size > SCREENSHOT_MAX_BYTES) throw refuse(calls.uploadForumPicture, 'tooLarge')
    // A small picture has no smaller copy.
    const copies = await encodePicture(picture, { field: 'picture', sizes: PICTURE_SIZES })
    return deps.db.transaction().execute(async (tx) => {
      const storedPictures = await storePictures(tx, copies, 'players', now)
      const [fullPicture, smallPicture = fullPicture] = storedPictures
      if (fullPicture === undefined || smallPicture === undefined) throw new Error('A picture was not stored.')
      const { url, width, height } = fullPicture
      await tx
        .insertInto('forum_pictures')
        .values({ url, uploaded_by: userNum, small_url: smallPicture.url, width, height, post: null, uploaded_at: now })
        .onConflict((conflict) => conflict.columns(['url', 'uploaded_by']).doUpdateSet({ uploaded_at: now }))
        .execute()
      return { url, width, height }
    })
  }),

  mount(calls.likePost, async ({ post, like }, { deps, session: { userNum } }) => ({
    likes: await likePost(deps, { post, like, userNum }),
  })),
  mount(calls.watchTopic, async ({ topic, watch }, { deps, session: { userNum } }) => {
    await watchTopic(deps, { topic, watch, userNum })
    return { watching: watch }
  }),
  mount(calls.bookmarkTopic, async ({ topic, bookmark }, { deps, session: { userNum } }) => {
    await bookmarkTopic(deps, { topic, bookmark, userNum })
    return { bookmarked: bookmark }
  }),
  mount(calls.reportPost, async (report, { deps, session: { userNum } }) => ({
    message: await reportPost(deps, { ...report, userNum }),
  })),
  mount(calls.votePoll, (vote, { deps, session: { userNum } }) => votePoll(deps, { ...vote, userNum })),
  mount(calls.visitTopic, async ({ topic, number }, { deps, session, caller }) => {
    await visitTopic(deps, { topic, number, userNum: session?.userNum ?? null, caller })
    return {}
  }),
  mount(calls.markBoardRead, async ({ category }, { deps, session: { userNum } }) => {
    await markBoardRead(deps, { category, userNum })
    return { message: FORUM_TEXTS.allRead }
  }),
]
