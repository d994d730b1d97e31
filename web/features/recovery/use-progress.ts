import { useEffect, useRef, useState } from 'react'
import { PROGRESS_DIALOG_MS } from '#contract/limits.ts'
import { dialogText } from '#web/api/call.ts'
import { pause } from '#web/api/guard.ts'

export type Progress =
  | { phase: 'waiting'; seconds: number }
  | { phase: 'answer'; text: string }
  | { phase: 'error'; text: string }

const SECOND_MS = 1000

/**
 * The ten seconds of SPEC §2.14: the dialog stays its time and then shows the server's
 * answer; an error replaces it at once (DECISIONS §4).
 */
export function useProgress() {
  const [progress, setProgress] = useState<Progress | null>(null)
  const ticking = useRef<ReturnType<typeof setInterval>>(undefined)
  const stop = () => clearInterval(ticking.current)
  useEffect(() => () => clearInterval(ticking.current), [])

  const run = async (call: () => Promise<{ message: string }>) => {
    const startedAt = performance.now()
    setProgress({ phase: 'waiting', seconds: 0 })
    ticking.current = setInterval(() => {
      const seconds = Math.round((performance.now() - startedAt) / SECOND_MS)
      setProgress({ phase: 'waiting', seconds: Math.min(seconds, PROGRESS_DIALOG_MS / SECOND_MS) })
    }, SECOND_MS)
    try {
      const [{ message }] = await Promise.all([call(), pause(PROGRESS_DIALOG_MS)])
      stop()
      setProgress({ phase: 'answer', text: message })
    } catch (error) {
      stop()
      setProgress({ phase: 'error', text: dialogText(error) })
    }
  }

  return { progress, run, close: () => setProgress(null) }
}
