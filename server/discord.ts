const POSTED_WITHIN_MS = 10_000

/**
 * Posts a message to a Discord channel. Mentions in it notify no one.
 *
 * @param webhook the channel's address from Discord
 * @throws when Discord does not accept it within ten seconds; the error leaves the address out, because it is a secret
 */
export async function postToDiscord(webhook: string, content: string, signal?: AbortSignal): Promise<void> {
  const late = AbortSignal.timeout(POSTED_WITHIN_MS)
  const answer = await fetch(webhook, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ content: content.slice(0, 1900), allowed_mentions: { parse: [] } }),
    redirect: 'error',
    signal: signal === undefined ? late : AbortSignal.any([signal, late]),
  }).catch(() => {
    throw new Error('Discord could not be reached.')
  })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`Discord answered with status ${answer.status}.`)
}

/** A text in which Discord finds no Markdown. */
export const plainForDiscord = (text: string) => text.replace(/[\\*_~`|]/g, '\\$&')
