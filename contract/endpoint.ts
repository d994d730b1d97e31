import type { z } from 'zod'
import type { ZodMiniObject } from 'zod/mini'
import type { Permission } from './permissions.ts'
import type { LimitName } from './request-limits.ts'

/** The access to a call of the desk: any member of staff, or roles with a permission. */
export type StaffAccess = 'staff' | Permission

/**
 * The access to a call. `public` calls ignore the caller's token. A `visitor` may be a guest or a player, but an
 * invalid token is refused. A `player` needs a valid session. A `bridge` signs its requests. Calls of the desk need a
 * staff session.
 */
export type Access = 'public' | 'visitor' | 'player' | 'bridge' | StaffAccess

/** Whether only staff may make a call. */
export const isStaffAccess = (access: Access): access is StaffAccess =>
  access !== 'public' && access !== 'visitor' && access !== 'player' && access !== 'bridge'

/** Returns the name of a call, such as `GET /admin/staff`. Approval requests store it. */
export const formatCallName = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

/** A possible refusal of a call. `field` is the input field that it concerns. */
export type CallError = { status: 401 | 403 | 404 | 409 | 413 | 422 | 429 | 503; message: string; field?: string }

type InputRules = z.ZodObject | ZodMiniObject
/** The parts of a request that carry the input. Callers pass one flat object, so a name can occur in only one part. */
type InputDeclaration = { params?: InputRules; query?: InputRules; body?: InputRules; form?: InputRules }
type InputPart = keyof InputDeclaration

export type Declaration = {
  method: 'GET' | 'POST'
  /** The path below /api, with parameters in braces. */
  path: string
  summary: string
  /** The name of the audit entries of a call at the desk, such as 'Refund orders'. */
  title?: string
  /** The heading of the call in /api/docs. */
  area: string
  access: Access
  /** The limit in `LIMITS` that every call counts against: by account, or for guests by address. */
  limit?: LimitName
  /**
   * For a public response that is the same for every caller. The server caches it for a few seconds. The browser treats
   * its copy as fresh for `freshMs` and, with `stored`, saves it in local storage (NEWS-11, BANNER-3).
   */
  cache?: { freshMs: number; stored?: true }
  /**
   * For a cached public response: scripts of any web page may read it, unless the request has a token. Its fields
   * change only as `/api/docs` promises.
   */
  cors?: true
  /** Whether an imported player can make this call while the takeover of the account is not finished. */
  duringTakeOver?: true
  /** For a call of the desk: the operator must have confirmed their identity within the last 15 minutes (DESK-2). */
  sudo?: true
  /**
   * For a writing call of the desk that may need approval. Its handler calls `consumePayout` or `requireApproval`.
   * `server/features/staff/approvals.test.ts` has a case for each such call.
   */
  approvable?: true
  /**
   * For a call of the desk that destroys what players own (UNDO-1). It takes effect after `IRREVERSIBLE_AFTER_MS` and
   * can be undone until then. `withoutApproval` is the number of targets in 24 hours that need no approval; further
   * targets need the approval of another owner, if there is one. The call's handler names the target in one call of
   * `consumeIrreversible`.
   */
  irreversible?: { withoutApproval: number }
  /**
   * For a reading call of the desk that is written to the audit log: always, or `sometimes`, depending on its input.
   * Writing calls always are.
   */
  audited?: true | 'sometimes'
  /**
   * For a call of the desk: the fields of its audit entries whose texts the program defines, such as states. Texts in
   * all other fields count as personal.
   */
  notPersonal?: readonly string[]
  /**
   * Whether callers may send an Idempotency-Key. For guests, `guestBy` is the input field that identifies them. For a
   * call that shows a secret, `shownOnce` is the output field with the id of the created object. Only this field is
   * stored, and a retry gets a 409 with it (CALL-14).
   */
  idempotent?: boolean | { guestBy: string } | { shownOnce: string }
  input?: InputDeclaration
  /**
   * The input of a form, which is the call's body unless `input` has another. Write it with zod/mini and export it from
   * the contract's file, because the browser downloads it to check the form.
   */
  fields?: ZodMiniObject
  /** The response. A File is sent unchanged. */
  output: z.ZodType
  errors?: Record<string, CallError>
}

/** The part of a declaration that the browser needs for a call. The rest stays on the server. */
export type WireEndpoint = {
  method: 'GET' | 'POST'
  path: string
  access: Access
  cache?: { freshMs: number; stored?: true }
  idempotent: boolean
  /** The part of the request that carries each field of the input. */
  inputParts: Record<string, InputPart>
  /** Whether the response is a file. */
  isFile: boolean
  /** Downloads the rules of the call's form, its `fields`. */
  schema(): Promise<ZodMiniObject>
}

export type Endpoint = Omit<Declaration, 'idempotent'> &
  WireEndpoint & { guestBy: string | undefined; shownOnce: string | undefined }

type DeclaredInput<D> = D extends { input: infer I } ? I : Record<never, never>
type FormBody<D> = D extends { fields: infer F }
  ? DeclaredInput<D> extends { body: InputRules } | { form: InputRules }
    ? unknown
    : { body: F }
  : unknown

