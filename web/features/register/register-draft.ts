import { REGISTRATION_FIELDS, type RegistrationForm } from './registration-rules.ts'

const KEY = 'TAMBAYAN_REGISTER_DRAFT'

/** What may lie in a browser's storage; passwords and the secret answer never do. */
const KEPT = REGISTRATION_FIELDS.filter(
  (name) => name !== 'userPassword' && name !== 'userPasswordConfirm' && name !== 'secretAnswer',
)

export type RegisterDraft = Partial<Pick<RegistrationForm, (typeof KEPT)[number]>>

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Keeps what was typed for this tab, so that a reload does not lose it. */
export function saveDraft(store: Store, form: RegistrationForm): void {
  const kept = Object.fromEntries(KEPT.map((name) => [name, form[name]]))
  try {
    store.setItem(KEY, JSON.stringify(kept))
  } catch {
    // A full or forbidden storage only costs the draft.
  }
}

/** The draft of this tab; empty when there is none that can be read. */
export function readDraft(store: Store): RegisterDraft {
  try {
    const kept: unknown = JSON.parse(store.getItem(KEY) ?? '{}')
    if (typeof kept !== 'object' || kept === null) return {}
    return Object.fromEntries(Object.entries(kept).filter(([name]) => KEPT.some((known) => known === name)))
  } catch {
    return {}
  }
}

/** Forgets the draft, as when the account is opened. */
export function clearDraft(store: Store): void {
  store.removeItem(KEY)
}
