type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Whose draft it is: an account's number, or 0 for a guest. */
export type DraftOwner = number

const keyOf = (name: string) => `TAMBAYAN_DRAFT_${name}`

/** Keeps what was typed for this tab, so that a reload does not lose it. Files cannot be kept. */
export function saveDraft(store: Store, name: string, owner: DraftOwner, fields: Record<string, string>): void {
  try {
    store.setItem(keyOf(name), JSON.stringify({ owner, fields }))
  } catch {
    // A full or forbidden storage only costs the draft.
  }
}

/**
 * The draft of this tab. A guest's is anybody's, so that logging in half-way loses nothing; a member's is theirs alone,
 * for on a shared computer the next one must not read it.
 */
export function readDraft(store: Store, name: string, owner: DraftOwner): Record<string, string> {
  try {
    const kept: unknown = JSON.parse(store.getItem(keyOf(name)) ?? 'null')
    if (typeof kept !== 'object' || kept === null) return {}
    const draft = kept as { owner?: unknown; fields?: unknown }
    if (draft.owner !== 0 && draft.owner !== owner) return {}
    if (typeof draft.fields !== 'object' || draft.fields === null) return {}
    return Object.fromEntries(Object.entries(draft.fields).filter(([, text]) => typeof text === 'string'))
  } catch {
    return {}
  }
}

/** Forgets a draft, as when it was sent. */
export function clearDraft(store: Store, name: string): void {
  store.removeItem(keyOf(name))
}
