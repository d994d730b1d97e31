import { useRef, useState } from 'react'
import { CallError, createIdempotencyKey } from '#web/api/call.ts'
import { sendForm } from './send-form.ts'

type Fields = Record<string, string>

const factsOf = ({ name, size, lastModified }: File) => [name, size, lastModified]

function formOf(fields: Fields, pictures: readonly File[]): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) if (value !== '') form.append(name, value)
  for (const picture of pictures) form.append('screenshots', picture, picture.name)
  return form
}

/**
 * Sends a form with its screenshots, one at a time. The same form sent again after no answer counts once
 * (DECISIONS §3 retries).
 */
export function useUpload<Answer>(path: string) {
  /** How much has left, 0 to 1; null while nothing is on its way. */
  const [progress, setProgress] = useState<number | null>(null)
  const underWay = useRef(false)
  const pending = useRef<{ content: string; key: string }>(undefined)

  /** @returns the answer, or undefined while an earlier press is still being sent. @throws CallError */
  const send = async (fields: Fields, pictures: readonly File[]): Promise<Answer | undefined> => {
    if (underWay.current) return undefined
    underWay.current = true
    setProgress(0)
    const content = JSON.stringify([fields, pictures.map(factsOf)])
    if (pending.current?.content !== content) pending.current = { content, key: createIdempotencyKey() }
    const headers = { 'Idempotency-Key': pending.current.key }
    try {
      const answer = await sendForm(path, formOf(fields, pictures), { headers, onProgress: setProgress })
      pending.current = undefined
      return answer as Answer
    } catch (error) {
      if (error instanceof CallError && error.status !== 0) pending.current = undefined
      throw error
    } finally {
      underWay.current = false
      setProgress(null)
    }
  }
  return { progress, send }
}
