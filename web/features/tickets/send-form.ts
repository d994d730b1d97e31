import { CALLS, unknownError } from '#contract/messages.ts'
import { CallError, endDeadSession } from '#web/api/call.ts'
import { accessToken } from '#web/api/session.ts'

export type Sending = {
  headers?: Record<string, string>
  /** How much of it has left, 0 to 1. */
  onProgress?: (part: number) => void
}

function headersFor(given: Record<string, string>, token: string | null): Record<string, string> {
  const forgeryToken = document.querySelector<HTMLMetaElement>('meta[name="csrf-token"]')?.content
  return {
    ...given,
    'X-Requested-With': 'XMLHttpRequest',
    ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
    ...(forgeryToken ? { 'X-CSRF-TOKEN': forgeryToken } : {}),
  }
}

function refusalOf(status: number, body: unknown): CallError {
  const said = (body as { error?: unknown; message?: unknown } | null) ?? {}
  const message = [said.error, said.message].find((text) => typeof text === 'string' && text !== '')
  return new CallError(status, status === 0 ? CALLS.network : String(message ?? unknownError(status)), body)
}

/**
 * Sends a form with its files and tells how far it is, which `fetch` cannot. A dead session is told to the shell as
 * with every other call. @throws CallError with the server's words
 */
export async function sendForm(path: string, form: FormData, { headers = {}, onProgress }: Sending): Promise<unknown> {
  const token = accessToken()
  const { status, text } = await new Promise<{ status: number; text: string }>((resolve) => {
    const request = new XMLHttpRequest()
    request.open('POST', path)
    for (const [name, value] of Object.entries(headersFor(headers, token))) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total === 0 ? 0 : loaded / total)
    request.onloadend = () =>
      resolve({ status: request.status, text: request.status === 0 ? '' : request.responseText })
    request.send(form)
  })
  const body = readJson(text)
  if (status >= 200 && status < 300) return body
  if (status === 401 && token !== null) await endDeadSession(token, new Response(text))
  throw refusalOf(status, body)
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
