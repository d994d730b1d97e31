import { useEffect, useState } from 'react'
import { useSession } from '#web/api/session.ts'
import { type Draft, getStore, readDraft } from '#web/forms/draft.ts'

type DraftTarget = { category: number } | { topic: number }

/**
 * Returns the draft of a new topic in a board, or of a reply in a topic. An account has one draft for each board and
 * topic, which stays until the player sends it or logs out (FORUM-5).
 */
export const getPostDraft = (target: DraftTarget, owner: number): Draft => ({
  name: 'topic' in target ? `${owner}_POST_${target.topic}` : `${owner}_TOPIC_${target.category}`,
  fields: 'topic' in target ? ['body'] : ['title', 'body'],
  owner,
  storage: 'browser',
})

/** Returns the draft for the quotes of a reply. */
export const getQuotesDraft = (topic: number, owner: number): Draft => ({
  name: `${owner}_QUOTES_${topic}`,
  fields: ['text'],
  owner,
  storage: 'browser',
})

/**
 * Returns whether the player has an unsent draft here; false until the browser has read it.
 *
 * @param isWriting whether the form is open; when it closes, the draft is read again
 */
export function useHasDraft(target: DraftTarget, isWriting: boolean): boolean {
  const owner = useSession()?.user.UserNum ?? 0
  const [hasText, setHasText] = useState(false)
  const draft = getPostDraft(target, owner)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the name identifies the draft
  useEffect(() => {
    const texts = owner === 0 ? [] : Object.values(readDraft(getStore(draft), draft))
    setHasText(texts.some((text) => text !== ''))
  }, [draft.name, isWriting])
  return hasText
}
