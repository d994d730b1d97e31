import type { z } from 'zod'
import { callName, type Endpoint, isForStaff, type StaffAccess, type ValidInput } from '#contract/endpoint.ts'
import type { Deps } from '../deps.ts'
import type { Guarded, Spending } from './approvals.ts'
import type { AuditRecord } from './audit.ts'
import type { BridgeCaller } from './bridge.ts'
import type { Caller } from './client-address.ts'
import type { OnceRequest, Outcome } from './idempotency.ts'
import type { AlsoCheck, Fields } from './input.ts'
import type { Session } from './session.ts'
import type { Staff } from './staff.ts'

type SessionOf<E> = E extends { access: 'public' | 'bridge' }
  ? null
  : E extends { access: 'visitor' }
    ? Session | null
    : Session

/** What a handler is given beside its input. */
export type Asked<E, Prepared = undefined> = Omit<CallContext, 'session'> & {
  session: SessionOf<E>
} & (E extends ForStaff ? DeskTools & { prepared: Prepared } : unknown) &
  (E extends { access: 'bridge' } ? { bridge: BridgeCaller } : unknown)

type ForStaff = { access: StaffAccess }

/** What handlers of the desk have beyond those of players. */
export type DeskTools = {
  staff: Staff
  /** Says what the call does, for the audit log. Each writing call does so once, a reading one if it is audited. */
  record(what: AuditRecord): void
  /** Counts money that the operator moves. @throws ApprovalNeeded above the limit; Refusal 403 for their own account */
  spend(what: Spending): Promise<void>
  /** Asks for the consent of another operator or owner. @returns whether the caller is the only operator */
  requireApproval(what: Guarded): Promise<{ isOnlyOperator: boolean }>
}

type Plain<E> = E extends { output: infer O extends z.ZodType } ? z.input<O> : never
/**
 * What a handler of an idempotent call returns is remembered under the caller's key, refusals included. For the desk,
 * mount remembers by itself.
 */
type Result<E> = E extends { idempotent: true; access: 'public' | 'visitor' | 'player' } ? Outcome<Plain<E>> : Plain<E>
type Handler<E, Prepared> = (input: ValidInput<E>, asked: Asked<E, Prepared>) => Result<E> | Promise<Result<E>>

/** A writing call of the desk with work that must not happen inside its transaction, such as decoding a picture. */
type TwoStepHandler<E, Value> = {
  prepare: (input: ValidInput<E>, asked: { deps: Deps; session: Session }) => Promise<Value>
  /** Gets what `prepare` returned as `prepared`. */
  write: Handler<E, NoInfer<Value>>
}

/** What every handler is given beside its input. */
export type CallContext = {
  deps: Deps
  session: Session | null
  caller: Caller
  once: OnceRequest
  /** Adds a header to the answer; does nothing in the process. */
  addHeader(name: string, value: string): void
}

/** An endpoint with its handler. */
export type Mounted = {
  endpoint: Endpoint
  handler: (input: Fields, who: CallContext & Partial<DeskTools> & { bridge?: BridgeCaller }) => unknown
  alsoCheck: AlsoCheck | undefined
  prepare: ((input: Fields, asked: { deps: Deps; session: Session }) => Promise<unknown>) | undefined
}

/**
 * Binds a handler to an endpoint. Everything that the endpoint declares happens around it.
 *
 * A writing call of the desk runs in one transaction, which is the handler's `deps.db`, together with its entry in the
 * audit log and its Idempotency-Key.
 *
 * @throws when a call below /admin is not for staff only
 */
export function mount<const E extends Endpoint>(
  endpoint: E,
  handler: NoInfer<Handler<E, undefined>>,
  alsoCheck?: AlsoCheck,
): Mounted
export function mount<const E extends Endpoint & ForStaff, Value>(
  endpoint: E,
  handler: TwoStepHandler<E, Value>,
): Mounted
export function mount(
  endpoint: Endpoint,
  handler: Mounted['handler'] | { prepare: Mounted['prepare']; write: Mounted['handler'] },
  alsoCheck?: AlsoCheck,
): Mounted {
  if (endpoint.path.startsWith('/admin/') !== isForStaff(endpoint.access))
    throw new Error(`${endpoint.path}: the calls of staff are those below /admin/.`)
  if (endpoint.access === 'bridge' && !endpoint.path.startsWith('/bridge/'))
    throw new Error(`${endpoint.path}: the calls of bridges are below /bridge/.`)
  const { prepare, write } = typeof handler === 'function' ? { prepare: undefined, write: handler } : handler
  const mounted = { endpoint, handler: write, alsoCheck, prepare }
  MOUNTED.set(callName(endpoint), mounted)
  return mounted
}

const MOUNTED = new Map<string, Mounted>()

/** The call of a name such as `GET /admin/staff`. */
export const findMounted = (name: string): Mounted | undefined => MOUNTED.get(name)
