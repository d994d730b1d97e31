import { useEffect } from 'react'
import { showToast } from '#web/ui/toast.ts'

type Failing = { isError: boolean; errorUpdatedAt: number }

/** Shows the alert of a list that could not be fetched, once each time (SPEC §8). */
export function useFailureToast({ isError, errorUpdatedAt }: Failing, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each failure has its own time
  useEffect(() => {
    if (isError) void showToast('error', text)
  }, [isError, errorUpdatedAt, text])
}
