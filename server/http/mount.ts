import {
  type CallAnswer,
  type Endpoint,
  formatCallName,
  isStaffAccess,
  type StaffAccess,
  type ValidInput,
} from '#contract/endpoint.ts'
import { OWNER, type Permission } from '#contract/permissions.ts'
import type { ApprovalSubject, IrreversibleChange, Payout } from '../approvals/approvals.ts'
import type { Deps } from '../deps.ts'
import type { Refusal } from '../errors.ts'
import type { AuditRecord } from './audit.ts'
import type { BridgeCaller } from './bridge.ts'
import type { Caller } from './client-address.ts'
import type { OnceRequest } from './idempotency.ts'
import type { Fields, ServerCheck } from './input.ts'
import type { Session } from './session.ts'
import type { Staff } from './staff.ts'

type CallSession<E> = E extends { access: 'public' | 'bridge' }
  ? null
  : E extends { access: 'visitor' }
    ? Session | null
    : Session

/** The context of a handler; `prepared` is the result of the call's `prepare`. */
export type CallContext<E, Prepared = undefined> = Omit<BaseContext, 'session' | 'idempotency'> & {
  session: CallSession<E>
} & (undefined extends Prepared ? unknown : { prepared: Prepared }) &
  (E extends StaffEndpoint ? DeskTools : unknown) &
  (E extends { approvable: true } ? ApprovalTools : unknown) &
  (E extends { irreversible: object } ? IrreversibleTools : unknown) &
  (E extends { access: 'bridge' } ? { bridge: BridgeCaller } : unknown)

type StaffEndpoint = { access: StaffAccess }

/** The additional tools of handlers of the desk. */
export type DeskTools = {
  staff: Staff
  /** The approver, if the call was approved. */
  approvedBy: number | null
  /** Records the call's action for the audit log. Each writing call and each audited reading call uses it once. */
  record(record: AuditRecord): void
  /**
   * Requires a further permission, and a confirmation, for input that needs more than the call itself.
   * @throws Refusal 403, for an approved call 409
   */
  requirePermission(permission: Permission): void
}

/** The additional tools of calls of the desk that may need approval. */
export type ApprovalTools = {
  /**
   * Counts money that the operator moves. @throws ApprovalNeeded above the limit; Refusal 403 for their own account,
   * 409 if approval is impossible, or if the effect differs from the approved one
   */
  consumePayout(payout: Payout): Promise<void>
  /**
   * Requires the approval of another operator or owner, if there is one; the audit log records if there is none. A
   * call uses either `consumePayout` or this, once. @throws like `consumePayout`
   */
  requireApproval(subject: ApprovalSubject): Promise<void>
}

/** The additional tools of irreversible calls of the desk. */
export type IrreversibleTools = {
  /**
   * Counts the destroyed object against the call's limit for 24 hours, above which another owner has to approve it.
   * Call this after the work, so impossible requests are refused first. @throws like `consumePayout`
   */
  consumeIrreversible(change: IrreversibleChange): Promise<void>
}

/**
 * The result of a handler. It throws refusals, which roll its changes back. An idempotent call of players can also return a
 * refusal; then its changes, such as a counted failure, are committed.
 */
type HandlerResult<E> = E extends { idempotent: true; access: 'public' | 'visitor' | 'player' }
  ? CallAnswer<E> | Refusal
  : CallAnswer<E>
type Handler<E, Prepared> = (
  input: ValidInput<E>,
  context: CallContext<E, Prepared>,
) => HandlerResult<E> | Promise<HandlerResult<E>>

/** The handler of a writing call with work outside its transaction, such as decoding a picture. */
type TwoStepHandler<E, Value> = {
  /** Runs for each retry too; its errors are not stored. */
  prepare: (input: ValidInput<E>, context: Pick<CallContext<E>, 'deps' | 'session' | 'caller'>) => Promise<Value>
  /** Gets the result of `prepare` as `prepared`. */
  write: Handler<E, NoInfer<Value>>
}

/** The handler of an idempotent call whose response cannot be stored, because it has a new secret or the current state. */
type ThreeStepHandler<E, Value, Stored> = Pick<TwoStepHandler<E, Value>, 'prepare'> & {
  /** Returns the value to store. */
  write: (input: ValidInput<E>, context: CallContext<E, NoInfer<Value>>) => Promise<Stored>
  /** Creates the response in the same transaction, for the first call and for each retry. */
  finish: (storedValue: NoInfer<Stored>, context: CallContext<E>) => Promise<CallAnswer<E>>
}

/**
 * The handler of a call that is one SQL statement. The statement stores its outcome under the key in `idempotency`; the handler
 * returns the stored value.
 */
type StatementHandler<E> = {
  statement: (
    input: ValidInput<E>,
    context: CallContext<E> & { idempotency: OnceRequest },
  ) => Promise<CallAnswer<E> | Refusal>
}

/** The handler of a reading call whose numbers can be out of range, such as the page of a list. */
type NearestHandler<E> = {
  /**
   * Maps numbers to the nearest ones in range, if the range is in the cache, so made-up numbers share one cached
   * response. The handler must still accept numbers out of range.
   */
  nearest: (input: ValidInput<E>, deps: Deps) => ValidInput<E>
  read: Handler<E, undefined>
}

/** The part of the context that every handler has. */
export type BaseContext = {
  deps: Deps
  session: Session | null
  caller: Caller
  idempotency: OnceRequest
  /** Adds a header to the response. Does nothing for a call in the process. */
  addHeader(name: string, value: string): void
}

