import { Suspense, useState } from 'react'
import { Button } from './button.tsx'
import { lazyPart } from './lazy-part.ts'

const ShareLinks = lazyPart(async () => (await import('./share-links.tsx')).ShareLinks)

type SharedPage = { title: string; url: string }

/**
 * Shares the page with the browser's share dialog. If the browser has none, the button downloads and opens a dialog
 * with links to messengers (SHARE-3).
 *
 * @param props.name the page's name for the recipients
 */
export function ShareButton({ name }: { name: string }) {
  const [shareDialog, setShareDialog] = useState<SharedPage & { open: boolean }>()
  const share = async () => {
    // The canonical address omits the page's temporary state, such as the selected tab.
    const canonical = document.querySelector<HTMLLinkElement>('link[rel="canonical"]')?.href
    const page = { title: name, url: canonical ?? location.href }
    try {
      if ('share' in navigator) return await navigator.share(page)
    } catch (error) {
      // The visitor closed the browser's dialog.
      if ((error as Error).name === 'AbortError') return
    }
    setShareDialog({ ...page, open: true })
  }
  return (
    <>
      <Button tone="secondary" className="needs-script" onClick={() => void share()}>
        Share
      </Button>
      {shareDialog !== undefined && (
        <Suspense>
          <ShareLinks {...shareDialog} onClose={() => setShareDialog({ ...shareDialog, open: false })} />
        </Suspense>
      )}
    </>
  )
}
