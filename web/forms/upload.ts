import type { CallInput, CallOutput, WireEndpoint } from '#contract/endpoint.ts'
import { type CallOptions, createNoAnswerError, prepareRequest, readResponse } from '#web/api/call.ts'

type UploadOptions = Omit<CallOptions, 'signal'> & {
  /** Receives the uploaded fraction, from 0 to 1. */
  onProgress?: (fraction: number) => void
}

/**
 * Makes a call like `call`, and also reports the progress of an upload, which `fetch` cannot.
 *
 * @throws CallError as `call` does
 */
export async function upload<E extends WireEndpoint>(
  endpoint: E,
  input: CallInput<E>,
  { shellFailures = 'all', idempotencyKey, onProgress }: UploadOptions = {},
): Promise<CallOutput<E>> {
  const { token, url, init } = prepareRequest(endpoint, input, idempotencyKey)
  onProgress?.(0)
  const { status, text } = await new Promise<{ status: number; text: string }>((resolve) => {
    const request = new XMLHttpRequest()
    request.open(init.method, url)
    for (const [name, value] of init.headers) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total === 0 ? 0 : loaded / total)
    request.onloadend = () =>
      resolve({ status: request.status, text: request.status === 0 ? '' : request.responseText })
    request.send(init.body ?? null)
  })
  if (status === 0) throw createNoAnswerError(shellFailures)
  return readResponse(endpoint, new Response(text || null, { status }), { token, shellFailures })
}
