import { useEffect } from 'react'

/** Names the window: '{title} | Desk'. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} | Desk`
  }, [title])
}
