import { type RefObject, useEffect, useRef } from 'react'
import { DRAFT_RETENTION_MS, DRAFTS_MAX } from '#contract/limits.ts'
import { DRAFT_PREFIX } from '#web/api/session.ts'
import { browserStore, type Store, tabStore } from '#web/api/storage.ts'

type Storage = Pick<Store, 'getItem' | 'setItem' | 'removeItem'>
type Values = Record<string, unknown>

/** The part of a form that is saved as a draft. Its fields must not include secrets or files. */
export type Draft = {
  name: string
  fields: readonly string[]
  /** The account number of the player who writes the draft, or 0 for a guest. */
  owner: number
  /** Where a player's draft is stored: in the tab, or in the browser until the form is sent or the player logs out. */
  storage?: 'tab' | 'browser'
}

const toStorageKey = (name: string) => DRAFT_PREFIX + name

/** Returns the storage of a draft. A guest's draft is stored in the tab only. */
export const getStore = ({ storage = 'tab', owner }: Draft): Store =>
  storage === 'browser' && owner !== 0 ? browserStore : tabStore

/** Deletes drafts from the browser's storage if they are too old or too many. */
export function sweepDrafts(store: Pick<Store, 'getItem' | 'removeItem'>, keys: readonly string[], now: number): void {
  const getSavedAt = (key: string) => {
    try {
      return Number((JSON.parse(store.getItem(key) ?? 'null') as { at?: unknown } | null)?.at ?? 0)
    } catch {
      return 0
    }
  }
  const drafts = keys.filter((key) => key.startsWith(DRAFT_PREFIX)).map((key) => ({ key, at: getSavedAt(key) }))
  drafts.sort((a, b) => b.at - a.at)
  for (const [index, { key, at }] of drafts.entries())
    if (index >= DRAFTS_MAX || now - at > DRAFT_RETENTION_MS) store.removeItem(key)
}

/** Saves the typed values, so a reload preserves them. */
export function saveDraft(store: Storage, { name, fields, owner }: Draft, values: Values): void {
  const typedValues = Object.fromEntries(fields.map((field) => [field, values[field]]))
  try {
    store.setItem(toStorageKey(name), JSON.stringify({ owner, fields: typedValues, at: Date.now() }))
  } catch {
    // Ignored, because a form also works without a draft.
  }
}

/**
 * Reads a draft; returns no fields if it is missing or invalid. A guest's draft has no owner, so it remains after a
 * login. On shared computers, players cannot read the drafts of other players.
 */
export function readDraft(store: Storage, { name, fields, owner }: Draft): Record<string, string | boolean> {
  try {
    const storedValue: unknown = JSON.parse(store.getItem(toStorageKey(name)) ?? 'null')
    if (typeof storedValue !== 'object' || storedValue === null) return {}
    const draft = storedValue as { owner?: unknown; fields?: unknown }
    if (draft.owner !== 0 && draft.owner !== owner) return {}
    if (typeof draft.fields !== 'object' || draft.fields === null) return {}
    const isField = ([field, value]: [string, unknown]) =>
      fields.includes(field) && (typeof value === 'string' || typeof value === 'boolean')
    return Object.fromEntries(Object.entries(draft.fields).filter(isField))
  } catch {
    return {}
  }
}

/** Deletes a draft, for example after its form was sent. */
export function clearDraft(store: Storage, { name }: Pick<Draft, 'name'>): void {
  store.removeItem(toStorageKey(name))
}

type DraftForm = {
  getValues: () => Values
  setValue: (name: never, value: never) => void
}

/**
 * Fills the empty and untouched fields of a form from its draft.
 *
 * @param initial the initial values of fields that are not empty at first
 * @returns `save` for the form's onChange, and `clear` to call after the form was sent
 */
export function useDraft(form: DraftForm, draft: Draft, initial: Values = {}) {
  const { name, owner } = draft
  const latestProps: RefObject<{ form: DraftForm; draft: Draft; initial: Values }> = useRef({ form, draft, initial })
  latestProps.current = { form, draft, initial }
  const isSent = useRef(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the name or the owner changes
  useEffect(() => {
    const { form, draft, initial } = latestProps.current
    const currentValues = form.getValues()
    for (const [field, value] of Object.entries(readDraft(getStore(draft), draft))) {
      if (!currentValues[field] || currentValues[field] === initial[field])
        form.setValue(field as never, value as never)
    }
    if (draft.storage === 'browser') sweepDrafts(browserStore, browserStore.keys(), Date.now())
  }, [name, owner])

  return {
    save: () => {
      if (!isSent.current) saveDraft(getStore(draft), draft, form.getValues())
    },
    /** Deletes the draft. With `acceptsNext`, later input starts a new draft, for example for the next reply. */
    clear: ({ acceptsNext = false } = {}) => {
      isSent.current = !acceptsNext
      clearDraft(getStore(draft), draft)
    },
  }
}
