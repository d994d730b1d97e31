import type { Resolver } from 'react-hook-form'
import type { FormValues, ValidFormValues, Wire } from '#contract/endpoint.ts'
import { CALLS } from '#contract/messages.ts'
import { CallError } from '#web/api/call.ts'

type AnyValues = Record<string, unknown>

/** The rules of a call's form did not arrive. To the person it is a call without an answer. */
const unreachable = () => {
  throw new CallError(0, CALLS.network)
}

/**
 * The resolver of a form, from the rules its endpoint declares. Zod, the rules and the resolver are fetched with
 * `warm`, or else at the first check; no page begins with them.
 */
export function createResolver(endpoint: Pick<Wire, 'schema'>) {
  const load = () => Promise.all([endpoint.schema(), import('@hookform/resolvers/zod')])
  const resolver: Resolver<AnyValues> = async (values, context, options) => {
    const [schema, { zodResolver }] = await load().catch(unreachable)
    return zodResolver(schema)(values, context, options)
  }
  return { resolver, warm: () => void load().catch(() => undefined) }
}

/**
 * Checks the typed values, for forms without react-hook-form.
 *
 * @returns the first text of each wrong field; empty when all are valid
 * @throws CallError when the rules cannot be fetched
 */
export async function checkFields<E extends Pick<Wire, 'schema'>>(
  endpoint: E,
  values: FormValues<E>,
): Promise<Partial<Record<keyof ValidFormValues<E> & string, string>>> {
  const schema = await endpoint.schema().catch(unreachable)
  const found = schema.safeParse(values).error?.issues ?? []
  const texts: Record<string, string> = {}
  for (const { path, message } of found) texts[String(path[0])] ??= message
  return texts as Partial<Record<keyof ValidFormValues<E> & string, string>>
}
