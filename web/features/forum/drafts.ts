import { useEffect, useState } from 'react'
import { useSession } from '#web/api/session.ts'
import { type Draft, readDraft, storeOf } from '#web/forms/draft.ts'

type Place = { category: number } | { topic: number }

/**
 * What an account has begun to write: one new topic for each board, one reply for each topic. It is there until it is sent
 * or the account logs out (FORUM-5).
 */
export const draftOf = (place: Place, owner: number): Draft => ({
  name: 'topic' in place ? `${owner}_POST_${place.topic}` : `${owner}_TOPIC_${place.category}`,
  fields: 'topic' in place ? ['body'] : ['title', 'body'],
  owner,
  kept: 'browser',
})

/** What a begun reply quotes. */
export const quotesOf = (topic: number, owner: number): Draft => ({
  name: `${owner}_QUOTES_${topic}`,
  fields: ['text'],
  owner,
  kept: 'browser',
})

/** Whether the player has begun to write here; false until the browser knows. */
export function useHasDraft(place: Place): boolean {
  const owner = useSession()?.user.UserNum ?? 0
  const [isThere, setThere] = useState(false)
  const draft = draftOf(place, owner)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the name says which draft it is
  useEffect(() => {
    const texts = owner === 0 ? [] : Object.values(readDraft(storeOf(draft), draft))
    setThere(texts.some((text) => text !== ''))
  }, [draft.name])
  return isThere
}
