import type { Resolver } from 'react-hook-form'
import type { FormValues, ValidFormValues, WireEndpoint } from '#contract/endpoint.ts'
import { CALL_TEXTS } from '#contract/messages.ts'
import { CallError } from '#web/api/call.ts'

type AnyValues = Record<string, unknown>

/**
 * Throws the error for rules that could not be downloaded. For a player it is the same failure as a call without a
 * response.
 */
const throwNetworkError = () => {
  throw new CallError(0, CALL_TEXTS.network)
}

/**
 * Returns a resolver with the rules of an endpoint. Zod, the rules and the resolver are downloaded by `preload` or at
 * the first check, not with the page.
 */
export function createResolver(endpoint: Pick<WireEndpoint, 'schema'>) {
  const loadRules = () => Promise.all([endpoint.schema(), import('@hookform/resolvers/zod')])
  const resolver: Resolver<AnyValues> = async (values, context, options) => {
    const [schema, { zodResolver }] = await loadRules().catch(throwNetworkError)
    return zodResolver(schema)(values, context, options)
  }
  return { resolver, preload: () => void loadRules().catch(() => undefined) }
}

/**
 * Checks the typed values, for forms without react-hook-form.
 *
 * @returns the first error of each invalid field; empty if all are valid
 * @throws CallError if the rules cannot be downloaded
 */
export async function checkFields<E extends Pick<WireEndpoint, 'schema'>>(
  endpoint: E,
  values: FormValues<E>,
): Promise<Partial<Record<keyof ValidFormValues<E> & string, string>>> {
  const schema = await endpoint.schema().catch(throwNetworkError)
  const issues = schema.safeParse(values).error?.issues ?? []
  const texts: Record<string, string> = {}
  for (const { path, message } of issues) texts[String(path[0])] ??= message
  return texts as Partial<Record<keyof ValidFormValues<E> & string, string>>
}