type AnyContext = Omit<BaseContext, 'idempotency'> &
  Partial<DeskTools & ApprovalTools & IrreversibleTools> & {
    idempotency?: OnceRequest
    prepared?: unknown
    bridge?: BridgeCaller
  }

/** An endpoint with its handler. */
export type MountedCall = {
  endpoint: Endpoint
  handler: (input: Fields, context: AnyContext) => unknown
  serverCheck: ServerCheck | undefined
  nearest: ((input: Fields, deps: Deps) => unknown) | undefined
  prepare: ((input: Fields, context: BaseContext) => Promise<unknown>) | undefined
  finish: ((storedValue: unknown, context: BaseContext) => Promise<unknown>) | undefined
  /** Whether the handler is one SQL statement that stores its outcome itself. */
  isStatement: boolean
}

/**
 * Binds a handler to an endpoint.
 *
 * An idempotent call, and every write of the desk, runs in one transaction, which is the handler's `deps.db`. The transaction
 * includes the value stored under its Idempotency-Key and its audit entry. Only a `StatementHandler` runs without it.
 *
 * @throws when the path of a call does not match its access, such as a player's call below /admin
 */
export function mount<const E extends Endpoint>(
  endpoint: E,
  handler: NoInfer<Handler<E, undefined>>,
  serverCheck?: ServerCheck,
): MountedCall
export function mount<const E extends Endpoint, Value, Stored>(
  endpoint: E,
  handler: ThreeStepHandler<E, Value, Stored>,
): MountedCall
export function mount<const E extends Endpoint, Value>(endpoint: E, handler: TwoStepHandler<E, Value>): MountedCall
export function mount<const E extends Endpoint>(endpoint: E, handler: StatementHandler<E>): MountedCall
export function mount<const E extends Endpoint>(endpoint: E, handler: NearestHandler<E>): MountedCall
export function mount(
  endpoint: Endpoint,
  handlerOrSteps: MountedCall['handler'] | HandlerSteps,
  serverCheck?: ServerCheck,
): MountedCall {
  if (endpoint.path.startsWith('/admin/') !== isStaffAccess(endpoint.access))
    throw new Error(`${endpoint.path}: exactly the calls of staff must be below /admin/.`)
  // An agent that pairs has no keys at the site yet, so its call is public.
  const isBridgeCall = endpoint.access === 'bridge' || endpoint.limit === 'pairing'
  if (endpoint.path.startsWith('/bridge/') !== isBridgeCall)
    throw new Error(`${endpoint.path}: exactly the calls of bridges must be below /bridge/.`)
  const { nearest, prepare, finish, ...steps }: HandlerSteps =
    typeof handlerOrSteps === 'function' ? { write: handlerOrSteps } : handlerOrSteps
  const isStatement = 'statement' in steps
  const handler = isStatement ? steps.statement : 'read' in steps ? steps.read : steps.write
  const mountedCall = { endpoint, handler, serverCheck, nearest, prepare, finish, isStatement }
  MOUNTED_CALLS.set(formatCallName(endpoint), mountedCall)
  return mountedCall
}

type HandlerSteps = {
  nearest?(input: Fields, deps: Deps): unknown
  prepare?(input: Fields, context: BaseContext): Promise<unknown>
  finish?(storedValue: unknown, context: BaseContext): Promise<unknown>
} & (
  | { write(input: Fields, context: AnyContext): unknown }
  | { read(input: Fields, context: AnyContext): unknown }
  | { statement(input: Fields, context: AnyContext): unknown }
)

const MOUNTED_CALLS = new Map<string, MountedCall>()

/** Finds a call by its name, such as `GET /admin/staff`. */
export const findMounted = (name: string): MountedCall | undefined => MOUNTED_CALLS.get(name)

/** Lists the actions of audit entries that only record that an operator opened a page. */
export const listViewActions = (): string[] =>
  [...MOUNTED_CALLS.values()].flatMap(({ endpoint: { method, path, audited } }) =>
    method === 'GET' && audited !== undefined ? [path] : [],
  )

const findAction = (action: string) => findMounted(`POST ${action}`) ?? findMounted(`GET ${action}`)

/**
 * Returns whether an operator may read the changes in an audit entry: with the permission of its call (DESK-26). For an
 * export, whose filters can contain an address, it is the permission of its list, which `target` names. Only owners may
 * read entries of commands, jobs and calls that no longer exist.
 */
export function canReadEntry(
  { roles, permissions }: Pick<Staff, 'roles' | 'permissions'>,
  action: string,
  target = '',
): boolean {
  const access = findAction(action === '/admin/export' ? target : action)?.endpoint.access
  if (roles.includes(OWNER)) return true
  return access !== undefined && isStaffAccess(access) && (access === 'staff' || permissions.has(access))
}

/** The titles of entries that are not about a call. */
const OTHER_TITLES: Record<string, string> = {
  'first owner': 'Create first owner',
  'role accepted': 'Accept role',
  'role declined': 'Decline role',
  'approval requested': 'Request approval',
  'account erased': 'Erase account',
  'season begins': 'Start season',
  'season ends': 'Close season',
  'season is final': 'Make season final',
  'characters come from the game': 'Take characters from the game',
  'blocked in the game': 'Block in the game',
  'unblocked in the game': 'Unblock in the game',
}

/** Returns the title of an action of the audit log. The title of a command is its name, as operators type it. */
export function describeAction(action: string): string {
  const call = findAction(action)?.endpoint
  return call?.title ?? call?.summary ?? OTHER_TITLES[action] ?? action
}
