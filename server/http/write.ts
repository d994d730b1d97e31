import type { Endpoint } from '#contract/endpoint.ts'
import { breaksConstraint, isRolledBack } from '../db/errors.ts'
import { isPause, Refusal } from '../errors.ts'
import { findOutcome, runOnce } from './idempotency.ts'
import type { Fields } from './input.ts'
import type { BaseContext, Mounted } from './mount.ts'

/** Runs the handler of a call, for calls of the desk with their further steps. */
type Run = (context: BaseContext & { prepared: unknown }) => unknown

const isKeyTaken = (error: unknown) => breaksConstraint(error, 'idempotency_keys_pkey')

/**
 * Runs a writing call once for each Idempotency-Key (CALL-12, CALL-13), in one transaction that also stores its
 * outcome. A declared refusal is stored like a success, except a temporary one (429, 503). Other errors leave nothing
 * behind. A transaction that the database rolled back because of a conflict runs again, with or without a key.
 *
 * A call that is one statement stores its outcome itself. When another call with the key was first, it breaks the
 * primary key of `idempotency_keys`, which rolls it back.
 *
 * @throws Refusal as the first call with the key; 422 for a key that was used for another request; 409 for a retry of a
 *   call whose response is shown only once
 */
export async function runWrite(
  mounted: Mounted,
  input: Fields,
  context: BaseContext,
  run: Run = (inside) => mounted.handler(input, inside),
): Promise<unknown> {
  const prepared = await mounted.prepare?.(input, context)
  const runHandler = mounted.isStatement ? runStatement : runInTransaction
  for (let attempt = 1; ; attempt++) {
    try {
      const outcome = await runHandler(mounted, { ...context, prepared }, run)
      if (outcome instanceof Refusal) throw outcome
      return outcome
    } catch (error) {
      if (attempt === 3 || !(isRolledBack(error) || isKeyTaken(error))) throw error
    }
  }
}

type Running = Parameters<Run>[0]

async function runStatement({ endpoint }: Mounted, context: Running, run: Run): Promise<unknown> {
  const { deps, once } = context
  try {
    return parse(endpoint, await run(context))
  } catch (error) {
    // A request from before a pause still gets its stored response.
    const mayBeKnown = isKeyTaken(error) || (error instanceof Refusal && isPause(error.id))
    const first = mayBeKnown && once.key !== null ? await findOutcome(deps.db, endpoint, once, deps.now()) : undefined
    if (first === undefined) throw error
    return parse(endpoint, first)
  }
}

function runInTransaction({ endpoint, finish }: Mounted, context: Running, run: Run): Promise<unknown> {
  const { deps, once } = context
  return deps.db.transaction().execute(async (tx) => {
    // A read in the handler must not wait for a connection that the transaction has.
    const inside = { ...context, deps: { ...deps, db: tx, browseDb: tx } }
    const work = async () => {
      const result = await run(inside)
      return finish === undefined ? parse(endpoint, result) : result
    }
    const outcome = await runOnce(tx, endpoint, once, { work, now: deps.now() })
    const isDone = finish === undefined || outcome instanceof Refusal
    return parse(endpoint, isDone ? outcome : await finish(outcome, inside))
  })
}

/** Parses the output with the declared schema, so private columns cannot leak. */
const parse = ({ output }: Endpoint, result: unknown) => (result instanceof Refusal ? result : output.parse(result))
