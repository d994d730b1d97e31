import type { Endpoint } from '#contract/endpoint.ts'
import { breaksConstraint, isRolledBack } from '../db/errors.ts'
import { isPause, Refusal } from '../errors.ts'
import { findOutcome, runOnce } from './idempotency.ts'
import type { Fields } from './input.ts'
import type { BaseContext, MountedCall } from './mount.ts'

/** Runs the handler of a call; for calls of the desk, with their additional steps. */
type RunHandler = (context: BaseContext & { prepared: unknown }) => unknown

const isKeyTaken = (error: unknown) => breaksConstraint(error, 'idempotency_keys_pkey')

/**
 * Runs a writing call once for each Idempotency-Key (CALL-12, CALL-13), in one transaction that also stores its outcome. A
 * declared refusal is stored like a success, except a temporary one (429, 503). Other errors roll everything back. If the
 * database rolls the transaction back because of a conflict, it runs again, with or without a key.
 *
 * A call that is one statement stores its outcome itself. If another call with the key was first, the statement violates the
 * primary key of `idempotency_keys`, which rolls it back.
 *
 * @throws Refusal like the first call with the key; 422 for a key that was used for another request; 409 for a retry of a
 *   call whose response is shown only once
 */
export async function runWrite(
  mountedCall: MountedCall,
  input: Fields,
  context: BaseContext,
  run: RunHandler = (contextInTransaction) => mountedCall.handler(input, contextInTransaction),
): Promise<unknown> {
  const preparedValue = await mountedCall.prepare?.(input, context)
  const runHandler = mountedCall.isStatement ? runStatement : runInTransaction
  for (let attempt = 1; ; attempt++) {
    try {
      const outcome = await runHandler(mountedCall, { ...context, prepared: preparedValue }, run)
      if (outcome instanceof Refusal) throw outcome
      return outcome
    } catch (error) {
      if (attempt === 3 || !(isRolledBack(error) || isKeyTaken(error))) throw error
    }
  }
}

type WriteContext = Parameters<RunHandler>[0]

async function runStatement({ endpoint }: MountedCall, context: WriteContext, run: RunHandler): Promise<unknown> {
  const { deps, idempotency } = context
  try {
    return parseOutput(endpoint, await run(context))
  } catch (error) {
    // A retry of a request from before a pause still gets its stored response.
    const mayBeStored = isKeyTaken(error) || (error instanceof Refusal && isPause(error.id))
    const storedOutcome =
      mayBeStored && idempotency.key !== null
        ? await findOutcome(deps.db, endpoint, idempotency, deps.now())
        : undefined
    if (storedOutcome === undefined) throw error
    return parseOutput(endpoint, storedOutcome)
  }
}

function runInTransaction({ endpoint, finish }: MountedCall, context: WriteContext, run: RunHandler): Promise<unknown> {
  const { deps, idempotency } = context
  return deps.db.transaction().execute(async (tx) => {
    // The handler also reads over the transaction's connection, so it does not wait for another one.
    const contextInTransaction = { ...context, deps: { ...deps, db: tx, browseDb: tx } }
    const work = async () => {
      const result = await run(contextInTransaction)
      return finish === undefined ? parseOutput(endpoint, result) : result
    }
    const outcome = await runOnce(tx, endpoint, idempotency, { work, now: deps.now() })
    const isFinished = finish === undefined || outcome instanceof Refusal
    return parseOutput(endpoint, isFinished ? outcome : await finish(outcome, contextInTransaction))
  })
}

/** Parses the output with the declared schema, so private columns cannot leak. */
const parseOutput = ({ output }: Endpoint, result: unknown) =>
  result instanceof Refusal ? result : output.parse(result)