/** An endpoint with the exact types of its declaration. */
export type DeclaredEndpoint<D> = Omit<D, 'idempotent' | 'input'> &
  Pick<Endpoint, 'inputParts' | 'isFile' | 'schema' | 'guestBy' | 'shownOnce'> & {
    input: DeclaredInput<D> & FormBody<D>
    idempotent: D extends { idempotent: true | object } ? true : false
  }

/** Declares a call. The server mounts this value, the OpenAPI document lists it, and the browser calls it. */
export function declareEndpoint<const D extends Declaration>(declaration: D): DeclaredEndpoint<D> {
  const { fields, output, idempotent = false } = declaration
  const declaredInput = declaration.input ?? {}
  const input =
    fields === undefined || declaredInput.body || declaredInput.form
      ? declaredInput
      : { ...declaredInput, body: fields }
  const inputParts = Object.fromEntries(
    (['params', 'query', 'body', 'form'] as const).flatMap((part) =>
      Object.keys(input[part]?.shape ?? {}).map((name) => [name, part]),
    ),
  )
  return {
    ...declaration,
    input: input as DeclaredEndpoint<D>['input'],
    idempotent: (idempotent !== false) as DeclaredEndpoint<D>['idempotent'],
    guestBy: typeof idempotent === 'object' && 'guestBy' in idempotent ? idempotent.guestBy : undefined,
    shownOnce: typeof idempotent === 'object' && 'shownOnce' in idempotent ? idempotent.shownOnce : undefined,
    inputParts,
    isFile: output.def.type === 'file',
    schema: async () => {
      if (fields === undefined) throw new Error(`${declaration.path} declares no fields for a form.`)
      return fields
    },
  }
}

type PartValues<E, Which extends 'input' | 'output'> = E extends { input: infer I }
  ? { [P in keyof I]: I[P] extends z.core.$ZodType ? (Which extends 'input' ? z.input<I[P]> : z.output<I[P]>) : never }
  : Record<never, never>
/** Callers may pass a number for digits in an address. */
type AddressValues<T> = { [K in keyof T]: T[K] | (Extract<T[K], string> extends never ? never : number) }
type InputPartValues<S, P extends string> = P extends keyof S ? S[P] : unknown

/** The input of a call from its caller, as one flat object. */
export type CallInput<E> = AddressValues<InputPartValues<PartValues<E, 'input'>, 'params'>> &
  AddressValues<InputPartValues<PartValues<E, 'input'>, 'query'>> &
  InputPartValues<PartValues<E, 'input'>, 'body'> &
  InputPartValues<PartValues<E, 'input'>, 'form'>

/** The input of a handler: validated, as one flat object. */
export type ValidInput<E> = InputPartValues<PartValues<E, 'output'>, 'params'> &
  InputPartValues<PartValues<E, 'output'>, 'query'> &
  InputPartValues<PartValues<E, 'output'>, 'body'> &
  InputPartValues<PartValues<E, 'output'>, 'form'>

type FormFieldValues<E, Which extends 'input' | 'output'> = E extends { fields: infer F extends z.core.$ZodType }
  ? Which extends 'input'
    ? z.input<F>
    : z.output<F>
  : InputPartValues<PartValues<E, Which>, 'body'> & InputPartValues<PartValues<E, Which>, 'form'>

/** The values of a form before its rules check them. */
export type FormValues<E> = FormFieldValues<E, 'input'>

/** The values of a form after its rules have checked them. */
export type ValidFormValues<E> = FormFieldValues<E, 'output'>

/** The result of a handler. A time may be a Date, which becomes text. */
export type CallAnswer<E> = E extends { output: infer O extends z.ZodType } ? z.input<O> : never

/** The output of a call. */
export type CallOutput<E> = E extends { output: infer O extends z.ZodType } ? z.output<O> : never

/** Makes a call: over the network in the browser, by the handler on the server. */
export type Call = <E extends Endpoint>(endpoint: E, input: CallInput<E>) => Promise<CallOutput<E>>

export type EndpointIdentity = Pick<Declaration, 'method' | 'path' | 'area'>

/** A declaration with the defaults filled in. */
export type DeclaredWithDefaults<Defaults, D> = DeclaredEndpoint<EndpointIdentity & Omit<Defaults, keyof D> & D>

type AreaCall = Omit<Declaration, keyof EndpointIdentity | 'access'> & { access?: Access }

/** Declares the calls of an area outside the desk. `access` is their default access. */
export function declareCalls<const A extends Access>(area: string, access: A) {
  const declare = (declaration: Omit<Declaration, 'area'>): unknown => declareEndpoint({ area, ...declaration })
  return {
    get: <const D extends AreaCall>(path: string, call: D) =>
      declare({ method: 'GET', path, access, ...call }) as DeclaredWithDefaults<{ access: A }, D>,
    post: <const D extends AreaCall>(path: string, call: D) =>
      declare({ method: 'POST', path, access, ...call }) as DeclaredWithDefaults<{ access: A }, D>,
  }
}
