import type { Endpoint } from '#contract/endpoint.ts'
import type { TestApp } from './helpers.ts'

/**
 * Builds the request of a call from a flat input. Undeclared fields go into the query of a GET, otherwise into the form or
 * body. Path parameters without a value are 1.
 */
export function buildRequest(endpoint: Endpoint, input: Record<string, unknown>): { path: string; init: RequestInit } {
  const { method, inputParts } = endpoint
  const query = new URLSearchParams()
  const body: Record<string, unknown> = {}
  const form = new FormData()
  const isForm = endpoint.input?.form !== undefined
  let { path } = endpoint
  for (const [field, value] of Object.entries(input)) {
    if (value === undefined) continue
    const part = inputParts[field] ?? (method === 'GET' ? 'query' : isForm ? 'form' : 'body')
    if (part === 'params') path = path.replace(`{${field}}`, encodeURIComponent(String(value)))
    else if (part === 'body') body[field] = value
    else if (value === null) continue
    else if (part === 'form')
      for (const one of [value].flat()) form.append(field, one instanceof File ? one : String(one))
    else query.set(field, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  path = path.replaceAll(/\{\w+\}/g, '1')
  return {
    path: `/api${path}${query.size > 0 ? `?${query}` : ''}`,
    init: {
      method,
      headers: method === 'POST' && !isForm ? { 'Content-Type': 'application/json' } : {},
      ...(method === 'POST' && { body: isForm ? form : JSON.stringify(body) }),
    },
  }
}

/** Makes a call with a flat input. */
export function sendCall(
  site: Pick<TestApp, 'send'>,
  endpoint: Endpoint,
  input: Record<string, unknown> = {},
  headers: Record<string, string> = {},
) {
  const { path, init } = buildRequest(endpoint, input)
  return site.send(path, { ...init, headers: { ...init.headers, ...headers } })
}
